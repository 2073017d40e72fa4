import { abridgeJson } from '../../wire/record/recorder.ts';
import type { Observation } from '../../judge/observation.ts';
import type { Step } from '../../suite/suites.ts';
import { MissingValue, type Moment } from '../../model/suite.ts';
import { type CaseContext, type RunServices, Unmet } from '../context/case-context.ts';
import { judgeStep } from './judge-step.ts';
import { needsProbe, performAll, probeDrop, lateness } from './repeat.ts';
import { denyPending } from '../drive/drive.ts';
import { verbOf } from './verb.ts';

/** A target that names so many cases of a subscriber, or fewer, says that few of its requests may wait. */
const fewCases = 4;
/** Requests that may wait then beside those of later steps. */
const few = 3;

/** How many requests may wait that no later step is about. */
function roomOf({ target, interface: { severalPending: word } }: RunServices): number {
  if (target.supports[word] === false) return 0;
  return (target.casesPerSubscriber ?? Infinity) <= fewCases ? few : Infinity;
}

/** Denies the oldest requests that no later step is about, where a subscriber can have only a few waiting. */
async function makeRoom(step: Step, ctx: CaseContext): Promise<void> {
  const room = roomOf(ctx.world);
  if (room === Infinity || !verbOf(step.act, ctx.world.interface.verbs).makes.includes('request')) return;
  const { steps } = ctx.case;
  const later = steps.slice(steps.findIndex(({ name }) => name === step.name));
  const kept = new Set(later.flatMap(({ act }) => ('of' in act && typeof act.of === 'string' ? act.of : [])));
  await denyPending(ctx, { kept, room });
}

/** The step may have had to wait for its turn to send, for a carrier that throttles, or for results that did not come. */
function requireInTime({ at, by, name, times }: Step, observation: Observation, ctx: CaseContext): void {
  // A wait for deliveries goes out nowhere.
  if ((times ?? 1) > 1 || observation.kind === 'await' || observation.kind === 'events') return;
  const { sentAt } = observation;
  const secondsAfter = (moment: Moment | undefined): number =>
    moment === undefined ? 0 : sentAt - moment.evaluate(ctx.scope());
  // What an action does may take effect later than its moment.
  const late = observation.kind === 'response' ? secondsAfter(at) : 0;
  if (late > lateness) {
    const why = ctx.world.target.rateLimit === undefined ? '--jobs requests were under way' : 'of the rate limit';
    throw new Unmet(`step ${name} went out ${late.toFixed(1)} s late, because ${why}`);
  }
  const tooLate = secondsAfter(by);
  if (tooLate > 0) throw new Unmet(`step ${name} went out ${tooLate.toFixed(1)} s after the last moment for it`);
}

function recordValues({ record }: Step, ctx: CaseContext): void {
  for (const [name, template] of record) {
    try {
      ctx.state.recorded[name] = abridgeJson(ctx.redactor.json(template.evaluate(ctx.scope())));
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      ctx.state.recorded[name] = null;
    }
  }
}

/** One step: waits for its moment, acts, judges. Throws Unmet where the case can no longer mean anything. */
export async function runStep(step: Step, ctx: CaseContext): Promise<void> {
  const { at, name } = step;
  if (at !== undefined) {
    const due = at.evaluate(ctx.scope()) * 1000;
    if (due > ctx.now()) await ctx.wait({ due, for: name });
    const late = (ctx.now() - due) / 1000;
    if (late > lateness) throw new Unmet(`step ${name} was due ${late.toFixed(1)} s before it could begin`);
  }
  await makeRoom(step, ctx);
  let observation = await performAll(step, ctx);
  requireInTime(step, observation, ctx);
  if (needsProbe(observation, step, ctx)) observation = await probeDrop(observation, name, ctx);
  ctx.state.traces.set(name, observation);
  judgeStep(step, observation, ctx);
  recordValues(step, ctx);
}
