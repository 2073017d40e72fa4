import { toShortage } from '../wire/shortage.ts';
import { Command, CommanderError, Option } from 'commander';
import { causeCode, explainFileError } from '../lib/errors.ts';
import { CarrierspecError } from '../model/problem.ts';
import { toolVersion } from '../setup/paths.ts';
import type { CarrierChoice } from '../setup/reference.ts';
import { forTerminal } from '../report/shared/sanitize.ts';
import * as certifying from './definitions/certify.ts';
import * as desk from './definitions/desk.ts';
import * as results from './definitions/results.ts';
import * as suite from './definitions/suite.ts';
import { stopExitCode, exitCodes } from './exit-codes.ts';
import { addCommand, type CommandEntry, createCommandEntry, type Invocation } from './shared/command.ts';
import { renderAfterOverview } from './shared/help.ts';
import { flagGroups } from './shared/inputs.ts';
import { withColourFlag, withGate } from './shared/gated-streams.ts';

/** Starts the embedded carrier's thread while the command loads: both take about as long. */
async function loadBesideCarrier<Loaded>(given: CarrierChoice, load: () => Promise<Loaded>): Promise<Loaded> {
  const { beginReference: beginChosen } = await import('../setup/reference.ts');
  beginChosen(given);
  return load();
}

// bin prints uncaught errors with it.
export { forLog } from '../report/shared/gate.ts';

/** Every command, in help order. */
export const commands: readonly CommandEntry[] = [
  createCommandEntry(certifying.initDefinition, async () => (await import('./init/init.ts')).initCommand),
  createCommandEntry(certifying.checkDefinition, async () => (await import('./check/check.ts')).checkCommand),
  createCommandEntry(certifying.planDefinition, async () => (await import('./plan/plan.ts')).planCommand),
  createCommandEntry(certifying.runDefinition, (given) =>
    loadBesideCarrier(given, async () => (await import('./run/run.ts')).runCommand),
  ),
  createCommandEntry(certifying.measureDefinition, (given) =>
    loadBesideCarrier(given, async () => (await import('./measure/measure.ts')).measureCommand),
  ),
  createCommandEntry(desk.listDefinition, async () => (await import('./list/list.ts')).listCommand),
  createCommandEntry(desk.explainDefinition, async () => (await import('./explain/explain.ts')).explainCommand),
  createCommandEntry(desk.sendDefinition, (given) =>
    loadBesideCarrier(given, async () => (await import('./send/send.ts')).sendCommand),
  ),
  createCommandEntry(desk.decodeDefinition, async () => (await import('./decode/decode.ts')).decodeCommand),
  createCommandEntry(desk.listenDefinition, async () => (await import('./listen/listen.ts')).listenCommand),
  createCommandEntry(suite.carrierDefinition, async () => (await import('./carrier/carrier.ts')).carrierCommand),
  createCommandEntry(
    suite.completionDefinition,
    async () => (await import('./completion/completion.ts')).completionCommand,
  ),
  createCommandEntry(results.reportDefinition, async () => (await import('./report/report.ts')).reportCommand),
  createCommandEntry(results.mergeDefinition, async () => (await import('./merge/merge.ts')).mergeCommand),
  createCommandEntry(results.compareDefinition, async () => (await import('./compare/compare.ts')).compareCommand),
  createCommandEntry(results.historyDefinition, async () => (await import('./history/history.ts')).historyCommand),
  createCommandEntry(results.certifyDefinition, async () => (await import('./certify/certify.ts')).certifyCommand),
  createCommandEntry(results.verifyDefinition, async () => (await import('./verify/verify.ts')).verifyCommand),
  createCommandEntry(suite.proveDefinition, async () => (await import('../lab/commands/prove/prove.ts')).proveCommand),
  createCommandEntry(certifying.exploreDefinition, (given) =>
    loadBesideCarrier(given, async () => (await import('../lab/commands/explore/explore.ts')).exploreCommand),
  ),
];

const hiddenCommands: readonly CommandEntry[] = [
  createCommandEntry(suite.completeDefinition, async () => {
    const { completeCommand } = await import('./completion/completion.ts');
    return completeCommand(() => commands.map(({ definition }) => definition));
  }),
];

/** System errors caused by the disk, not the program. */
const diskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']);

function diskFailure(error: unknown): string | undefined {
  if (!(error instanceof Error && 'syscall' in error) || !diskCodes.has(causeCode(error))) return undefined;
  const path = 'path' in error ? String(error.path) : 'a file';
  return `${path} cannot be written: ${explainFileError('write', error)}`;
}

async function reportStop(error: unknown, { stderr, env }: Invocation): Promise<number> {
  // Commander also throws after help and version; these exit with 0 if requested.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof CarrierspecError) {
    if (error.problems.length > 0) {
      const { renderStderrProblems: renderProblems } = await import('./shared/problems.ts');
      stderr.write(`${renderProblems(error.problems, { stderr, env })}\n\n`);
    }
    stderr.write(`carrierspec: ${forTerminal(error.message)}\n`);
    return stopExitCode(error.kind);
  }
  const shortage = toShortage(error);
  if (shortage !== undefined) {
    stderr.write(`carrierspec: ${shortage.message}\n`);
    return exitCodes.internal;
  }
  const full = diskFailure(error);
  if (full !== undefined) {
    stderr.write(`carrierspec: ${full}\n`);
    return exitCodes.usage;
  }
  const brief = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const text = error instanceof Error && env['CARRIERSPEC_DEBUG'] ? error.stack : brief;
  stderr.write(`carrierspec: this is a fault of carrierspec itself: ${text}\n`);
  return exitCodes.internal;
}

/** Rewrites `error: unknown command 'runn'\n(Did you mean run?)` in the style of our own messages. */
const renderUsageError = (text: string): string =>
  text
    .replace(/^error: /, 'carrierspec: ')
    .replace(
      /\n\(Did you mean (.*)\?\)\n$/,
      (_, names: string) => `; did you mean ${names.replace(/^one of /, '')}?\n`,
    );

function createProgram({ stdout, stderr }: Invocation): Command {
  return new Command('carrierspec')
    .description(
      'Conformance tests and certification for mobile carriers that act as OpenID Connect identity providers.',
    )
    .version(toolVersion())
    .addOption(new Option('--color', 'with colours, also in a pipe or a file').helpGroup(flagGroups.other))
    .addOption(
      new Option('--no-color', 'without colours; both win over NO_COLOR and FORCE_COLOR').helpGroup(flagGroups.other),
    )
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(renderUsageError(text)),
    })
    .helpCommand(false)
    .addHelpText('after', renderAfterOverview())
    .exitOverride();
}

/** The program: arguments and streams in, exit code out. */
export async function main(
  given: Invocation,
  entries: readonly CommandEntry[] = [...commands, ...hiddenCommands],
): Promise<number> {
  const invocation = withGate(given);
  const { argv } = invocation;
  let code: number = exitCodes.conformant;
  const end = (given: number): void => {
    code = given;
  };
  const program = createProgram(invocation);
  const chosen = (): Invocation => withColourFlag(invocation, program.opts()['color']);
  for (const entry of entries) addCommand(program, entry, { invocation: chosen, end });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return reportStop(error, chosen());
  }
}
