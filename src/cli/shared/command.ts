import { type Command, Option } from 'commander';
import { type Defined, defined } from '../../lib/optional.ts';
import { groupOfFlag, renderAfterHelp, withLetter } from './help.ts';
import { commandGroups, helpRows } from './help-rows.ts';
import type { Input } from './inputs.ts';
import type { Invocation } from './invocation.ts';

type Inputs = Readonly<Record<string, Input<unknown>>>;

/** What the inputs of these names give once they are read; one that the caller leaves out and that has no default is absent. */
export type Values<I extends Inputs> = Defined<{
  readonly [K in keyof I]: I[K] extends Input<infer T> ? T : never;
}>;

/** A command of the program, apart from what it does: `--help` loads nothing more. */
export interface Definition<A extends Inputs = Inputs, F extends Inputs = Inputs> {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  readonly description?: string;
  /** Positional arguments, in order. */
  readonly args: A;
  readonly flags: F;
  /** What stands behind `carrierspec NAME`, an example a line. */
  readonly examples: readonly string[];
  /** Help does not list it: a program calls it, not a person. */
  readonly hidden?: true;
}

/** Arguments and flags of a command, read and checked. */
export type Given<D> = D extends Definition<infer A, infer F> ? Values<A> & Values<F> : never;

type Raw = Readonly<Record<string, unknown>>;

/** A line of the table of commands. */
export interface CommandEntry {
  readonly definition: Definition;
  readonly execute: (args: readonly unknown[], flags: Raw, invocation: Invocation) => Promise<number>;
}

export function defineCommand<A extends Inputs, F extends Inputs>(definition: Definition<A, F>): Definition<A, F> {
  return definition;
}

/** Joins a definition with the function that runs it, which is loaded when the command is; what it is given may begin before. */
export function command<A extends Inputs, F extends Inputs>(
  definition: Definition<A, F>,
  load: (
    given: Values<A> & Values<F>,
  ) => Promise<(given: Values<A> & Values<F>, invocation: Invocation) => Promise<number>>,
): CommandEntry {
  return {
    definition,
    execute: async (args, flags, invocation) => {
      const given = { ...readArguments(definition.args, args), ...readFlags(definition.flags, flags) };
      return (await load(given))(given, invocation);
    },
  };
}

function readArguments<I extends Inputs>(inputs: I, raw: readonly unknown[]): Values<I>;
function readArguments(inputs: Inputs, raw: readonly unknown[]): object {
  return defined(Object.fromEntries(Object.entries(inputs).map(([name, input], at) => [name, input.read(raw[at])])));
}

/** The values of flags, by their names in the definition. Without `raw`: their defaults. */
function readFlags<I extends Inputs>(inputs: I, raw?: Raw): Values<I>;
function readFlags(inputs: Inputs, raw: Raw = {}): object {
  const value = ({ spec, read }: Input<unknown>): unknown => read(raw[new Option(spec).attributeName()]);
  return defined(Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, value(input)])));
}

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

/** Help names a default only where it says something: not of a flag that is on or off, or that can be repeated. */
function addFlag(to: Command, { spec, doc, initial, many, mandatory }: Input<unknown>): void {
  const option = new Option(withLetter(spec), doc).helpGroup(groupOfFlag(spec));
  if (mandatory === true) option.makeOptionMandatory();
  else if (many === true) option.argParser(collect);
  else if (typeof initial === 'string') option.default(initial, initial);
  to.addOption(option);
}

/** Adds a command to the program; `end` takes its exit code. */
export function addCommand(
  program: Command,
  { definition, execute }: CommandEntry,
  { invocation, end }: { readonly invocation: () => Invocation; readonly end: (code: number) => void },
): void {
  const { name, summary, description, args, flags } = definition;
  const added = program
    .command(name, { hidden: definition.hidden === true })
    .summary(summary)
    .description(description ?? summary);
  const row = helpRows[name];
  if (row !== undefined) added.helpGroup(commandGroups[row.group]);
  for (const { spec, doc, initial } of Object.values(args)) added.argument(spec, doc, initial);
  for (const flag of Object.values(flags)) addFlag(added, flag);
  added.addHelpText('after', renderAfterHelp(definition));
  added.action(async () => end(await execute(added.processedArgs, added.opts(), invocation())));
}
