import { measure } from '../../engine/measure/measure.ts';
import { glob } from '../../engine/plan/select.ts';
import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import type { Limit, LimitResult, Limits, ProfileValue } from '../../model/limit.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Target } from '../../model/target.ts';
import { forJson, forTerminal } from '../../report/shared/sanitize.ts';
import { renderLimits } from '../../report/terminal/sections.ts';
import { readLimits } from '../../setup/read.ts';
import type { measureDefinition } from '../definitions/certify.ts';
import { exitCodes } from '../exit-codes.ts';
import { hintFor } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { renderSeconds } from '../shared/object-view.ts';
import { type Setup, withCarrier } from '../shared/setup.ts';

/** Those of these names; all without any. */
export function chooseLimits({ limits, profile }: Limits, names: readonly string[]): Limits {
  const all = [...limits, ...profile].map(({ name }) => name);
  for (const wanted of names) {
    if (all.some((name) => glob(wanted).test(name))) continue;
    const hint = hintFor(wanted, all, `there are ${all.join(', ')}`);
    throw new CarrierspecError(`nothing to measure is called ${wanted}; ${hint}`, { code: 'nothing-selected' });
  }
  const chosen = ({ name }: { readonly name: string }): boolean =>
    names.length === 0 || names.some((wanted) => glob(wanted).test(name));
  return { limits: limits.filter(chosen), profile: profile.filter(chosen) };
}

const longestRung = ({ method }: Limit): number => ('rungs' in method ? Math.max(...method.rungs) : 0);

/** In real time a ladder takes as long as its longest rung; a subscriber whose SIM moved has a cool-down after it. */
export function timeWords(limits: readonly Limit[], { clock }: Pick<Target, 'clock'>): string | undefined {
  if (clock !== undefined) return undefined;
  const longest = Math.max(0, ...limits.map(longestRung));
  const coolDown = limits.some(({ method }) => method.kind === 'event') ? 3660 : 0;
  return longest === 0 ? undefined : `measuring takes about ${renderSeconds(longest + coolDown)} here`;
}

/** The profile needs its cases run; what they judge as well is not reported here. */
async function profileFrom({ suites, options }: Setup, { profile }: Limits): Promise<readonly ProfileValue[]> {
  const wanted = new Set(profile.map((entry) => entry.case));
  const cases = suites.cases.filter(({ id }) => wanted.has(id));
  if (cases.length === 0) return [];
  const { result, close } = await run({
    ...options,
    selected: { cases, invariants: [], rules: new Set() },
    measured: { limits: [], profile },
  });
  close();
  return result.footer?.profile ?? [];
}

/** What `run --measure` does before the first case: what it changes has its cool-down before a case meets it. */
export async function measureBefore(options: RunOptions): Promise<Required<Pick<RunOptions, 'measured' | 'begunAt'>>> {
  const { limits: wanted, profile } = readLimits();
  const time = timeWords(wanted, options.target);
  options.progress({ kind: 'note', text: time ?? 'measuring the limits of the carrier' });
  const note = ({ name, words }: LimitResult): void => options.progress({ kind: 'note', text: `${name}: ${words}` });
  const { limits, begunAt } = await measure(wanted, options, time === undefined ? undefined : note);
  return { measured: { limits, profile }, begunAt };
}

function exitCodeOf(limits: readonly LimitResult[], { signal }: { readonly signal: AbortSignal }): number {
  if (signal.aborted) return exitCodes.interrupted;
  return limits.some(({ state }) => state === 'unmeasured') ? exitCodes.incomplete : exitCodes.conformant;
}

/** `carrierspec measure [NAME…]`: the carrier's real limits, and its profile. Gives 4 where something could not be measured. */
export function measureCommand(flags: Given<typeof measureDefinition>, invocation: Invocation): Promise<number> {
  const { stdout, stderr } = invocation;
  return withCarrier(flags, invocation, async (setup) => {
    const chosen = chooseLimits(readLimits(), flags.names);
    const time = timeWords(chosen.limits, setup.target);
    if (time !== undefined) stderr.write(`${time}\n`);
    // Where it may take hours, each figure is printed as it comes.
    const print = ({ name, words }: LimitResult): void => void stderr.write(`${forTerminal(`${name}: ${words}`)}\n`);
    const { limits } = await measure(chosen.limits, setup.options, time === undefined ? undefined : print);
    const profile = setup.options.signal.aborted ? [] : await profileFrom(setup, chosen);
    if (flags.json) stdout.write(`${forJson({ limits, profile })}\n`);
    else stdout.write(`${renderLimits(pageOf(invocation), { limits, profile }).join('\n').trimStart()}\n`);
    return exitCodeOf(limits, setup.options);
  });
}
