import { pickItem, type Random, repeatByWeight, seededRandom } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { drawWithinRequests, type KeptParts, type Probe } from '../explore/exploration.ts';
import type { TargetAbilities } from './abilities.ts';
import { isSelfContained, type RequestPart } from './request-parts.ts';
import { joinDifferences } from './request-points.ts';
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

const pickOpenRequest = (session: ModelSession, { pick }: SequenceCommand): SessionRequest | undefined =>
  pickItemAt(
    session.requests.filter((one) => isSurelyOpen(session, one)),
    pick,
  );
const pickEndedRequest = (session: ModelSession, { pick }: SequenceCommand): SessionRequest | undefined =>
  pickItemAt(
    session.requests.filter(({ state }) => state !== 'pending'),
    pick,
  );
const pickRepeatableRequest = (session: ModelSession, { pick }: SequenceCommand): SessionRequest | undefined =>
  pickItemAt(
    session.requests.filter((one) => model.isRepeatable(session, one)),
    pick,
  );

const actOnRequest =
  (
    find: (session: ModelSession, command: SequenceCommand) => SessionRequest | undefined,
    act: (session: ModelSession, request: SessionRequest) => void,
  ): CommandAct =>
  (session, command) => {
    const request = find(session, command);
    if (request !== undefined) act(session, request);
  };

/** Most requests that may wait at the same time. */
const maxPendingRequests = 3;

const sendByClient =
  (client: string): CommandAct =>
  (session, { difference, life }) => {
    const waiting = session.requests.filter(({ state }) => state === 'pending').length;
    if (waiting >= (session.abilities.severalPending ? maxPendingRequests : 1)) return;
    if (client !== 'main' && !session.abilities.secondClient) return;
    const lived = joinDifferences(difference, { claims: { expires_in: life } }) ?? difference;
    model.addValidRequest(session, client === 'main' ? lived : { claims: { expires_in: life } }, { life, client });
  };

/** Commands by name, with their weights. */
const sequenceCommands: Readonly<Record<string, { readonly weight: number; readonly act: CommandAct }>> = {
  authorize: { weight: 9, act: sendByClient('main') },
  'authorize by another SP': { weight: 2, act: sendByClient('second') },
  approve: { weight: 5, act: actOnRequest(pickOpenRequest, model.addApproval) },
  deny: { weight: 3, act: actOnRequest(pickOpenRequest, model.addDenial) },
  cancel: {
    weight: 2,
    act: (session, command) => {
      const request = pickOpenRequest(session, command);
      if (request?.client === 'main' && session.abilities.cancel) model.addCancellation(session, request);
    },
  },
  'approve again': {
    weight: 2,
    act: actOnRequest(pickEndedRequest, (session, one) => model.addLateDecision(session, one, 'approve')),
  },
  'deny again': {
    weight: 1,
    act: actOnRequest(pickEndedRequest, (session, one) => model.addLateDecision(session, one, 'deny')),
  },
  'send again': {
    weight: 3,
    act: actOnRequest(pickRepeatableRequest, (session, one) => model.addRepetition(session, one, 'object')),
  },
  'use the jti again': {
    weight: 3,
    act: actOnRequest(pickRepeatableRequest, (session, one) => model.addRepetition(session, one, 'jti')),
  },
  wait: {
    weight: 4,
    act: (session, { seconds }) => {
      if (session.anchor === undefined || !session.abilities.wait) return;
      session.wait += seconds;
      const over = session.requests.filter((one) => isSurelyOver(session, one));
      advanceSession(session, seconds);
      for (const request of over) model.addTimeOut(session, request);
    },
  },
  deviate: {
    weight: 4,
    act: (session, { deviation }) => {
      if (deviation !== undefined) model.addDeviation(session, deviation);
    },
  },
  'rotate keys': {
    weight: 1,
    act: (session) => {
      if (session.abilities.rotateKeys) model.addKeyRotation(session);
    },
  },
  'move SIM': {
    weight: 1,
    act: (session) => {
      if (session.abilities.moveSim) model.addDeviceChange(session, 'move-sim');
    },
  },
  'swap SIM': {
    weight: 1,
    act: (session) => {
      if (session.abilities.moveSim && session.abilities.swapSim) model.addDeviceChange(session, 'swap-sim');
    },
  },
  'ask for the tenure': {
    weight: 2,
    act: (session) => {
      if (session.abilities.tenure) model.addTenureQuery(session);
    },
  },
  'set a flag': {
    weight: 2,
    act: (session, { pick }) => {
      const flag = pickItemAt(sessionFlags, pick);
      if (session.abilities.setFlag && flag !== undefined) model.addFlagChange(session, flag);
    },
  },
  'renew consent': {
    weight: 1,
    act: (session) => {
      if (session.abilities.consent && !session.requests.some(({ state }) => state === 'pending'))
        model.addConsentRenewal(session);
    },
  },
};

const weightedCommands = repeatByWeight(Object.entries(sequenceCommands).map(([name, { weight }]) => [name, weight]));
const waitSeconds = [1, 5, 20, 45, 59, 61, 100, 200, 290, 301, 330, 600, 3600, 4500, 86_400];
const requestLives = [60, 90, 120, 180, 300, 300, 300, 600];

/** Draws some conforming values, but no client, life or jti. */
function drawDifference(parts: readonly RequestPart[], random: Random): JsonObject {
  const chosen = random
    .shuffled(parts.filter(({ id }) => id !== 'client and key' && id !== 'claims.expires_in' && id !== 'claims.jti'))
    .slice(0, random.below(4));
  return chosen.reduce<JsonObject>((all, { values }) => {
    const value = pickItem(values.filter(isSelfContained), random);
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
  { kept, prefix, abilities }: { kept: KeptParts; prefix: string; abilities: TargetAbilities },
) {
  const session = openSession(prefix, abilities);
  for (const [at, command] of sequence.entries()) {
    if (kept[at] === true) sequenceCommands[command.name]?.act(session, command);
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
  at: number,
  { length, waits = false }: { readonly length: number; readonly waits?: boolean },
  { random, ground }: { readonly random: Random; readonly ground: SequenceGround },
): Probe {
  const sequence = Array.from(
    { length },
    (_, place): SequenceCommand => drawCommand(ground, random, waits && place % 2 === 1 ? 'wait' : undefined),
  );
  return {
    kind: 'sequences',
    base: `sequence ${at}`,
    rules: [],
    title: (kept) => {
      const names = sequence.filter((_one, place) => kept[place] === true).map(describeCommand);
      return `What must hold holds after each of ${names.length} commands: ${names.slice(0, 12).join(', ')}`;
    },
    setting: () => ({ exclusive: true }),
    parts: sequence.map(describeCommand),
    steps: (kept, prefix) => sequenceSteps(sequence, { kept, prefix, abilities: ground.abilities }),
    alone: true,
    requests: Math.max(1, sequence.filter(({ name }) => sendingCommands.has(name)).length),
  };
}

/** Sequences of 5 to 40 commands: after each, the model says what must hold (§3). */
export function sequenceProbes(seed: string, requests: number, ground: SequenceGround): readonly Probe[] {
  const random = seededRandom(`${seed} sequences`);
  return drawWithinRequests(requests, (at) =>
    drawSequenceProbe(at, { length: 5 + random.below(at % 2 === 0 ? 12 : 36) }, { random, ground }),
  );
}
