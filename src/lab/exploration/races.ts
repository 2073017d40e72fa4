import { pickItem, type Random, seededRandom } from '../../lib/covering/random.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { drawWithinRequests, type Probe } from '../explore/exploration.ts';
import type { TargetAbilities } from '../requests/abilities.ts';
import { acceptedRule } from '../requests/request-parts.ts';
import { outcomeExpectation } from '../requests/request-points.ts';
import type { Deviation } from './session.ts';

interface RaceGround {
  readonly abilities: TargetAbilities;
  readonly deviations: readonly Deviation[];
}

type Race = Pick<Probe, 'requests'> & { readonly title: string; readonly steps: readonly JsonObject[] };
type NamedStep = JsonObject & { readonly as: string };

/** Milliseconds between two steps; 0 means at the same time. */
const delays = [0, 0, 5, 40, 300, 1500];

/** Sends each step together with the one before it, or some milliseconds later. */
const letMeet = (steps: readonly NamedStep[], random: Random): readonly JsonObject[] =>
  steps.map((step, at) => {
    const before = steps[at - 1]?.as;
    const delay = pickItem(delays, random) ?? 0;
    if (before === undefined) return step;
    return delay === 0 ? { ...step, parallel: true } : { ...step, at: `${before} + ${delay}ms` };
  });

/** Result of a request by the decisions on it. */
function resultExpectation(decisions: readonly string[]): JsonObject {
  const [first, second] = decisions;
  const isApproved = first === 'approve';
  if (second === undefined)
    return isApproved ? { outcome: 'completed', rule: 'FLOW-002' } : { outcome: 'failed', rule: 'FLOW-003' };
  if (first !== second) return { outcome: 'delivered', rule: 'FLOW-014' };
  return isApproved ? { outcome: 'no-error', rule: 'FLOW-014' } : { outcome: 'no-tokens', rule: 'FLOW-003' };
}

/** Requests that may wait at the same time: the user, the SP, and the number of each. */
function raceSenders({ severalPending, secondClient }: TargetAbilities): readonly JsonObject[] {
  const second = { login_hint: '{{ subscribers.second.sub }}' };
  if (!severalPending) return [{}, { claims: second }];
  return [{}, {}, {}, { claims: second }, ...(secondClient ? [{ client: 'second' }] : [])];
}

/** Requests, one of them perhaps refused, and one or two decisions on each: each gets its own result, once. */
function drawMeeting({ abilities, deviations }: RaceGround, random: Random): Race {
  const senders = random.shuffled(raceSenders(abilities)).slice(0, 1 + random.below(4));
  const decision = (): string => (random.below(2) === 0 ? 'approve' : 'deny');
  const requests = senders.map(({ claims = {}, ...sender }, at) => {
    const scope = pickItem(['openid', 'openid name', 'name openid'], random) ?? 'openid';
    const acr = pickItem(['a1', 'a3'], random) ?? 'a3';
    const own = { state: `${at}-{{ fresh() }}`, acr_values: acr, scope, ...(isJsonObject(claims) ? claims : {}) };
    return {
      as: `r${at + 1}`,
      authorize: { ...sender, claims: own },
      decisions: [decision(), ...(random.below(3) === 0 ? [decision()] : [])],
    };
  });
  const refusals = deviations.filter(({ outcome }) => outcome === 'denied');
  const refused = random.below(3) === 0 ? pickItem(refusals, random) : undefined;
  const accepted = { outcome: 'accepted', rule: acceptedRule };
  const sent = [
    ...requests.map(({ as, authorize }) => ({ as, authorize, expect: accepted })),
    ...(refused === undefined
      ? []
      : [{ as: 'bad', authorize: refused.difference, expect: outcomeExpectation(refused) }]),
  ];
  const decided = requests.flatMap(({ as: of, decisions }) =>
    decisions.map((action, at) => ({
      as: `${of}-d${at + 1}`,
      // If callbacks took longer, nothing is judged.
      by: `${of} + ${of}.granted - 2s`,
      trigger: { action, of, ifPossible: true },
    })),
  );
  const results = requests.map(({ as: of, decisions }) => {
    const until = `${of} + ${of}.claims.expires_in + target.latency.callback + 60s`;
    return {
      as: `${of}-e`,
      await: 'callback',
      of,
      ...(decisions.length > 1 ? { until } : {}),
      expect: resultExpectation(decisions),
    };
  });
  const beside = refused === undefined ? '' : `, beside one that breaks ${refused.rule}`;
  return {
    title: `Each of ${requests.length} requests at about the same time gets its own result${beside}`,
    steps: [...letMeet(random.shuffled(sent), random), ...letMeet(random.shuffled(decided), random), ...results],
    requests: sent.length,
  };
}

/** Requests and decisions that meet, in drawn order and with drawn delays (§3): no result is of another session. */
export function raceProbes(seed: string, requests: number, ground: RaceGround): readonly Probe[] {
  const { approve, deny } = ground.abilities;
  if (!approve || !deny) return [];
  const random = seededRandom(`${seed} races`);
  return drawWithinRequests(requests, () => {
    const { title, steps, requests: sent } = drawMeeting(ground, random);
    const receiver = { callbacks: [{ delay: `${1 + random.below(9)}s` }] };
    return {
      kind: 'races',
      title: () => title,
      setting: { exclusive: true, ...(random.below(4) === 0 ? { receiver } : {}) },
      parts: [],
      steps: () => steps,
      requests: sent,
    };
  });
}
