import { exitCodes } from '../exit-codes.ts';
import { type Definition, commandGroups, renderAfterHelp } from './help.ts';
import { flagGroups, type Input, type Inputs, readInputs, type InputValues } from './inputs.ts';
import { type Command, Option } from 'commander';
import type { Readable, Writable } from 'node:stream';

/** Output stream of the process, a terminal or not. */
export type Stream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The ungated stream, for lines meant as CI commands; absent for a stream without a gate. */
  readonly forCommands?: Writable;
};

export interface Invocation {
  readonly argv: readonly string[];
  /** Operator's answers; absent without an operator. */
  readonly stdin?: (Readable & { readonly isTTY?: boolean }) | undefined;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Registers a listener for Ctrl-C, SIGTERM and SIGHUP. */
  readonly onSignal: (listener: () => void) => void;
  /** Records where the run is kept; bin prints it if stdout cannot be written. */
  readonly keeps?: (text: string) => void;
  /** Exits at once, on the second Ctrl-C. */
  readonly exitNow: (code: number) => void;
}

type Env = Invocation['env'];

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** Precedence: FORCE_COLOR, NO_COLOR, then whether the stream is a terminal (https://no-color.org). */
export function wantsColour(stream: Stream, env: Env): boolean {
  if (isSet(env['FORCE_COLOR'])) return env['FORCE_COLOR'] !== '0';
  if (isSet(env['NO_COLOR']) || env['TERM'] === 'dumb') return false;
  return stream.isTTY === true;
}

/** Report width in columns: the terminal's, at most 120; 100 if unknown or under 40. */
function reportWidth(stream: Stream, env: Env): number {
  const columns = stream.columns ?? Number(env['COLUMNS']);
  return Number.isInteger(columns) && columns >= 40 ? Math.min(columns, 120) : 100;
}

/** True for a terminal outside CI: progress is redrawn in place. */
export const isLive = (stream: Stream, env: Env): boolean =>
  stream.isTTY === true && !isSet(env['CI']) && env['TERM'] !== 'dumb';

/** First Ctrl-C: calls `onFirst` and aborts the signal. Second: exits at once. */
export function listenForSignal({ onSignal, exitNow }: Invocation, onFirst: () => void = () => undefined): AbortSignal {
  const controller = new AbortController();
  onSignal(() => {
    if (controller.signal.aborted) {
      exitNow(exitCodes.interrupted);
      return;
    }
    onFirst();
    controller.abort();
  });
  return controller.signal;
}

export const pageSetting = (stream: Stream, env: Env) => ({
  colour: wantsColour(stream, env),
  width: reportWidth(stream, env),
});

/** True if there is neither a terminal nor COLUMNS: rows are not wrapped, so that grep and cut work. */
export const wantsWholeRows = ({ stdout, env }: Pick<Invocation, 'stdout' | 'env'>): boolean =>
  stdout.isTTY !== true && (env['COLUMNS'] ?? '') === '';

/** Validated arguments and flags of a command. */
export type CommandInputs<D> = D extends Definition<infer A, infer F> ? InputValues<A> & InputValues<F> : never;

export interface CommandEntry {
  readonly definition: Definition;
  readonly execute: (
    args: readonly unknown[],
    flags: Readonly<Record<string, unknown>>,
    invocation: Invocation,
  ) => Promise<number>;
}

/** Joins a definition with a lazily loaded function; `load` receives the inputs, so it can start other work early. */
export function createCommandEntry<A extends Inputs, F extends Inputs>(
  definition: Definition<A, F>,
  load: (
    given: InputValues<A> & InputValues<F>,
  ) => Promise<(given: InputValues<A> & InputValues<F>, invocation: Invocation) => Promise<number>>,
): CommandEntry {
  return {
    definition,
    execute: async (args, flags, invocation) => {
      const given = {
        ...readInputs(definition.args, (_, at) => args[at]),
        ...readInputs(definition.flags, ({ spec }) => flags[new Option(spec).attributeName()]),
      };
      return (await load(given))(given, invocation);
    },
  };
}

const collectValues = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

/** Help shows only text defaults, not those of toggles or repeatable flags. */
function addFlag(to: Command, { spec, doc, group = 'other', initial, many, mandatory }: Input<unknown>): void {
  const option = new Option(spec, doc).helpGroup(flagGroups[group]);
  if (mandatory === true) option.makeOptionMandatory();
  else if (many === true) option.argParser(collectValues);
  else if (typeof initial === 'string') option.default(initial, initial);
  to.addOption(option);
}

/** Adds a command to the program; `end` receives its exit code. */
export function addCommand(
  program: Command,
  { definition, execute }: CommandEntry,
  { invocation, end }: { readonly invocation: () => Invocation; readonly end: (code: number) => void },
): void {
  const { name, group, summary, description = summary, args, flags, hidden = false } = definition;
  const added = program.command(name, { hidden }).summary(summary).description(description);
  added.helpGroup(commandGroups[group]);
  for (const { spec, doc, initial } of Object.values(args)) added.argument(spec, doc, initial);
  for (const flag of Object.values(flags)) addFlag(added, flag);
  added.addHelpText('after', renderAfterHelp(definition));
  added.action(async () => end(await execute(added.processedArgs, added.opts(), invocation())));
}
