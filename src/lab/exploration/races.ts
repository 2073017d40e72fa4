import { pickItem, type Random, seededRandom } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { prefixSteps } from '../explore/chains/link.ts';
import { type CaseSetting, type Probe, wholeProbe } from '../explore/exploration.ts';
import type { TargetAbilities } from './abilities.ts';
import { acceptedRule } from './request-parts.ts';
import { outcomeExpectation } from './request-points.ts';
import type { Deviation } from './session.ts';

interface RaceGround {
  readonly abilities: TargetAbilities;
  readonly deviations: readonly Deviation[];
}

interface Race {
  readonly title: string;
  readonly setting?: CaseSetting;
  readonly steps: readonly JsonObject[];
  readonly requests: number;
}

type Steps = readonly JsonObject[];
type Decision = 'approve' | 'deny';

const accepted: JsonObject = { outcome: 'accepted', rule: acceptedRule };
const drawDecision = (random: Random): Decision => (random.below(2) === 0 ? 'approve' : 'deny');

/** Sends a step together with the one before it, or some milliseconds later. */
const meet = (step: JsonObject, before: string | undefined, random: Random): JsonObject => {
  if (before === undefined) return step;
  const delay = pickItem([0, 0, 5, 40, 300, 1500], random) ?? 0;
  return delay === 0 ? { ...step, parallel: true } : { ...step, at: `${before} + ${delay}ms` };
};

const joinMeeting = (steps: Steps, random: Random): Steps =>
  steps.map((step, at) => {
    const before = steps[at - 1]?.['as'];
    return meet(step, typeof before === 'string' ? before : undefined, random);
  });

/** Decides while the request waits; if callbacks took longer, nothing is judged. */
const decide = (of: string, action: string): JsonObject => ({
  as: `${of}-d`,
  by: `${of} + ${of}.granted - 2s`,
  trigger: { action, of, ifPossible: true },
});

const endOf = (of: string, decision: Decision): JsonObject => {
  const expect =
    decision === 'approve' ? { outcome: 'completed', rule: 'FLOW-002' } : { outcome: 'failed', rule: 'FLOW-003' };
  return { as: `${of}-e`, await: 'callback', of, expect };
};

/** Requests of several users and SPs: each gets its own result, also if our endpoint is slow. */
function drawSeveral({ abilities }: RaceGround, random: Random): Race {
  const second = { claims: { login_hint: '{{ subscribers.second.sub }}' } };
  const senders: Steps = abilities.severalPending
    ? [{}, {}, {}, second, ...(abilities.secondClient ? [{ client: 'second' }, { client: 'second', ...second }] : [])]
    : [{}, second];
  const chosen = random.shuffled(senders).slice(0, 2 + random.below(3));
  const requests = chosen.map(({ claims, ...sender }, at) => {
    const scope = pickItem(['openid', 'openid name', 'name openid'], random) ?? 'openid';
    const own = { state: `${at}-{{ fresh() }}`, acr_values: pickItem(['a1', 'a3'], random) ?? 'a3', scope };
    const authorize = { ...sender, claims: { ...own, ...(typeof claims === 'object' ? claims : {}) } };
    return { name: `r${at + 1}`, decision: drawDecision(random), authorize };
  });
  const slow = random.below(4) === 0 ? { callbacks: [{ delay: `${1 + random.below(9)}s` }] } : undefined;
  const sent = requests.map(({ name, authorize }) => ({ as: name, authorize, expect: accepted }));
  const decided = random.shuffled(requests).map(({ name, decision }) => decide(name, decision));
  return {
    title: `Each of ${requests.length} requests at about the same time gets its own result`,
    ...(slow === undefined ? {} : { setting: { receiver: slow } }),
    steps: [
      ...joinMeeting(sent, random),
      ...joinMeeting(decided, random),
      ...requests.map(({ name, decision }) => endOf(name, decision)),
    ],
    requests: requests.length,
  };
}

