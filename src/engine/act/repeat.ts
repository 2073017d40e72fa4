import { createHash } from 'node:crypto';
import { acceptedResponses, type ResponseObservation, type Observation } from '../../judge/observation.ts';
import { isThrottled, mayPass } from '../../judge/classify.ts';
import type { InvariantJudge } from '../../judge/invariants.ts';
import type { Step } from '../../suite/suites.ts';
import { deliveryWait } from '../../model/declaration.ts';
import { runConcurrently } from '../clock/timeline.ts';
import { type CaseContext, type CaseWith, Unmet } from '../context/case-context.ts';
import { findVerb, performAct } from './verb.ts';
import { driveAction } from '../drive/drive.ts';
import { mayBeDropped } from '../context/walk.ts';
import { waitUntil } from './await.ts';
import { needsControl } from '../../model/outcome.ts';
import { omitUndefined } from '../../lib/json.ts';
import { afterSeconds, wholeMillis } from '../../lib/time.ts';

/**
 * Minimum delays before each resend of a throttled step, in seconds: other cases may have to end first. There are so many that a carrier
 * which throttles one request in seven leaves none of ten thousand unheard.
 */
const resendDelays = [0, 0, 1, 4, 15, 40] as const;
/** Longest Retry-After honoured, in seconds. */
const maxRetryAfter = 60;

export const expectsThrottling = (step: Step): boolean =>
  step.expectations.some(({ status }) => status?.includes(429) === true);

/** Whether the step expects this 503 by its number: it counts as an answer if it is repeated each time. */
export const expectsStatus = (step: Step, { status }: Pick<ResponseObservation, 'status'>): boolean =>
  status === 503 && step.expectations.some((one) => one.status?.includes(503) === true);

/** Seconds until the carrier wants the request again (RFC 9110 §10.2.3: seconds, or a date); 1 without a valid Retry-After. */
export function retryAfter({ headers, receivedAt }: Pick<ResponseObservation, 'headers' | 'receivedAt'>): number {
  const given = headers['retry-after'];
  if (typeof given !== 'string') return 1;
  if (/^\d+$/.test(given)) return Number(given);
  const date = Date.parse(given) / 1000;
  return Number.isNaN(date) ? 1 : Math.max(0, Math.ceil(date - (receivedAt ?? date)));
}

/** Time by which a step may begin late; its observation means nothing after that. */
export const maxLateness = wholeMillis(2000);

/** Seconds until a throttled step is sent again; undefined if that is too long or too late. */
function resendDelay(
  { at, by, parallel }: Step,
  { wanted, least }: { readonly wanted: number; readonly least: number },
  ctx: Pick<CaseContext, 'case' | 'now' | 'scope'>,
): number | undefined {
  // A step that goes out beside one with a moment has the same moment.
  if (parallel === true && ctx.case.requires.includes('virtual-clock')) return 0;
  if (at === undefined) {
    const delay = Math.max(wanted, least);
    const isTooLate = by !== undefined && afterSeconds(ctx.now(), delay) > by.evaluate(ctx.scope());
    return wanted > maxRetryAfter || isTooLate ? undefined : delay;
  }
  if (ctx.case.requires.includes('virtual-clock')) return 0;
  const last = at.evaluate(ctx.scope()) + maxLateness;
  return afterSeconds(ctx.now(), wanted) > last ? undefined : wanted;
}

/** Whether only the whole case can be repeated: the carrier may have consumed an earlier object when it throttled. */
export const isUnrepeatable = ({ sendsEarlier, expectations }: Step): boolean =>
  sendsEarlier === true &&
  expectations.some(({ outcome }) => outcome === 'at-most-one' || (outcome !== undefined && needsControl(outcome)));

/** Whether the expectations of a step speak of a failure, or of requests at the same time, so that a single one is not sent again. */
const expectsFailure = ({ together, parallel, expectations }: Step): boolean =>
  together === true ||
  parallel === true ||
  expectations.some(({ status = [] }) => status.some((one) => typeof one === 'number' && mayPass({ status: one })));

/** Repetitions from which failures among them can count as such that go away. */
const leastRepetitions = 3;

