import type { Observation, ResponseObservation } from '../../judge/observation.ts';
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

/** Seconds until the carrier wants the request again (RFC 9110 §10.2.3: seconds, or a date); one where it does not say. */
export function retryAfter({ headers, receivedAt }: Pick<ResponseObservation, 'headers' | 'receivedAt'>): number {
  const given = headers['retry-after'];
  if (typeof given !== 'string') return 1;
  if (/^\d+$/.test(given)) return Number(given);
  const date = Date.parse(given) / 1000;
  return Number.isNaN(date) ? 1 : Math.max(0, Math.ceil(date - (receivedAt ?? date)));
}

/**
 * A throttled request says nothing, so it is made and sent again when the carrier wants it. A step that has its moment goes
 * again at once or not at all: a second later would be another moment.
 */
export async function performUntilHeard(step: Step, ctx: CaseContext): Promise<Observation> {
  let observation = await perform(step, ctx);
  if (expectsThrottling(step)) return observation;
  for (const least of waits) {
    if (observation.kind !== 'response' || !isThrottled(observation)) break;
    const wanted = retryAfter(observation);
    if (wanted > (step.at === undefined ? longestWait : 0)) break;
    const seconds = step.at === undefined ? Math.max(wanted, least) : wanted;
    if (seconds > 0) await ctx.wait({ due: ctx.now() + seconds * 1000, for: `${step.name}, which was throttled` });
    observation = await perform(step, ctx);
  }
  return observation;
}
