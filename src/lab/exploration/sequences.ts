import { pickItem, type Random, repeatByWeight, seededRandom } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { drawWithinRequests, type KeptParts, type Probe } from '../explore/exploration.ts';
import type { TargetAbilities } from '../requests/abilities.ts';
import type { RequestPart } from '../requests/request-parts.ts';
import { joinDifferences } from '../requests/request-points.ts';
import * as model from './session.ts';
import {
  advanceSession,
  type Deviation,
  isSurelyOpen,
  isSurelyOver,
  type ModelSession,
  openSession,
  type SessionRequest,
  sessionFlags,
} from './session.ts';

/** Command with its drawn choices, whose meaning depends on the state that it meets. */
interface SequenceCommand {
  readonly name: string;
  readonly pick: number;
  readonly difference: JsonObject;
  readonly life: number;
  readonly seconds: number;
  readonly deviation: Deviation | undefined;
}

export interface SequenceGround {
  readonly abilities: TargetAbilities;
  readonly deviations: readonly Deviation[];
  readonly parts: readonly RequestPart[];
}

type CommandAct = (session: ModelSession, command: SequenceCommand) => void;

const pickItemAt = <T>(items: readonly T[], pick: number): T | undefined => items[pick % Math.max(1, items.length)];

/** Acts on one of the requests in a state; does nothing without one. */
const on =
  (
    fits: (session: ModelSession, request: SessionRequest) => boolean,
    act: (session: ModelSession, request: SessionRequest) => void,
  ): CommandAct =>
  (session, { pick }) => {
    const able = session.requests.filter((one) => fits(session, one));
    const request = pickItemAt(able, pick);
    if (request !== undefined) act(session, request);
  };

const isEnded = (_: ModelSession, { state }: SessionRequest): boolean => state !== 'pending';
const isOpenOfMain = (session: ModelSession, request: SessionRequest): boolean =>
  request.client === 'main' && isSurelyOpen(session, request);

/** Most requests that may wait at the same time. */
const maxPendingRequests = 3;

const sendBy =
  (client: string): CommandAct =>
  (session, { difference, life }) => {
    const waiting = session.requests.filter(({ state }) => state === 'pending').length;
    if (waiting >= (session.abilities.severalPending ? maxPendingRequests : 1)) return;
    const lived = { claims: { expires_in: life } };
    const own = client === 'main' ? (joinDifferences(difference, lived) ?? difference) : lived;
    model.addValidRequest(session, own, { life, client });
  };

function waitSome(session: ModelSession, { seconds }: SequenceCommand): void {
  if (session.anchor === undefined) return;
  session.wait += seconds;
  const over = session.requests.filter((one) => isSurelyOver(session, one));
  advanceSession(session, seconds);
  for (const request of over) model.addTimeOut(session, request);
}

function renewConsent(session: ModelSession): void {
  if (session.requests.every(({ state }) => state !== 'pending')) model.addConsentRenewal(session);
}

/** Commands by name, with their weights, and the ability that each needs. */
const sequenceCommands: Readonly<
  Record<string, readonly [weight: number, act: CommandAct, need?: Exclude<keyof TargetAbilities, 'latency'>]>
> = {
  authorize: [9, sendBy('main')],
  'authorize by another SP': [2, sendBy('second'), 'secondClient'],
  approve: [5, on(isSurelyOpen, model.addApproval), 'approve'],
  deny: [3, on(isSurelyOpen, model.addDenial), 'deny'],
  cancel: [2, on(isOpenOfMain, model.addCancellation), 'cancel'],
  'approve again': [2, on(isEnded, (session, one) => model.addLateDecision(session, one, 'approve')), 'approve'],
  'deny again': [1, on(isEnded, (session, one) => model.addLateDecision(session, one, 'deny')), 'deny'],
  'send again': [3, on(model.isRepeatable, (session, one) => model.addRepetition(session, one, 'object'))],
  'use the jti again': [3, on(model.isRepeatable, (session, one) => model.addRepetition(session, one, 'jti'))],
  wait: [4, waitSome, 'wait'],
  deviate: [4, (session, { deviation }) => deviation && model.addDeviation(session, deviation)],
  'rotate keys': [1, model.addKeyRotation, 'rotateKeys'],
  'move SIM': [1, (session) => model.addDeviceChange(session, 'move-sim'), 'moveSim'],
  'swap SIM': [1, (session) => model.addDeviceChange(session, 'swap-sim'), 'swapSim'],
  'ask for the tenure': [2, model.addTenureQuery, 'tenure'],
  'set a flag': [
    2,
    (session, { pick }) => model.addFlagChange(session, pickItemAt(sessionFlags, pick) ?? 'usertraits_enabled'),
    'setFlag',
  ],
  'renew consent': [1, renewConsent, 'consent'],
};

