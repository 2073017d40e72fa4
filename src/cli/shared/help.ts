import { exitCodes } from '../exit-codes.ts';
import type { Inputs } from './inputs.ts';

type ExitCode = keyof typeof exitCodes;

/** Headings of `carrierspec --help`, in order. */
export const commandGroups = {
  certify: 'Certify a carrier:',
  desk: 'At the desk:',
  results: 'Results:',
  suite: 'The suite itself:',
} as const;

/** Possible endings of a command, other than an internal error; a string overrides the usual meaning of the code. */
type ExitMeanings = Partial<Readonly<Record<ExitCode, true | string>>>;

/** A command without its implementation, which `--help` does not load. */
export interface Definition<A extends Inputs = Inputs, F extends Inputs = Inputs> {
  readonly name: string;
  readonly group: keyof typeof commandGroups;
  readonly summary: string;
  readonly description?: string;
  readonly args: A;
  readonly flags: F;
  /** Arguments after `carrierspec NAME`, one example each. */
  readonly examples: readonly string[];
  readonly ends: ExitMeanings;
  /** Documentation page, relative to the package root. */
  readonly docs: string;
  /** Not listed in help: called by programs. */
  readonly hidden?: true;
}

export const defineCommand = <A extends Inputs, F extends Inputs>(definition: Definition<A, F>): Definition<A, F> =>
  definition;

/** Meaning of each exit code in help; docs/commands.md explains them in full. */
const exitDescriptions: Readonly<Record<ExitCode, string>> = {
  conformant: 'conformant',
  'not conformant': 'not conformant: a required rule is broken',
  usage: 'bad usage, suite or target file, or nothing is selected',
  unreachable: 'the carrier or the receiver is out of reach',
  incomplete: 'incomplete: not everything selected could be judged',
  internal: 'a fault of carrierspec itself',
  interrupted: 'interrupted',
};

/** Endings of a command that only writes output. */
export const doneExits: ExitMeanings = { conformant: 'done', usage: true };
/** Endings of commands that judge a finished run. */
export const judgedExits: ExitMeanings = {
  conformant: true,
  'not conformant': true,
  usage: true,
  incomplete: true,
  interrupted: true,
};
export const verdictExits: ExitMeanings = { ...judgedExits, unreachable: true };

const isExitCode = (name: string): name is ExitCode => Object.hasOwn(exitCodes, name);

/** Exit codes of a command with their meanings; an internal error is always possible. */
export function listExits(ends: ExitMeanings): readonly (readonly [code: number, words: string])[] {
  const all: ExitMeanings = { ...ends, internal: true };
  return Object.keys(exitCodes)
    .filter(isExitCode)
    .flatMap((name) => {
      const own = all[name];
      const words = own === true ? exitDescriptions[name] : own;
      return words === undefined ? [] : [[exitCodes[name], words] as const];
    });
}

const renderAfter = (examples: readonly string[], ends: ExitMeanings, more: string): string =>
  [
    '\nExamples:',
    ...examples.map((example) => `  carrierspec ${example}`.trimEnd()),
    '\nExit codes:',
    ...listExits(ends).map(([code, words]) => `  ${String(code).padEnd(5)}${words}`),
    `\nMore: ${more}`,
  ].join('\n');

export const renderAfterHelp = ({ name, examples, ends, docs }: Definition): string =>
  renderAfter(
    examples.map((example) => `${name} ${example}`),
    ends,
    `${docs} of the package`,
  );

export const renderAfterOverview = (): string =>
  renderAfter(
    ['run', 'init my-carrier', 'run --target my-carrier/carrier.yaml', 'explain REQ-015'],
    verdictExits,
    'docs/commands.md of the package; carrierspec COMMAND --help',
  );