/** A view of the case in which no invariant judges a failed response until it is known whether it goes away. */
function withholdFailures(ctx: CaseContext) {
  const { invariants } = ctx.services;
  const held: (() => void)[] = [];
  const unlessFailed = (
    { status, noResponse }: Pick<ResponseObservation, 'status' | 'noResponse'>,
    judge: () => void,
  ): void => {
    if (mayPass(omitUndefined({ status, noResponse }))) held.push(judge);
    else judge();
  };
  const withholding: InvariantJudge = {
    ...invariants,
    onAny: (response, seen) => unlessFailed(response, () => invariants.onAny(response, seen)),
    onResponse: (response, seen) => unlessFailed(response, () => invariants.onResponse(response, seen)),
    onMessage: (kind, one, seen) =>
      unlessFailed(one.kind === 'response' ? one : {}, () => invariants.onMessage(kind, one, seen)),
  };
  return {
    view: ctx.within({ ...ctx.services, invariants: withholding }),
    judge: () => {
      for (const one of held.splice(0)) one();
    },
    forget: () => held.splice(0),
  };
}

function markPassing({ message }: ResponseObservation, { state }: CaseWith<'state'>): void {
  const at = state.messages.findIndex(({ id }) => id === message);
  const sent = state.messages[at];
  if (sent?.kind === 'exchange') state.messages[at] = { ...sent, passing: true };
}

/** Performs a step. Sends a request that failed once more: a failure that is gone then says nothing of a rule (P26). A try that confirms a finding shows each as it is. */
async function performUnfailing(step: Step, ctx: CaseContext): Promise<Observation> {
  if (ctx.attempt?.name === 'again' || expectsFailure(step) || isUnrepeatable(step))
    return performUnthrottled(step, ctx);
  const { view, judge, forget } = withholdFailures(ctx);
  try {
    const first = await performUnthrottled(step, view);
    if (first.kind !== 'response' || !mayPass(first) || isThrottled(first)) return first;
    const seconds = resendDelay(step, { wanted: 0, least: 0 }, ctx);
    if (seconds === undefined) return first;
    const second = await performUnthrottled(step, view);
    if (second.kind !== 'response' || mayPass(second) || second.status === undefined) return second;
    forget();
    markPassing(first, ctx);
    return second;
  } finally {
    judge();
  }
}

/** Performs a step. Builds and sends a throttled request again when the carrier wants it, because throttling says nothing. */
async function performUnthrottled(step: Step, ctx: CaseContext): Promise<Observation> {
  let observation = await performAct(step, ctx);
  if (expectsThrottling(step) || isUnrepeatable(step)) return observation;
  for (const least of resendDelays) {
    if (observation.kind !== 'response' || !isThrottled(observation)) break;
    const seconds = resendDelay(step, { wanted: retryAfter(observation), least }, ctx);
    if (seconds === undefined) break;
    if (seconds > 0)
      await ctx.wait({ due: afterSeconds(ctx.now(), seconds), for: `${step.name}, which was throttled` });
    observation = await performAct(step, ctx);
  }
  return observation;
}

const lastHeard = (last: Observation | undefined, next: Observation): Observation =>
  last !== undefined && next.kind === 'response' && isThrottled(next) ? last : next;

/** Alternates two exchanges, in a pseudorandom order, and drops the first time of each (cold start). Returns the last that was not throttled. */
async function interleave(step: Step, other: Step, ctx: CaseContext): Promise<Observation> {
  const times: [number[], number[]] = [[], []];
  // The other step has run at its own moment already.
  const { at: _, ...repeated } = other;
  let last: Observation | undefined;
  for (let time = 0; time <= (step.times ?? 1); time += 1) {
    const lot = createHash('sha256')
      .update(`${ctx.case.id} ${step.name} ${time + 1}`)
      .digest();
    const isOwnFirst = (lot[0] ?? 0) % 2 === 0;
    for (const own of isOwnFirst ? [true, false] : [false, true]) {
      const observation = await performUnfailing(own ? step : repeated, ctx);
      if (time > 0 && observation.kind === 'response' && !isThrottled(observation))
        times[own ? 0 : 1].push(observation.took);
      if (own) last = lastHeard(last, observation);
    }
  }
  if (last === undefined) throw new TypeError('a step is done at least once');
  return last.kind === 'response'
    ? { ...last, samples: times[0], beside: { step: other.name, samples: times[1] } }
    : last;
}