const weightedCommands = repeatByWeight(Object.entries(sequenceCommands).map(([name, [weight]]) => [name, weight]));
const waitSeconds = [1, 5, 20, 45, 59, 61, 100, 200, 290, 301, 330, 600, 3600, 4500, 86_400];
const requestLives = [60, 90, 120, 180, 300, 300, 300, 600];

/** Draws some conforming values, but no client, life or jti. */
function drawDifference(parts: readonly RequestPart[], random: Random): JsonObject {
  const chosen = random
    .shuffled(parts.filter(({ id }) => id !== 'claims.expires_in' && id !== 'claims.jti'))
    .slice(0, random.below(4));
  return chosen.reduce<JsonObject>((all, { values }) => {
    const value = pickItem(values, random);
    return joinDifferences(all, value?.difference ?? {}) ?? all;
  }, {});
}

function drawCommand({ parts, deviations }: SequenceGround, random: Random, name = pickItem(weightedCommands, random)) {
  return {
    name: name ?? 'authorize',
    pick: random.below(64),
    difference: drawDifference(parts, random),
    life: pickItem(requestLives, random) ?? 300,
    seconds: random.below(2) === 0 ? 1 + random.below(4000) : (pickItem(waitSeconds, random) ?? 5),
    deviation: pickItem(deviations, random),
  };
}

function sequenceSteps(
  sequence: readonly SequenceCommand[],
  { kept, abilities }: { kept: KeptParts; abilities: TargetAbilities },
) {
  const session = openSession(abilities);
  for (const [at, command] of sequence.entries()) {
    const [, act, need] = sequenceCommands[command.name] ?? [];
    if (kept[at] === true && (need === undefined || abilities[need])) act?.(session, command);
  }
  return session.steps.length === 0 ? undefined : session.steps;
}

const sendingCommands: ReadonlySet<string> = new Set([
  'authorize',
  'authorize by another SP',
  'send again',
  'use the jti again',
  'deviate',
]);

const describeCommand = ({ name, seconds }: SequenceCommand): string => (name === 'wait' ? `wait ${seconds} s` : name);

/** Probe of commands; with `waits`, every other one is a wait. */
export function drawSequenceProbe(
  { length, waits = false }: { readonly length: number; readonly waits?: boolean },
  { random, ground }: { readonly random: Random; readonly ground: SequenceGround },
): Probe {
  const sequence = Array.from(
    { length },
    (_, place): SequenceCommand => drawCommand(ground, random, waits && place % 2 === 1 ? 'wait' : undefined),
  );
  return {
    kind: 'sequences',
    title: (kept) => {
      const names = sequence.filter((_one, place) => kept[place] === true).map(describeCommand);
      return `What must hold holds after each of ${names.length} commands: ${names.slice(0, 12).join(', ')}`;
    },
    setting: { exclusive: true },
    parts: sequence.map(describeCommand),
    steps: (kept) => sequenceSteps(sequence, { kept, abilities: ground.abilities }),
    requests: Math.max(1, sequence.filter(({ name }) => sendingCommands.has(name)).length),
  };
}

/** Sequences of 5 to 40 commands: after each, the model says what must hold (§3). */
export function sequenceProbes(seed: string, requests: number, ground: SequenceGround): readonly Probe[] {
  const random = seededRandom(`${seed} sequences`);
  return drawWithinRequests(requests, (at) =>
    drawSequenceProbe({ length: 5 + random.below(at % 2 === 0 ? 12 : 36) }, { random, ground }),
  );
}