/** Two decisions on one request, or one at about the time-out: it ends once. */
function drawDuel({ abilities }: RaceGround, random: Random): Race {
  const [one, other] = [drawDecision(random), drawDecision(random)];
  const request = { as: 'r', authorize: { claims: { expires_in: 60 + random.below(120) } }, expect: accepted };
  const until = 'r + r.claims.expires_in + target.latency.callback + 60s';
  const end = { as: 'end', await: 'callback', of: 'r', until };
  if (abilities.wait && random.below(2) === 0) {
    const offset = random.below(3000) - 1500;
    const at = `r + r.granted ${offset < 0 ? '-' : '+'} ${Math.abs(offset)}ms`;
    return {
      title: `A decision (${one}) at about the time-out ends in one result`,
      steps: [
        request,
        { as: 'd', at, trigger: { action: one, of: 'r', ifPossible: true } },
        { ...end, expect: { outcome: 'delivered', rule: 'FLOW-013#reported' } },
      ],
      requests: 1,
    };
  }
  const expect =
    one !== other
      ? { outcome: 'delivered', rule: 'FLOW-014' }
      : one === 'approve'
        ? { outcome: 'no-error', rule: 'FLOW-014' }
        : { outcome: 'no-tokens', rule: 'FLOW-003' };
  const decisions = [decide('r', one), { ...decide('r', other), as: 'd2' }];
  return {
    title: `Two decisions (${one}, ${other}) at about the same time end in one result`,
    steps: [request, ...joinMeeting(decisions, random), { ...end, expect }],
    requests: 1,
  };
}

/** Copies of an object, or objects with one jti: at most one is accepted. */
function drawCopies(_: RaceGround, random: Random): Race {
  const times = 2 + random.below(random.below(2) === 0 ? 4 : 49);
  const isCopy = random.below(2) === 0;
  const authorize = isCopy ? { again: 'object' } : { claims: { jti: '{{ object.claims.jti }}' } };
  return {
    title: `Only one of ${times} ${isCopy ? 'copies of an object' : 'objects with one jti'} is accepted`,
    steps: [
      { as: 'object', sign: { base: 'request-object' } },
      {
        as: 'copies',
        authorize,
        times,
        together: true,
        expect: { outcome: 'at-most-one', rule: isCopy ? 'SEC-21' : 'REQ-015' },
      },
    ],
    requests: times,
  };
}

/** A refused request changes nothing of an accepted one. */
function drawBesideRefused({ deviations }: RaceGround, random: Random): Race {
  const deviation = pickItem(
    deviations.filter(({ outcome }) => outcome === 'denied'),
    random,
  );
  const bad: Steps =
    deviation === undefined
      ? []
      : [{ as: 'bad', authorize: deviation.difference, expect: outcomeExpectation(deviation) }];
  const both = random.shuffled([{ as: 'r', authorize: {}, expect: accepted }, ...bad]);
  const decision = drawDecision(random);
  return {
    title: `A request that breaks ${deviation?.rule ?? 'nothing'} changes nothing of one sent at about the same time`,
    steps: [...joinMeeting(both, random), decide('r', decision), endOf('r', decision)],
    requests: 2,
  };
}

const races = [drawSeveral, drawSeveral, drawDuel, drawCopies, drawBesideRefused];

/** Requests and decisions that meet, in drawn order and with drawn delays (§2.3 jti, §3): no result is of another session. */
export function raceProbes(seed: string, requests: number, ground: RaceGround): readonly Probe[] {
  const random = seededRandom(`${seed} races`);
  const probes: Probe[] = [];
  if (!ground.abilities.approve || !ground.abilities.deny) return probes;
  for (let left = requests; left > 0; ) {
    const { title, setting, steps, requests: sent } = (pickItem(races, random) ?? drawSeveral)(ground, random);
    probes.push(
      wholeProbe({
        kind: 'races',
        title,
        setting: { exclusive: true, ...setting },
        rules: [],
        alone: true,
        requests: sent,
        steps: (prefix) => prefixSteps(steps, prefix),
      }),
    );
    left -= sent;
  }
  return probes;
}
