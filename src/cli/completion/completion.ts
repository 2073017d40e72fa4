import { forTerminal } from '../../report/shared/sanitize.ts';
import { readSuites } from '../../setup/read-files.ts';
import type { completeDefinition, completionDefinition } from '../definitions/suite.ts';
import { exitCodes } from '../exit-codes.ts';
import { entryKinds, allEntryNames } from '../explain/kinds.ts';
import { openCatalogue } from '../explain/catalogue.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import type { Definition } from '../shared/help.ts';
import { type Input, inputName, spellings } from '../shared/inputs.ts';
import { completionScripts } from './scripts.ts';

interface Candidate {
  readonly value: string;
  readonly description: string;
}

interface Completion {
  readonly candidates: readonly Candidate[];
  /** The shell's own completion besides the candidates. */
  readonly otherwise: 'nothing' | 'files' | 'folders';
}

type FlagInput = Input<unknown>;

const takesValue = ({ spec }: FlagInput): boolean => spec.includes(' <');

const placeholderPaths: Readonly<Record<string, Completion['otherwise']>> = {
  file: 'files',
  result: 'files',
  certificate: 'files',
  'format=path': 'files',
  message: 'files',
  dir: 'folders',
};

/** Looks up the placeholder of a spec, such as `file` in `<file>`. */
const shellCompletion = (spec: string): Completion['otherwise'] =>
  placeholderPaths[/[<[]([^\]><[]+?)(?:\.\.\.)?[\]>]/.exec(spec)?.[1] ?? ''] ?? 'nothing';

const noCompletion: Completion = { candidates: [], otherwise: 'nothing' };

const toCandidates = (values: readonly string[]): readonly Candidate[] =>
  values.map((value) => ({ value, description: '' }));

/** Names of these kinds (`*`: all). Before the first letter, areas stand for cases or `*`: there are over a thousand names. */
async function findNames(wanted: readonly string[], typed: string): Promise<readonly Candidate[]> {
  if (wanted.length === 0) return [];
  const catalogue = await openCatalogue(await readSuites([]));
  const isMany = wanted.includes('*') || wanted.includes('case');
  if (wanted.includes('*') && typed !== '') {
    return [...allEntryNames(catalogue)].map(([value, description]) => ({ value, description }));
  }
  return (isMany && typed === '' ? ['area'] : wanted)
    .flatMap((kind) => entryKinds[kind]?.(catalogue) ?? [])
    .map(({ name, description }) => ({ value: name, description }));
}

async function completeValue({ spec, of, kinds: wanted = [] }: FlagInput, typed: string): Promise<Completion> {
  const suffix = spec.includes('<name=value>') ? '=' : '';
  const named = of === undefined ? await findNames(wanted, typed) : toCandidates(of);
  const candidates = named
    .filter(({ value }) => value.toLowerCase().startsWith(typed.toLowerCase()))
    .map(({ value, description }) => ({ value: value + suffix, description }));
  return { candidates, otherwise: shellCompletion(spec) };
}

/** Flags that every command has. */
const globalFlags: readonly Pick<FlagInput, 'spec' | 'doc' | 'many'>[] = [
  { spec: '--help', doc: 'help for the command' },
  { spec: '--color', doc: 'with colours, also in a pipe or a file' },
  { spec: '--no-color', doc: 'without colours' },
];

function completeFlags(flags: readonly FlagInput[], before: readonly string[], typed: string): Completion {
  const left = flags.filter(({ spec, many }) => many === true || !spellings(spec).some((one) => before.includes(one)));
  const candidates = [...left, ...globalFlags]
    .map(({ spec, doc }) => ({ value: inputName(spec), description: doc }))
    .filter(({ value }) => value.startsWith(typed));
  return { candidates, otherwise: 'nothing' };
}

function completeCommands(definitions: readonly Definition[], before: readonly string[], typed: string): Completion {
  if (typed.startsWith('-')) return completeFlags([], before, typed);
  const shown = definitions.filter(({ name }) => name.startsWith(typed));
  return { ...noCompletion, candidates: shown.map(({ name, summary }) => ({ value: name, description: summary })) };
}

async function completeArguments({ args, flags: own }: Definition, words: readonly string[]): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const flags = Object.values(own);
  const valued = (word: string): FlagInput | undefined =>
    flags.find((flag) => takesValue(flag) && spellings(flag.spec).includes(word));
  let count = 0;
  let open: FlagInput | undefined;
  for (const word of before) {
    if (open === undefined && !word.startsWith('-')) count += 1;
    open = open === undefined && word.startsWith('-') ? valued(word) : undefined;
  }
  if (open !== undefined) return completeValue(open, typed);
  // `--fault=jti`
  const at = typed.indexOf('=');
  const joined = at < 0 ? undefined : valued(typed.slice(0, at));
  if (joined !== undefined) return completeValue(joined, typed.slice(at + 1));
  if (typed.startsWith('-')) return completeFlags(flags, before, typed);
  const last = Object.values(args).at(-1);
  const argument = Object.values(args)[count] ?? (last?.spec.includes('...') === true ? last : undefined);
  return argument === undefined ? noCompletion : completeValue(argument, typed);
}

/** Completes the last of `words`, which may be empty. */
export async function completeWords(words: readonly string[], definitions: readonly Definition[]): Promise<Completion> {
  const before = words.slice(0, -1);
  const start = before.findIndex((word) => !word.startsWith('-'));
  if (start < 0) return completeCommands(definitions, before, words.at(-1) ?? '');
  const definition = definitions.find(({ name }) => name === before[start]);
  return definition === undefined ? noCompletion : completeArguments(definition, words.slice(start + 1));
}

/** `carrierspec completion SHELL`: prints the completion script of a shell. */
export function completionCommand(
  { shell }: CommandInputs<typeof completionDefinition>,
  { stdout }: Invocation,
): Promise<number> {
  stdout.write(completionScripts[shell]);
  return Promise.resolve(exitCodes.conformant);
}

/** A line for each candidate (value, tab, description), then one that says what the shell itself completes. */
export function renderCompletion({ candidates, otherwise }: Completion): string {
  const lines = candidates.map(({ value, description }) => `${value}\t${forTerminal(description)}`);
  return [...lines, `:${otherwise}`, ''].join('\n');
}

/** `carrierspec complete -- WORDS`: called by the script at each press of Tab. */
export const completeCommand =
  (definitions: () => readonly Definition[]) =>
  async ({ words }: CommandInputs<typeof completeDefinition>, { stdout }: Invocation): Promise<number> => {
    stdout.write(renderCompletion(await completeWords(words, definitions())));
    return exitCodes.conformant;
  };
