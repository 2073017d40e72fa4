import { mismatchesOf } from '../../judge/invariants.ts';
import { excuseByLag } from '../../judge/lag.ts';
import type { Mismatch } from '../../judge/mismatch.ts';
import type { ResponseObservation, Said, Observation } from '../../judge/observation.ts';
import { asFindings } from '../../judge/rule-book.ts';
import type { Finding } from '../../model/finding.ts';
import { isJsonObject } from '../../model/json.ts';
import { MissingValue } from '../../model/template.ts';
import { authorize } from './act-authorize.ts';
import { awaitCallback } from './act-await.ts';
import { awaitEvents } from './act-await-events.ts';
import { http } from './act-http.ts';
import { signJwt } from './act-sign.ts';
import { look } from './act-look.ts';
import { trigger } from './act-trigger.ts';
import { askTrait } from './act-usertrait.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import { mayBeDropped, probeDrop, repeat } from './repeat.ts';
import { createScope } from '../world/scope.ts';
import { redactFinding } from '../world/sighting.ts';
import type { World } from '../world/world.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { Expectation } from '../../suite/expectations/expectation.ts';
import type { Step } from '../../suite/suites.ts';

/** Seconds a step may begin late before what it observes means nothing. */
const lateness = 2;

async function waitForMoment(step: Step, ctx: CaseContext, world: World): Promise<void> {
  if (step.at === undefined) return;
  const due = step.at.evaluate(createScope(ctx, world)) * 1000;
  const { timeline } = world;
  if (due > timeline.now()) await timeline.park({ due, label: { case: ctx.case.id, for: step.name } });
  const late = (timeline.now() - due) / 1000;
  if (late > lateness) throw new Unmet(`step ${step.name} was due ${late.toFixed(1)} s before it could begin`);
}

/** It may have had to wait for its turn: only so many requests are under way at a time, and so many a second. */
function requireInTime({ at, name, times }: Step, observation: Observation, ctx: CaseContext, world: World): void {
  if (at === undefined || (times ?? 1) > 1 || observation.kind !== 'response') return;
  const late = observation.sentAt - at.evaluate(createScope(ctx, world));
  if (late <= lateness) return;
  const why = world.target.rateLimit === undefined ? '--jobs requests were under way' : 'of the rate limit';
  throw new Unmet(`step ${name} went out ${late.toFixed(1)} s late, because ${why}`);
}

function perform(act: Act, step: Step, ctx: CaseContext, world: World): Promise<Observation> {
  switch (act.verb) {
    case 'authorize':
      return authorize(act.difference, step, ctx, world);
    case 'await':
      return act.what === 'callback' ? awaitCallback(act, step, ctx, world) : awaitEvents(act, step, ctx, world);
    case 'sign':
      return signJwt(act, step, ctx, world);
    case 'usertrait':
      return askTrait(act.difference, step, ctx, world);
    case 'trigger':
      return trigger(act, step, ctx, world);
    case 'look':
      return look(act, step, ctx, world);
    case 'http':
      return http(act.request, step, ctx, world);
  }
}

/** What a step must be for the case to go on, where it says nothing itself. */
function standsAlone(observation: Observation): boolean {
  if (observation.kind === 'response') return observation.outcome === 'accepted';
  return observation.kind === 'await' || observation.kind === 'events' ? observation.count > 0 : true;
}

/** A carrier that cannot be reached says nothing about any rule. */
const unreachable: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

/** Where somebody looked, what they say is what was seen. */
const judgeSaid = ({ holds, words, answer: actual }: Said): readonly Mismatch[] =>
  holds ? [] : [{ code: 'not-seen', path: 'card', expected: words, actual }];

function judgeEntry(
  expectation: Expectation,
  observation: Observation,
  step: Step,
  ctx: CaseContext,
  world: World,
): Finding[] {
  const scope = createScope(ctx, world);
  const place = {
    step: step.name,
    position: expectation.position,
    ...(observation.message === undefined ? {} : { message: observation.message }),
  };
  const said = observation.kind === 'look' ? observation.said?.[step.expectations.indexOf(expectation)] : undefined;
  const mismatches = said === undefined ? mismatchesOf(expectation, observation, scope, world.checks) : judgeSaid(said);
  return mismatches
    .flatMap((mismatch) => asFindings(mismatch, expectation.rules, place, world.rules))
    .map((finding) => redactFinding(finding, ctx));
}

