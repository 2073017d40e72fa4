import { exitCodes } from '../exit-codes.ts';
import { type ExitCode, exitWords, type HelpRow, helpRows, verdicts } from './help-rows.ts';

/** Headings of flags, and the flags below each; what is in none is of how the command runs. */
const flagGroups: Readonly<Record<string, readonly string[]>> = {
  'Which carrier:': [
    'target',
    'suites',
    'fault',
    'client',
    'subscriber',
    'carrier',
    'mccmnc',
    'issuer',
    'receiver',
    'foreign',
    'config',
  ],
  'What is selected:': [
    'without',
    'level',
    'budget',
    'shard',
    'profile',
    'cases',
    'coverage',
    'families',
    'faults',
    'freedoms',
    'areas',
    'codes',
    'kind',
    'only',
    'last-failed',
    'resume',
  ],
  'What is sent:': [
    'from',
    'step',
    'claim',
    'drop',
    'header',
    'drop-header',
    'http-header',
    'key',
    'alg',
    'tamper',
    'raw',
    'form',
    'proof',
    'token',
    'scope',
    'code',
    'refresh-token',
    'auth-req-id',
    'param',
    'trigger',
  ],
  'What is written:': [
    'curl',
    'dry-run',
    'write-target',
    'report',
    'out',
    'json',
    'show',
    'quiet',
    'verbose',
    'overwrite',
  ],
};
export const otherFlags = 'How it runs:';

/** The letters of the flags that are typed most. */
const letters: Readonly<Record<string, string>> = {
  target: 't',
  out: 'o',
  fault: 'f',
  level: 'l',
  report: 'r',
  quiet: 'q',
  verbose: 'v',
};

/** `--out` and `--no-out` are both `out`. */
const nameOf = (spec: string): string => /--(?:no-)?([a-z-]+)/.exec(spec)?.[1] ?? spec;

export const groupOfFlag = (spec: string): string =>
  Object.entries(flagGroups).find(([, names]) => names.includes(nameOf(spec)))?.[0] ?? otherFlags;

/** `-o, --out <dir>` of `--out <dir>`, where the flag has a letter. */
export function withLetter(spec: string): string {
  const letter = letters[nameOf(spec)];
  return letter === undefined ? spec : `-${letter}, ${spec}`;
}

const isExitCode = (name: string): name is ExitCode => Object.hasOwn(exitCodes, name);

/** The exit codes with their words, a line each; one of our own fault can end every command. */
export const renderEnds = (ends: HelpRow['ends']): readonly string[] =>
  endsOf(ends).map(([code, words]) => `  ${String(code).padEnd(5)}${words}`);

/** The exit codes that a command can end with, each with what it means there. */
export function endsOf(ends: HelpRow['ends']): readonly (readonly [code: number, words: string])[] {
  const all: HelpRow['ends'] = { ...ends, internal: true };
  return Object.keys(exitCodes)
    .filter(isExitCode)
    .flatMap((name) => {
      const own = all[name];
      const words = own === true ? exitWords[name] : own;
      return words === undefined ? [] : [[exitCodes[name], words] as const];
    });
}

interface Described {
  readonly name: string;
  readonly examples: readonly string[];
}

/** What stands below the flags of a command. */
export function renderAfterHelp({ name, examples }: Described): string {
  const row = helpRows[name];
  const lines = examples.map((example) => `  carrierspec ${name}${example === '' ? '' : ` ${example}`}`);
  const ends = row === undefined ? [] : ['', 'Exit codes:', ...renderEnds(row.ends)];
  const more = row === undefined ? [] : ['', `More: ${row.docs} of the package`];
  return `\n${['Examples:', ...lines, ...ends, ...more].join('\n')}`;
}

/** What stands below the list of commands. */
export function renderAfterOverview(): string {
  const examples = ['run', 'init my-carrier', 'run --target my-carrier/carrier.yaml', 'explain REQ-015'];
  const lines = examples.map((example) => `  carrierspec ${example}`);
  const more = 'More: docs/commands.md of the package; carrierspec COMMAND --help';
  return `\n${['Examples:', ...lines, '', 'Exit codes:', ...renderEnds(verdicts), '', more].join('\n')}`;
}
