import { isList } from '../../lib/json.ts';
import { abridgeJson } from '../../wire/record/recorder.ts';
import type { Observation } from '../../judge/observation.ts';
import type { Step } from '../../suite/suites.ts';
import { MissingValue, type Moment } from '../../model/suite.ts';
import { type CarrierServices, type CaseContext, type CaseWith, Unmet } from '../context/case-context.ts';
import { judgeStep } from './judge-step.ts';
import { needsProbe, performRepeated, probeDropped, maxLateness } from './repeat.ts';
import { denyPendingInboxes } from '../drive/drive.ts';
import { findVerb } from './verb.ts';
import { elapsedMillis } from '../../lib/time.ts';
import { clockMargin } from '../../model/declaration.ts';
import { isAwait } from '../../suite/verbs/await.ts';

/** `casesPerSubscriber` up to which few requests of a subscriber may be pending. */
const fewCasesLimit = 4;
/** Pending requests allowed then, besides those of later steps. */
const maxPendingSpare = 3;

/** Number of pending requests allowed that no later step refers to. */
function pendingRoom({ target, interface: { severalPending: word } }: CarrierServices): number {
  if (target.supports[word] === false) return 0;
  return (target.casesPerSubscriber ?? Infinity) <= fewCasesLimit ? maxPendingSpare : Infinity;
}

/** Denies the oldest requests that no later step refers to, if a subscriber can have only a few pending. */
async function makeRoom(step: Step, ctx: CaseContext): Promise<void> {
  const room = pendingRoom(ctx.services);
  if (room === Infinity || !findVerb(step.act, ctx.services.interface.verbs).makes.includes('request')) return;
  const { steps } = ctx.case;
  const at = steps.findIndex(({ name }) => name === step.name);
  // Steps at the same moment run in any order, so a request that one of them names is kept for all.
  const first = steps.findLastIndex(({ parallel }, index) => index <= at && parallel !== true);
  const later = steps.slice(first);
  const kept = new Set(later.flatMap(({ act }) => ('of' in act && typeof act.of === 'string' ? act.of : [])));
  await denyPendingInboxes(ctx, { kept, room });
}

const formatSeconds = (span: number): string => `${(span / 1000).toFixed(1)} s`;

/**
 * Throws Unmet if a step of a case that is exact to the second took so long on a clock that flows that an edge may have passed:
 * `late` is what it began late by, and `begun` when it began, on performance.now().
 */
function requireExact({ name }: Step, { late, begun }: { late: number; begun: number }, ctx: CaseContext): void {
  const { clock } = ctx.services.target;
  if (clock?.flows !== true || !ctx.case.requires.includes('virtual-clock')) return;
  const took = late + performance.now() - begun;
  if (took <= clockMargin(ctx.services.target) * 1000) return;
  throw new Unmet(
    `step ${name} ended ${formatSeconds(took)} after its moment, and the carrier's clock went on meanwhile`,
  );
}

/** Milliseconds after the last moment of a step; 0 if the request that its last moment depends on was refused, so that nothing could be done. */
function lastMomentPassed(measure: () => number, observation: Observation): number {
  try {
    return measure();
  } catch (error) {
    if (error instanceof MissingValue && observation.kind === 'trigger' && !observation.done) return 0;
    throw error;
  }
}

/** Throws Unmet if the step went out late: it waited for its turn to send, a throttling carrier or missing results. */
function requireInTime(
  { at, by, name, times }: Step,
  observation: Observation,
  ctx: CaseWith<'scope', 'target'>,
): void {
  // An await sends nothing.
  if ((times ?? 1) > 1 || observation.kind === 'await' || observation.kind === 'events') return;
  const { sentAt } = observation;
  const timeAfter = (moment: Moment | undefined): number =>
    moment === undefined ? 0 : elapsedMillis(sentAt) - moment.evaluate(ctx.scope());
  // An action may take effect later than its moment.
  const late = observation.kind === 'response' ? timeAfter(at) : 0;
  if (late > maxLateness) {
    const why = ctx.services.target.rateLimit === undefined ? '--jobs requests were under way' : 'of the rate limit';
    throw new Unmet(`step ${name} went out ${formatSeconds(late)} late, because ${why}`);
  }
  const tooLate = lastMomentPassed(() => timeAfter(by), observation);
  if (tooLate > 0) throw new Unmet(`step ${name} went out ${formatSeconds(tooLate)} after the last moment for it`);
}

function recordValues({ record }: Step, ctx: Pick<CaseContext, 'redactor' | 'scope' | 'state'>): void {
  for (const [name, template] of record) {
    try {
      ctx.state.recorded[name] = abridgeJson(ctx.redactor.json(template.evaluate(ctx.scope())));
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      ctx.state.recorded[name] = null;
    }
  }
}

/** Runs a step, once for each entry of the list that it goes over. Throws Unmet if the rest of the case has no meaning. */
export async function runStep(step: Step, ctx: CaseContext): Promise<void> {
  const { over } = step;
  if (over === undefined) return runOnce(step, ctx);
  const list = over.evaluate(ctx.scope());
  if (!isList(list) || list.length === 0)
    throw new Unmet(`step ${step.name}: there is nothing in the list that it goes over`);
  for (const entry of list) await runOnce(step, ctx.at(entry));
}

/** Waits for the moment of the step, acts, judges. */
async function runOnce(step: Step, ctx: CaseContext): Promise<void> {
  const { at, name } = step;
  let late = 0;
  if (at !== undefined) {
    const due = at.evaluate(ctx.scope());
    if (due > ctx.now()) await ctx.wait({ due, for: name });
    late = ctx.now() - due;
    if (late > maxLateness) throw new Unmet(`step ${name} was due ${formatSeconds(late)} before it could begin`);
  }
  const begun = performance.now();
  await makeRoom(step, ctx);
  let observation = await performRepeated(step, ctx);
  requireInTime(step, observation, ctx);
  if (!isAwait(step.act)) requireExact(step, { late, begun }, ctx);
  if (needsProbe(observation, step, ctx)) observation = await probeDropped(observation, name, ctx);
  ctx.state.traces.set(name, observation);
  await judgeStep(step, observation, ctx);
  recordValues(step, ctx);
}