const saysHowMany = ({ outcome, count }: Expectation): boolean => outcome !== undefined || count !== undefined;

/** It speaks of what a callback holds, and none came: that says nothing, neither for nor against the carrier. */
function lacksMessage(expectation: Expectation, observation: Observation): boolean {
  return (
    (observation.kind === 'await' || observation.kind === 'events') &&
    observation.count === 0 &&
    !saysHowMany(expectation)
  );
}

/** RFC 6585 §4, and the code that RFC 6749 §4.1.2.1 has for a server under load. */
const isThrottled = ({ status, body }: ResponseObservation): boolean =>
  status === 429 || (isJsonObject(body) && body['error'] === 'temporarily_unavailable');

const expectsThrottling = (step: Step): boolean =>
  step.expectations.some(({ status }) => status?.includes(429) === true);

function judgeStep(step: Step, observation: Observation, ctx: CaseContext, world: World): void {
  if (
    observation.kind === 'response' &&
    observation.noResponse !== undefined &&
    unreachable.has(observation.noResponse)
  ) {
    throw new Unmet(`step ${step.name}: ${observation.summary}`);
  }
  if (observation.kind === 'response' && isThrottled(observation) && !expectsThrottling(step)) {
    throw new Unmet(
      `step ${step.name}: the carrier throttled it (${observation.summary}), so it says nothing about the request`,
    );
  }
  const voiceless = step.expectations.filter((expectation) => lacksMessage(expectation, observation));
  const spoken = step.expectations.filter((expectation) => !voiceless.includes(expectation));
  const excuses = spoken.flatMap((expectation) => excuseByLag(expectation, observation) ?? []);
  const found = spoken.flatMap((given) =>
    judgeEntry(excuseByLag(given, observation)?.rest ?? given, observation, step, ctx, world),
  );
  if (step.control) {
    const holds = step.expectations.length === 0 ? standsAlone(observation) : found.length + voiceless.length === 0;
    for (const { reason } of excuses) throw new Unmet(`control ${step.name}: ${reason}`);
    if (!holds) throw new Unmet(`control ${step.name} did not succeed: ${observation.summary}`);
    return;
  }
  ctx.findings.push(...found);
  for (const { reason } of excuses) throw new Unmet(`step ${step.name}: ${reason}`);
  const awaited =
    observation.kind === 'events' || (observation.kind === 'await' && observation.sent.outcome === 'accepted');
  if (voiceless.length > 0 && awaited) {
    throw new Unmet(`step ${step.name}: ${observation.summary}, so there is nothing to judge`);
  }
}

function recordValues(step: Step, ctx: CaseContext, world: World): void {
  for (const [name, template] of step.record) {
    try {
      ctx.recorded[name] = ctx.redactor.json(template.evaluate(createScope(ctx, world)));
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      ctx.recorded[name] = null;
    }
  }
}

const isAccepted = ({ outcome, repetitions }: ResponseObservation): boolean =>
  outcome === 'accepted' || repetitions?.some((one) => one.outcome === 'accepted') === true;

/** One step: waits for its moment, acts, judges. Throws Unmet where the case can no longer mean anything. */
export async function runStep(step: Step, ctx: CaseContext, world: World): Promise<void> {
  await waitForMoment(step, ctx, world);
  if (step.act.verb === 'authorize') ctx.lastAuthorize = step.name;
  let observation = await repeat(step, () => perform(step.act, step, ctx, world));
  requireInTime(step, observation, ctx, world);
  if (observation.kind === 'response' && isAccepted(observation) && mayBeDropped(step)) {
    observation = await probeDrop(observation, step, ctx, world);
  }
  ctx.traces.set(step.name, observation);
  judgeStep(step, observation, ctx, world);
  recordValues(step, ctx, world);
}
