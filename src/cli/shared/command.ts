import { type Command, Option } from 'commander';
import { type Definition, commandGroups, renderAfterHelp } from './help.ts';
import { flagGroups, type Input, type Inputs, readInputs, type Values } from './inputs.ts';
import type { Invocation } from './invocation.ts';

/** Arguments and flags of a command, read and checked. */
export type Given<D> = D extends Definition<infer A, infer F> ? Values<A> & Values<F> : never;

export interface CommandEntry {
  readonly definition: Definition;
  readonly execute: (
    args: readonly unknown[],
    flags: Readonly<Record<string, unknown>>,
    invocation: Invocation,
  ) => Promise<number>;
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
      const given = {
        ...readInputs(definition.args, (_, at) => args[at]),
        ...readInputs(definition.flags, ({ spec }) => flags[new Option(spec).attributeName()]),
      };
      return (await load(given))(given, invocation);
    },
  };
}

const collect = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];

/** Help names a default only where it says something: not of a flag that is on or off, or that can be repeated. */
function addFlag(to: Command, { spec, doc, group = 'other', initial, many, mandatory }: Input<unknown>): void {
  const option = new Option(spec, doc).helpGroup(flagGroups[group]);
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
  const { name, group, summary, description = summary, args, flags, hidden = false } = definition;
  const added = program.command(name, { hidden }).summary(summary).description(description);
  added.helpGroup(commandGroups[group]);
  for (const { spec, doc, initial } of Object.values(args)) added.argument(spec, doc, initial);
  for (const flag of Object.values(flags)) addFlag(added, flag);
  added.addHelpText('after', renderAfterHelp(definition));
  added.action(async () => end(await execute(added.processedArgs, added.opts(), invocation())));
}
