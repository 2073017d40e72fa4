import { mismatchesOf } from '../../judge/invariants.ts';
import { excuseByLag } from '../../judge/lag.ts';
import type { Mismatch } from '../../judge/mismatch.ts';
import type { AnswerSeen, Said, Seen } from '../../judge/observation.ts';
import { asFindings } from '../../judge/rule-book.ts';
import type { Finding } from '../../model/finding.ts';
import { isJsonObject } from '../../model/json.ts';
import type { Act, Expectation, Step } from '../../model/suite.ts';
import { MissingValue } from '../../model/template.ts';
import { authorize } from './act-authorize.ts';
import { awaitCallback } from './act-await.ts';
import { awaitEvents } from './act-await-events.ts';
import { http } from './act-http.ts';
import { signJwt } from './act-sign.ts';
import { look } from './act-look.ts';
import { trigger } from './act-trigger.ts';
import { askTrait } from './act-usertrait.ts';
import { type CaseRoom, Unmet } from '../world/case-room.ts';
import { mayBeDropped, probeDrop, repeat } from './repeat.ts';
import { createScope } from '../world/scope.ts';
import { redactFinding } from '../world/sighting.ts';
import type { World } from '../world/world.ts';

/** Seconds a step may begin late before what it observes means nothing. */
const lateness = 2;

async function waitForMoment(step: Step, room: CaseRoom, world: World): Promise<void> {
  if (step.at === undefined) return;
  const due = step.at.evaluate(createScope(room, world)) * 1000;
  const { timeline } = world;
  if (due > timeline.now()) await timeline.park({ due, label: { case: room.case.id, for: step.name } });
  const late = (timeline.now() - due) / 1000;
  if (late > lateness) throw new Unmet(`step ${step.name} was due ${late.toFixed(1)} s before it could begin`);
}

/** It may have had to wait for its turn: only so many requests are under way at a time, and so many a second. */
function requireInTime({ at, name, times }: Step, seen: Seen, room: CaseRoom, world: World): void {
  if (at === undefined || (times ?? 1) > 1 || seen.kind !== 'answer') return;
  const late = seen.sentAt - at.evaluate(createScope(room, world));
  if (late <= lateness) return;
  const why = world.target.rateLimit === undefined ? '--jobs requests were under way' : 'of the rate limit';
  throw new Unmet(`step ${name} went out ${late.toFixed(1)} s late, because ${why}`);
}

function perform(act: Act, step: Step, room: CaseRoom, world: World): Promise<Seen> {
  switch (act.verb) {
    case 'authorize':
      return authorize(act.difference, step, room, world);
    case 'await':
      return act.what === 'callback' ? awaitCallback(act, step, room, world) : awaitEvents(act, step, room, world);
    case 'sign':
      return signJwt(act, step, room, world);
    case 'usertrait':
      return askTrait(act.difference, step, room, world);
    case 'trigger':
      return trigger(act, step, room, world);
    case 'look':
      return look(act, step, room, world);
    case 'http':
      return http(act.request, step, room, world);
  }
}

/** What a step must be for the case to go on, where it says nothing itself. */
function standsAlone(seen: Seen): boolean {
  if (seen.kind === 'answer') return seen.outcome === 'accepted';
  return seen.kind === 'await' || seen.kind === 'events' ? seen.count > 0 : true;
}

/** A carrier that cannot be reached says nothing about any rule. */
const unreachable: ReadonlySet<string> = new Set(['refused', 'unresolved', 'tls']);

/** Where somebody looked, what they say is what was seen. */
const judgeSaid = ({ holds, words, answer }: Said): readonly Mismatch[] =>
  holds ? [] : [{ code: 'not-seen', path: 'card', expected: words, actual: answer }];

