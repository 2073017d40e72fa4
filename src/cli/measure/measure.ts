import { forJson } from '../../lib/json.ts';
import { measureLimits } from '../../engine/measure/measure.ts';
import { compileGlob } from '../../engine/plan/select.ts';
import { run } from '../../engine/run.ts';
import type { Limit, LimitResult, Limits, ProfileValue } from '../../model/limit.ts';
import type { Target } from '../../model/target.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { limitLines } from '../../report/terminal/sections.ts';
import { readLimits } from '../../setup/read-files.ts';
import type { measureDefinition } from '../definitions/certify.ts';
import { exitCodes } from '../exit-codes.ts';
import { requireNames } from '../shared/choose.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { createTerminalPage } from '../shared/page.ts';
import { renderFlags } from '../shared/flags.ts';
import { filesBeside, journalPath, openRunFolder } from '../shared/run-folder.ts';
import { renderSeconds } from '../shared/object-view.ts';
import { parseReports, renderFormat, writeRequested } from '../shared/reports.ts';
import { type CommandSetup, withChosenCarrier } from '../shared/setup.ts';

/** Selects by name or glob; no names select all. */
function chooseLimits({ limits, profile }: Limits, names: readonly string[]): Limits {
  const all = [...limits, ...profile].map(({ name }) => name);
  const otherwise = `there are ${all.join(', ')}`;
  requireNames(names, all, { nothing: 'nothing to measure is called', otherwise, code: 'nothing-selected' });
  const chosen = ({ name }: { readonly name: string }): boolean =>
    names.length === 0 || names.some((wanted) => compileGlob(wanted).test(name));
  return { limits: limits.filter(chosen), profile: profile.filter(chosen) };
}

const maxRung = ({ method }: Limit): number => ('rungs' in method ? Math.max(...method.rungs) : 0);

/**
 * Estimates the duration in real time: the longest rung, plus the cool-down of a subscriber whose SIM moved. Undefined if virtual or
 * instant.
 */
function describeDuration(limits: readonly Limit[], { clock }: Pick<Target, 'clock'>): string | undefined {
  if (clock !== undefined) return undefined;
  const longest = Math.max(0, ...limits.map(maxRung));
  const coolDown = limits.some(({ method }) => method.kind === 'event') ? 3660 : 0;
  return longest === 0 ? undefined : `measuring takes about ${renderSeconds(longest + coolDown)} here`;
}

interface Measurement {
  readonly flags: CommandInputs<typeof measureDefinition>;
  readonly chosen: Limits;
  readonly found: Awaited<ReturnType<typeof measureLimits>>;
}

/** Runs the cases of the profile without reporting their verdicts. `--out` keeps the result. */
async function measureProfile(
  { suites, options }: CommandSetup,
  { flags, chosen, found: { limits, begunAt } }: Measurement,
  invocation: Invocation,
): Promise<readonly ProfileValue[]> {
  const { out } = flags;
  const { profile } = chosen;
  const wanted = new Set(profile.map((entry) => entry.case));
  const cases = suites.cases.filter(({ id }) => wanted.has(id));
  if (cases.length === 0 && out === undefined) return [];
  const reports = out === undefined ? [] : parseReports([], out);
  const { result, close } = await run({
    ...options,
    ...(out === undefined ? {} : { journal: journalPath(out), beside: filesBeside(out, reports) }),
    flags: renderFlags(flags),
    selection: { what: [...chosen.limits, ...profile].map(({ name }) => name), level: 'informational' },
    selected: { cases, invariants: [], rules: new Set() },
    measured: { limits, profile },
    begunAt,
  });
  await writeRequested(reports, renderFormat(result), invocation.stdout);
  close();
  return result.footer?.profile ?? [];
}

function limitsExitCode(limits: readonly LimitResult[], { signal }: { readonly signal: AbortSignal }): number {
  if (signal.aborted) return exitCodes.interrupted;
  return limits.some(({ state }) => state === 'unmeasured') ? exitCodes.incomplete : exitCodes.conformant;
}

/** Measures and prints the figures. Returns the exit code. */
async function measureCarrier(flags: CommandInputs<typeof measureDefinition>, invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation;
  return withChosenCarrier(flags, invocation, async (setup) => {
    const chosen = chooseLimits(readLimits(), flags.names);
    const time = describeDuration(chosen.limits, setup.target);
    if (time !== undefined) stderr.write(`${time}\n`);
    // It may take hours: print each figure at once.
    const print = ({ name, words }: LimitResult): void => void stderr.write(`${forTerminal(`${name}: ${words}`)}\n`);
    const found = await measureLimits(chosen.limits, setup.options, time === undefined ? undefined : print);
    const { limits } = found;
    const profile = setup.options.signal.aborted
      ? []
      : await measureProfile(setup, { flags, chosen, found }, invocation);
    if (flags.json) stdout.write(`${forJson({ limits, profile })}\n`);
    else stdout.write(`${limitLines(createTerminalPage(invocation), { limits, profile }).join('\n').trimStart()}\n`);
    return limitsExitCode(limits, setup.options);
  });
}

/** `carrierspec measure [NAME…]`: measures the carrier's limits and profile. Returns 4 if a limit could not be measured. */
export async function measureCommand(
  flags: CommandInputs<typeof measureDefinition>,
  invocation: Invocation,
): Promise<number> {
  const kept = flags.out === undefined ? undefined : openRunFolder({ folder: flags.out }, invocation);
  try {
    return await measureCarrier(flags, invocation);
  } finally {
    kept?.close();
  }
}
