import type { Kept, Probe } from '../../../explore/exploration.ts';
import { pick, type Random, randomOf, weighted } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Abilities } from './abilities.ts';
import { joined } from './points.ts';
import { type Part, standsAlone } from './parts.ts';
import type { Deviation, RowGround } from './rows.ts';
import * as model from './session.ts';
import { isOpen, isOver, openSession, pass, type Request, type Session } from './session.ts';

/** Command with its drawn choices, whose meaning depends on the state that it meets. */
interface Command {
  readonly name: string;
  readonly pick: number;
  readonly difference: JsonObject;
  readonly life: number;
  readonly seconds: number;
  readonly deviation: Deviation | undefined;
}

interface SequenceGround extends RowGround {
  readonly parts: readonly Part[];
}

type Act = (session: Session, command: Command) => void;

const oneOf = (requests: readonly Request[], pick: number): Request | undefined =>
  requests[pick % Math.max(1, requests.length)];

const open = (session: Session, { pick }: Command): Request | undefined =>
  oneOf(
    session.requests.filter((one) => isOpen(session, one)),
    pick,
  );
const ended = (session: Session, { pick }: Command): Request | undefined =>
  oneOf(
    session.requests.filter(({ state }) => state !== 'pending'),
    pick,
  );
const repeatable = (session: Session, { pick }: Command): Request | undefined =>
  oneOf(
    session.requests.filter((one) => model.mayRepeat(session, one)),
    pick,
  );

const when =
  (
    find: (session: Session, command: Command) => Request | undefined,
    act: (session: Session, request: Request) => void,
  ): Act =>
  (session, command) => {
    const request = find(session, command);
    if (request !== undefined) act(session, request);
  };

/** Most requests that may wait at the same time. */
const mostPending = 3;

const send =
  (client: string): Act =>
  (session, { difference, life }) => {
    const waiting = session.requests.filter(({ state }) => state === 'pending').length;
    if (waiting >= (session.abilities.severalPending ? mostPending : 1)) return;
    if (client !== 'main' && !session.abilities.secondClient) return;
    const lived = joined(difference, { claims: { expires_in: life } }) ?? difference;
    model.authorize(session, client === 'main' ? lived : { claims: { expires_in: life } }, { life, client });
  };

/** Commands by name, with their weights. */
const commands: Readonly<Record<string, { readonly weight: number; readonly act: Act }>> = {
  authorize: { weight: 9, act: send('main') },
  'authorize by another SP': { weight: 2, act: send('second') },
  approve: { weight: 5, act: when(open, model.approve) },
  deny: { weight: 3, act: when(open, model.deny) },
  cancel: {
    weight: 2,
    act: (session, command) => {
      const request = open(session, command);
      if (request?.client === 'main' && session.abilities.cancel) model.cancel(session, request);
    },
  },
  'approve again': { weight: 2, act: when(ended, (session, one) => model.decideAgain(session, one, 'approve')) },
  'deny again': { weight: 1, act: when(ended, (session, one) => model.decideAgain(session, one, 'deny')) },
  'send again': { weight: 3, act: when(repeatable, (session, one) => model.repeat(session, one, 'object')) },
  'use the jti again': { weight: 3, act: when(repeatable, (session, one) => model.repeat(session, one, 'jti')) },
  wait: {
    weight: 4,
    act: (session, { seconds }) => {
      if (session.anchor === undefined || !session.abilities.wait) return;
      session.wait += seconds;
      const over = session.requests.filter((one) => isOver(session, one));
      pass(session, seconds);
      for (const request of over) model.timeOut(session, request);
    },
  },
  deviate: {
    weight: 4,
    act: (session, { deviation }) => {
      if (deviation !== undefined) model.deviate(session, deviation);
    },
  },
  'rotate keys': {
    weight: 1,
    act: (session) => {
      if (session.abilities.rotateKeys) model.rotateKeys(session);
    },
  },
  'move SIM': {
    weight: 1,
    act: (session) => {
      if (session.abilities.moveSim) model.moveSim(session);
    },
  },
  'renew consent': {
    weight: 1,
    act: (session) => {
      if (session.abilities.consent && !session.requests.some(({ state }) => state === 'pending'))
        model.renewConsent(session);
    },
  },
};

const bag = weighted(Object.entries(commands).map(([name, { weight }]) => [name, weight]));
const waits = [1, 5, 20, 45, 59, 61, 100, 200, 290, 301, 330, 600, 3600, 4500, 86_400];
const lives = [60, 90, 120, 180, 300, 300, 300, 600];

/** Draws some conforming values, but no client, life or jti. */
function drawDifference(parts: readonly Part[], random: Random): JsonObject {
  const chosen = random
    .shuffled(parts.filter(({ id }) => id !== 'client and key' && id !== 'claims.expires_in' && id !== 'claims.jti'))
    .slice(0, random.below(4));
  return chosen.reduce<JsonObject>((all, { values }) => {
    const value = pick(values.filter(standsAlone), random);
    return joined(all, value?.difference ?? {}) ?? all;
  }, {});
}

const drawCommand = ({ parts, deviations }: SequenceGround, random: Random): Command => ({
  name: pick(bag, random) ?? 'authorize',
  pick: random.below(64),
  difference: drawDifference(parts, random),
  life: pick(lives, random) ?? 300,
  seconds: pick(waits, random) ?? 5,
  deviation: pick(deviations, random),
});

function stepsOf(
  sequence: readonly Command[],
  { kept, prefix, abilities }: { kept: Kept; prefix: string; abilities: Abilities },
) {
  const session = openSession(prefix, abilities);
  for (const [at, command] of sequence.entries()) {
    if (kept[at] === true) commands[command.name]?.act(session, command);
  }
  return session.steps.length === 0 ? undefined : session.steps;
}

const sends: ReadonlySet<string> = new Set([
  'authorize',
  'authorize by another SP',
  'send again',
  'use the jti again',
  'deviate',
]);

const describe = ({ name, seconds }: Command): string => (name === 'wait' ? `wait ${seconds} s` : name);

/** Sequences of 5 to 40 commands: after each, the model says what must hold (§3). */
export function sequenceProbes(seed: string, count: number, ground: SequenceGround): readonly Probe[] {
  const random = randomOf(`${seed} sequences`);
  return Array.from({ length: count }, (_, at): Probe => {
    const length = 5 + random.below(at % 2 === 0 ? 12 : 36);
    const sequence = Array.from({ length }, () => drawCommand(ground, random));
    return {
      kind: 'sequences',
      base: `sequence ${at}`,
      rules: [],
      title: (kept) => {
        const names = sequence.filter((_one, place) => kept[place] === true).map(describe);
        return `What must hold holds after each of ${names.length} commands: ${names.slice(0, 12).join(', ')}`;
      },
      setting: () => ({ exclusive: true }),
      parts: sequence.map(describe),
      steps: (kept, prefix) => stepsOf(sequence, { kept, prefix, abilities: ground.abilities }),
      alone: true,
      requests: sequence.filter(({ name }) => sends.has(name)).length,
    };
  });
}