function judgeEntry(expectation: Expectation, seen: Seen, step: Step, room: CaseRoom, world: World): Finding[] {
  const scope = createScope(room, world);
  const place = {
    step: step.name,
    position: expectation.position,
    ...(seen.message === undefined ? {} : { message: seen.message }),
  };
  const said = seen.kind === 'look' ? seen.said?.[step.expectations.indexOf(expectation)] : undefined;
  const mismatches = said === undefined ? mismatchesOf(expectation, seen, scope, world.checks) : judgeSaid(said);
  return mismatches
    .flatMap((mismatch) => asFindings(mismatch, expectation.rules, place, world.rules))
    .map((finding) => redactFinding(finding, room));
}

const saysHowMany = ({ outcome, count }: Expectation): boolean => outcome !== undefined || count !== undefined;

/** It speaks of what a callback holds, and none came: that says nothing, neither for nor against the carrier. */
function lacksMessage(expectation: Expectation, seen: Seen): boolean {
  return (seen.kind === 'await' || seen.kind === 'events') && seen.count === 0 && !saysHowMany(expectation);
}

/** RFC 6585 §4, and the code that RFC 6749 §4.1.2.1 has for a server under load. */
const isThrottled = ({ status, body }: AnswerSeen): boolean =>
  status === 429 || (isJsonObject(body) && body['error'] === 'temporarily_unavailable');

const expectsThrottling = (step: Step): boolean =>
  step.expectations.some(({ status }) => status?.includes(429) === true);

function judgeStep(step: Step, seen: Seen, room: CaseRoom, world: World): void {
  if (seen.kind === 'answer' && seen.noAnswer !== undefined && unreachable.has(seen.noAnswer)) {
    throw new Unmet(`step ${step.name}: ${seen.summary}`);
  }
  if (seen.kind === 'answer' && isThrottled(seen) && !expectsThrottling(step)) {
    throw new Unmet(
      `step ${step.name}: the carrier throttled it (${seen.summary}), so it says nothing about the request`,
    );
  }
  const voiceless = step.expectations.filter((expectation) => lacksMessage(expectation, seen));
  const spoken = step.expectations.filter((expectation) => !voiceless.includes(expectation));
  const excuses = spoken.flatMap((expectation) => excuseByLag(expectation, seen) ?? []);
  const found = spoken.flatMap((given) => judgeEntry(excuseByLag(given, seen)?.rest ?? given, seen, step, room, world));
  if (step.control) {
    const holds = step.expectations.length === 0 ? standsAlone(seen) : found.length + voiceless.length === 0;
    for (const { reason } of excuses) throw new Unmet(`control ${step.name}: ${reason}`);
    if (!holds) throw new Unmet(`control ${step.name} did not succeed: ${seen.summary}`);
    return;
  }
  room.findings.push(...found);
  for (const { reason } of excuses) throw new Unmet(`step ${step.name}: ${reason}`);
  const awaited = seen.kind === 'events' || (seen.kind === 'await' && seen.sent.outcome === 'accepted');
  if (voiceless.length > 0 && awaited) {
    throw new Unmet(`step ${step.name}: ${seen.summary}, so there is nothing to judge`);
  }
}

function recordValues(step: Step, room: CaseRoom, world: World): void {
  for (const [name, template] of step.record) {
    try {
      room.recorded[name] = room.redactor.json(template.evaluate(createScope(room, world)));
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      room.recorded[name] = null;
    }
  }
}

const isAccepted = ({ outcome, repetitions }: AnswerSeen): boolean =>
  outcome === 'accepted' || repetitions?.some((one) => one.outcome === 'accepted') === true;

/** One step: waits for its moment, acts, judges. Throws Unmet where the case can no longer mean anything. */
export async function runStep(step: Step, room: CaseRoom, world: World): Promise<void> {
  await waitForMoment(step, room, world);
  if (step.act.verb === 'authorize') room.lastAuthorize = step.name;
  let seen = await repeat(step, () => perform(step.act, step, room, world));
  requireInTime(step, seen, room, world);
  if (seen.kind === 'answer' && isAccepted(seen) && mayBeDropped(step)) {
    seen = await probeDrop(seen, step, room, world);
  }
  room.traces.set(step.name, seen);
  judgeStep(step, seen, room, world);
  recordValues(step, room, world);
}
