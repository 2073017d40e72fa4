import type { Observation, ResponseObservation } from '../../judge/observation.ts';
import { wantsControl } from '../../model/outcome.ts';
import { isThrottled } from '../../judge/throttled.ts';
import type { Step } from '../../suite/suites.ts';
import type { CaseContext } from '../context/case-context.ts';
import { perform } from './verb.ts';

/** Seconds at least until a step that was throttled is sent again, each time: others may have to end first. */
const waits = [0, 4, 15, 40] as const;
/** Seconds: who asks for more does not want this run. */
const longestWait = 60;

export const expectsThrottling = (step: Step): boolean =>
  step.expectations.some(({ status }) => status?.includes(429) === true);

/** A 503 that comes again each time is an answer to the request, where the step names it by its number. */
export const isNamed = (step: Step, { status }: Pick<ResponseObservation, 'status'>): boolean =>
  status === 503 && step.expectations.some((one) => one.status?.includes(503) === true);

/** Seconds until the carrier wants the request again (RFC 9110 §10.2.3: seconds, or a date); one where it does not say. */
export function retryAfter({ headers, receivedAt }: Pick<ResponseObservation, 'headers' | 'receivedAt'>): number {
  const given = headers['retry-after'];
  if (typeof given !== 'string') return 1;
  if (/^\d+$/.test(given)) return Number(given);
  const date = Date.parse(given) / 1000;
  return Number.isNaN(date) ? 1 : Math.max(0, Math.ceil(date - (receivedAt ?? date)));
}

/** Seconds a step may begin late before what it observes means nothing. */
export const lateness = 2;

/**
 * Seconds until a throttled step goes again; undefined: not at all. A step that has its moment, or a last one, goes while it is
 * in time; one that is exact to the second goes at once, because a second later would be another moment.
 */
function delayOf(
  { at, by }: Step,
  { wanted, least }: { readonly wanted: number; readonly least: number },
  ctx: CaseContext,
): number | undefined {
  if (at === undefined) {
    const delay = Math.max(wanted, least);
    const isTooLate = by !== undefined && ctx.now() / 1000 + delay > by.evaluate(ctx.scope());
    return wanted > longestWait || isTooLate ? undefined : delay;
  }
  if (ctx.case.requires.includes('virtual-clock')) return 0;
  const left = at.evaluate(ctx.scope()) + lateness - ctx.now() / 1000;
  return wanted > left ? undefined : wanted;
}

/**
 * A step that expects a refusal, and sends what an earlier step made or got: the carrier may have used that up when it
 * throttled, and then refuses it for another reason. Only the whole case can be repeated.
 */
export const isOnlyOnce = ({ sendsEarlier, expectations }: Step): boolean =>
  sendsEarlier === true &&
  expectations.some(({ outcome }) => outcome === 'at-most-one' || (outcome !== undefined && wantsControl(outcome)));

/** A throttled request says nothing, so it is made and sent again when the carrier wants it. */
export async function performUntilHeard(step: Step, ctx: CaseContext): Promise<Observation> {
  let observation = await perform(step, ctx);
  if (expectsThrottling(step) || isOnlyOnce(step)) return observation;
  for (const least of waits) {
    if (observation.kind !== 'response' || !isThrottled(observation)) break;
    const seconds = delayOf(step, { wanted: retryAfter(observation), least }, ctx);
    if (seconds === undefined) break;
    if (seconds > 0) await ctx.wait({ due: ctx.now() + seconds * 1000, for: `${step.name}, which was throttled` });
    observation = await perform(step, ctx);
  }
  return observation;
}
