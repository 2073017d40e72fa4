import type { Definition } from '../shared/command.ts';
import { withLetter } from '../shared/help.ts';
import type { Input } from '../shared/inputs.ts';

/** What may stand at the place of the cursor. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What the shell does beside the candidates: nothing, or it completes names of files or of folders. */
export type Otherwise = 'nothing' | 'files' | 'folders';

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly otherwise: Otherwise;
}

/** Where a value stands: its command, its flag or argument, and the words before it. */
export interface ValuePlace {
  readonly command: string;
  readonly spec: string;
  readonly typed: string;
}

/** The values of a flag or an argument that have names. */
export type ValuesOf = (place: ValuePlace) => Promise<readonly Candidate[]>;

type Flag = Input<unknown>;

const longOf = (spec: string): string => spec.split(' ')[0] ?? spec;
const placeholderOf = (spec: string): string => /[<[]([^\]><[]+)[\]>]/.exec(spec)?.[1]?.replace('...', '') ?? '';
const takesValue = ({ spec }: Flag): boolean => spec.includes(' <');

/** `-t` and `--target` of one flag. */
const spellings = ({ spec }: Flag): readonly string[] =>
  withLetter(spec)
    .split(', ')
    .map((one) => longOf(one));

const files = new Set(['file', 'result', 'certificate', 'format=path', 'message']);
const folders = new Set(['dir']);

function otherwiseOf(spec: string): Otherwise {
  const placeholder = placeholderOf(spec);
  if (files.has(placeholder)) return 'files';
  return folders.has(placeholder) ? 'folders' : 'nothing';
}

const nothing: Completion = { candidates: [], otherwise: 'nothing' };

async function completeValue(input: Flag, place: ValuePlace, valuesOf: ValuesOf): Promise<Completion> {
  const fixed = (input.of ?? []).map((value) => ({ value, description: '' }));
  const named = fixed.length > 0 ? fixed : await valuesOf(place);
  const candidates = named.filter(({ value }) => value.toLowerCase().startsWith(place.typed.toLowerCase()));
  return { candidates, otherwise: otherwiseOf(input.spec) };
}

/** The flags of every command, beside its own. */
const everywhere: readonly Pick<Flag, 'spec' | 'doc'>[] = [
  { spec: '--help', doc: 'help for the command' },
  { spec: '--color', doc: 'with colours, whatever the stream is' },
  { spec: '--no-color', doc: 'without colours' },
];

function completeFlags(flags: readonly Flag[], before: readonly string[], typed: string): Completion {
  const left = flags.filter((flag) => flag.many === true || !spellings(flag).some((one) => before.includes(one)));
  const candidates = [...left, ...everywhere]
    .map(({ spec, doc }) => ({ value: longOf(spec), description: doc }))
    .filter(({ value }) => value.startsWith(typed));
  return { candidates, otherwise: 'nothing' };
}

/** How many of the words are arguments, and the flag whose value comes next. */
function readBefore(words: readonly string[], flags: readonly Flag[]): { arguments: number; open?: Flag } {
  let count = 0;
  let open: Flag | undefined;
  for (const word of words) {
    if (open !== undefined) open = undefined;
    else if (word.startsWith('-')) open = flags.find((flag) => takesValue(flag) && spellings(flag).includes(word));
    else count += 1;
  }
  return { arguments: count, ...(open === undefined ? {} : { open }) };
}

/** Before the name of a command: the names there are. */
function completeCommands(definitions: readonly Definition[], before: readonly string[], typed: string): Completion {
  if (typed.startsWith('-')) return completeFlags([], before, typed);
  const shown = definitions.filter(({ name, hidden }) => hidden !== true && name.startsWith(typed));
  return { ...nothing, candidates: shown.map(({ name, summary }) => ({ value: name, description: summary })) };
}

/** The argument that stands after so many others. */
function argumentAt({ args }: Definition, count: number): Flag | undefined {
  const all = Object.values(args);
  const last = all.at(-1);
  return all[count] ?? (last?.spec.includes('...') === true ? last : undefined);
}

/** `--fault=jti`: the flag and what is typed of its value. */
function readJoined(typed: string, flags: readonly Flag[]): readonly [Flag, string] | undefined {
  const at = typed.indexOf('=');
  const flag = at < 0 ? undefined : flags.find((one) => takesValue(one) && spellings(one).includes(typed.slice(0, at)));
  return flag === undefined ? undefined : [flag, typed.slice(at + 1)];
}

/** What may come after a command and the words behind it. */
function completeCommand(definition: Definition, words: readonly string[], valuesOf: ValuesOf): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const flags = Object.values(definition.flags);
  const { arguments: count, open } = readBefore(before, flags);
  const completeFor = (input: Flag, soFar: string): Promise<Completion> =>
    completeValue(input, { command: definition.name, typed: soFar, spec: input.spec }, valuesOf);
  if (open !== undefined) return completeFor(open, typed);
  const joined = readJoined(typed, flags);
  if (joined !== undefined) return completeFor(...joined);
  if (typed.startsWith('-')) return Promise.resolve(completeFlags(flags, before, typed));
  const argument = argumentAt(definition, count);
  return argument === undefined ? Promise.resolve(nothing) : completeFor(argument, typed);
}

/** What may come at the end of `words`, the last of which is typed so far, or empty. */
export async function completeWords(
  words: readonly string[],
  definitions: readonly Definition[],
  valuesOf: ValuesOf,
): Promise<Completion> {
  const before = words.slice(0, -1);
  const start = before.findIndex((word) => !word.startsWith('-'));
  if (start < 0) return completeCommands(definitions, before, words.at(-1) ?? '');
  const definition = definitions.find(({ name }) => name === before[start]);
  return definition === undefined ? nothing : completeCommand(definition, words.slice(start + 1), valuesOf);
}
