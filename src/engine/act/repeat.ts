import { createHash } from 'node:crypto';
import { acceptedOf, type ResponseObservation, type Observation } from '../../judge/observation.ts';
import { isThrottled } from '../../judge/throttled.ts';
import type { Step } from '../../suite/suites.ts';
import { usualWait } from '../../model/declared.ts';
import { allAtOnce, type Timeline } from '../clock/timeline.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { verbOf } from './verb.ts';
import { drive } from '../drive/drive.ts';
import { mayBeDropped } from '../context/walk.ts';
import { waitFor } from './await.ts';
import { expectsThrottling } from './send-again.ts';

type Perform = (step: Step, ctx: CaseContext) => Promise<Observation>;
type PerformOne = (step: Step) => Promise<Observation>;

/** How long a response took that is about its request. */
const tookOf = (observation: Observation): readonly number[] =>
  observation.kind === 'response' && !isThrottled(observation) ? [observation.took] : [];

/** Two exchanges in turn, which of them first is by lot: the same in every run, and another for each case. What comes first of each may pay for what was cold, and is left out. */
async function interleave(
  step: Step,
  other: Step,
  { perform, coin }: { readonly perform: PerformOne; readonly coin: () => boolean },
): Promise<Observation> {
  const times: [number[], number[]] = [[], []];
  // The other step had its moment.
  const { at: _, ...repeated } = other;
  let last: Observation | undefined;
  for (let time = 0; time <= (step.times ?? 1); time += 1) {
    for (const own of coin() ? [true, false] : [false, true]) {
      const observation = await perform(own ? step : repeated);
      if (time > 0) times[own ? 0 : 1].push(...tookOf(observation));
      if (own) last = observation;
    }
  }
  if (last === undefined) throw new TypeError('a step is done at least once');
  return last.kind === 'response'
    ? { ...last, samples: times[0], beside: { step: other.name, samples: times[1] } }
    : last;
}

/** Carries a step out as often as it says, and with it the step that it is interleaved with. */
export function performAll(step: Step, perform: Perform, ctx: CaseContext): Promise<Observation> {
  const { id, steps } = ctx.case;
  const other = steps.find(({ name }) => name === step.interleave);
  if (other === undefined) {
    const performOne = (time: number): Promise<Observation> =>
      perform(step, step.times === undefined ? ctx : ctx.during(time));
    return repeat(step, performOne, ctx.world.timeline);
  }
  let thrown = 0;
  const coin = (): boolean => {
    thrown += 1;
    return (createHash('sha256').update(`${id} ${step.name} ${thrown}`).digest()[0] ?? 0) % 2 === 0;
  };
  return interleave(step, other, { perform: (one) => perform(one, ctx), coin });
}

/** Repetitions that the carrier throttled say nothing where others, two at least, were heard. */
function shownOf(
  responses: readonly ResponseObservation[],
  step: Step,
  last: ResponseObservation,
): ResponseObservation {
  const heard = responses.filter((one) => !isThrottled(one));
  return heard.length < 2 || expectsThrottling(step) ? last : (heard.at(-1) ?? last);
}

/** A step's exchange as often as it says, one after the other or all at once; what is seen is the last that was heard, with all of them. */
async function repeat(
  step: Step,
  perform: (time: number) => Promise<Observation>,
  timeline: Timeline,
): Promise<Observation> {
  const { times = 1, together } = step;
  const all: Observation[] = [];
  if (together === true) {
    const tasks = Array.from({ length: times }, (_, time) => () => perform(time));
    all.push(...(await allAtOnce(timeline, tasks)));
  } else for (let time = 0; time < times; time += 1) all.push(await perform(time));
  const last = all.at(-1);
  if (last === undefined) throw new TypeError('a step is done at least once');
  if (last.kind === 'sign') return { ...last, repetitions: all.filter((one) => one.kind === 'sign') };
  if (last.kind !== 'response') return last;
  const responses = all.filter((one) => one.kind === 'response');
  return { ...shownOf(responses, step, last), samples: responses.map(({ took }) => took), repetitions: responses };
}

const describeTokens = (completed: number): string =>
  completed === 0 ? '' : completed === 1 ? ', and tokens came' : `, and tokens came ${completed} times`;

/**
 * An accepted request may have been dropped. It was, if it cannot be approved, or approving brings no tokens. Of
 * repetitions every one that was accepted is approved.
 */
export async function probeDrop(
  observation: ResponseObservation,
  step: string,
  ctx: CaseContext,
): Promise<ResponseObservation> {
  const { target } = ctx.world;
  const { summary } = observation;
  if (target.drivers['approve'] === undefined) {
    throw new Unmet(`${summary}; whether it was dropped cannot be seen without a driver for approve`);
  }
  const accepted = acceptedOf(observation);
  for (const one of accepted) {
    ctx.state.traces.set(step, one);
    await drive({ action: 'approve', of: step, step }, ctx);
  }
  const until = ctx.now() + usualWait('callback', target) * 1000;
  const sent = observation.repetitions?.length ?? 1;
  const inboxes = ctx.state.inboxes.filter((one) => one.step === step).slice(-sent);
  const count = (): number => inboxes.filter(({ deliveries }) => deliveries.some(({ tokens }) => tokens)).length;
  await waitFor({ inboxes, until, enough: () => count() >= accepted.length }, ctx);
  const completed = count();
  return { ...observation, dropped: completed === 0, completed, summary: `${summary}${describeTokens(completed)}` };
}

/** An accepted response of a step whose request may be dropped shows nothing before that is known. */
export const needsProbe = (
  observation: Observation,
  step: Step,
  { world }: CaseContext,
): observation is ResponseObservation =>
  observation.kind === 'response' &&
  verbOf(step.act, world.interface.verbs).makes.includes('request') &&
  mayBeDropped(step) &&
  acceptedOf(observation).length > 0;