/** Performs a step with its repetitions. Returns the last response that was not throttled, together with all the others. */
export async function performRepeated(step: Step, ctx: CaseContext): Promise<Observation> {
  const other = ctx.case.steps.find(({ name }) => name === step.interleave);
  const { view, judge, forget } = withholdFailures(ctx);
  try {
    const observation = other === undefined ? await performTimes(step, view) : await interleave(step, other, view);
    const { repetitions = [] } = observation.kind === 'response' ? observation : {};
    const failures = repetitions.filter((one) => mayPass(one) && !isThrottled(one));
    // A few failures among many go away: the others are the same request. At the same time, only one may be chance.
    const most = step.together === true ? 1 : Math.floor((repetitions.length - 1) / 4);
    if (failures.length > 0 && failures.length <= most && repetitions.length >= leastRepetitions) {
      forget();
      for (const failure of failures) markPassing(failure, ctx);
    }
    return observation;
  } finally {
    judge();
  }
}

async function performTimes(step: Step, ctx: CaseContext): Promise<Observation> {
  const { times = 1, together } = step;
  const performOne = (time: number): Promise<Observation> =>
    performUnfailing(step, step.times === undefined ? ctx : ctx.during(time));
  const all: Observation[] = [];
  if (together === true) {
    const tasks = Array.from({ length: times }, (_, time) => () => performOne(time));
    all.push(...(await runConcurrently(ctx.services.timeline, tasks)));
  } else for (let time = 0; time < times; time += 1) all.push(await performOne(time));
  const last = all.at(-1);
  if (last === undefined) throw new TypeError('a step is done at least once');
  if (last.kind === 'sign') return { ...last, repetitions: all.filter((one) => one.kind === 'sign') };
  if (last.kind !== 'response') return last;
  const responses = all.filter((one) => one.kind === 'response');
  // Throttled repetitions say nothing if at least two others were heard.
  const heard = responses.filter((one) => !isThrottled(one));
  const shown = heard.length < 2 || expectsThrottling(step) ? last : (heard.at(-1) ?? last);
  return { ...shown, samples: responses.map(({ took }) => took), repetitions: responses };
}

/** Finds out whether accepted requests were dropped: approving them is impossible, or brings no tokens. */
export async function probeDropped(
  observation: ResponseObservation,
  step: string,
  ctx: CaseContext,
): Promise<ResponseObservation> {
  const { target } = ctx.services;
  const { summary } = observation;
  if (target.drivers['approve'] === undefined) {
    throw new Unmet(`${summary}; whether it was dropped cannot be seen without a driver for approve`);
  }
  const accepted = acceptedResponses(observation);
  for (const one of accepted) {
    ctx.state.traces.set(step, one);
    await driveAction({ action: 'approve', of: step, step }, ctx);
  }
  const until = afterSeconds(ctx.now(), deliveryWait('callback', target));
  const sent = observation.repetitions?.length ?? 1;
  const inboxes = ctx.state.inboxes.filter((one) => one.step === step).slice(-sent);
  const count = (): number => inboxes.filter(({ deliveries }) => deliveries.some(({ tokens }) => tokens)).length;
  await waitUntil({ inboxes, until, enough: () => count() >= accepted.length }, ctx);
  const completed = count();
  if (completed === 0) return { ...observation, dropped: true, completed };
  const tokens = completed === 1 ? 'tokens came' : `tokens came ${completed} times`;
  return { ...observation, dropped: false, completed, summary: `${summary}, and ${tokens}` };
}

/** Whether to probe an accepted response first: the step's request may have been dropped. */
export const needsProbe = (
  observation: Observation,
  step: Step,
  { services }: CaseWith<never, 'interface'>,
): observation is ResponseObservation =>
  observation.kind === 'response' &&
  findVerb(step.act, services.interface.verbs).makes.includes('request') &&
  mayBeDropped(step) &&
  acceptedResponses(observation).length > 0;
