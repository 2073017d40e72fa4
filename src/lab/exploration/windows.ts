import { pickItem, type Random, repeatByWeight, seededRandom } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { type ChainLink, linkSetting, prefixSteps } from '../explore/chains/link.ts';
import { type Probe, wholeProbe } from '../explore/exploration.ts';
import type { TargetAbilities } from './abilities.ts';
import { acceptedRule } from './request-parts.ts';

/** Recurring moments, as templates name them, with their weights. */
const momentWeights = repeatByWeight([
  ['minute', 2],
  ['hour', 4],
  ['day', 5],
  ['03:00', 2],
  ['leap-day', 1],
  ['year', 1],
  ['summer-time', 1],
  ['winter-time', 1],
  ['daylight-time', 1],
  ['standard-time', 1],
]);

const drawMoment = (random: Random): string => pickItem(momentWeights, random) ?? 'hour';

/** Expression for `lead` seconds before the next moment; below 0, after it. */
const momentExpression = (name: string, lead: number): string =>
  lead < 0 ? `next('${name}') + ${-lead}s` : `next('${name}', ${lead + 1}) - ${lead}s`;

/** Seconds from the start of a listed case to the moment. */
const leadSeconds = [2, 2, 5, 20, 60, 240, 1800, 4 * 3600, -2, -3600, -45 * 86_400];
/** Longest lead, in seconds, for which a step waits for the moment; after a longer one, short windows would be over. */
const maxPauseLead = 60;

const isUntimedStep = (step: JsonObject): boolean => ['at', 'by', 'parallel'].every((key) => step[key] === undefined);

/** Lets the first step begin `lead` seconds before a moment, and a later one wait for it; if others take longer, nothing is judged. */
function moveToMoment(steps: readonly JsonObject[], moment: string, lead: number, random: Random) {
  const [first, ...others] = steps;
  if (first === undefined) return [];
  const begin = typeof first['as'] === 'string' ? first['as'] : 'begin';
  const waits = isUntimedStep(first) && lead > 0 && lead <= maxPauseLead && random.below(3) > 0;
  const pause = waits ? pickItem(others.filter(isUntimedStep), random) : undefined;
  return [
    { ...first, as: begin, ...(isUntimedStep(first) ? { at: momentExpression(moment, lead) } : {}) },
    ...others.map((step) => (step === pause ? { ...step, at: `${begin} + ${lead + 1}s` } : step)),
  ];
}

/** Probe of a listed case at a calendar moment when something else may happen. */
export function momentProbe(link: ChainLink, random: Random): Probe {
  const moment = drawMoment(random);
  const lead = pickItem(leadSeconds, random) ?? 2;
  const words = `${Math.abs(lead)} s ${lead < 0 ? 'after' : 'before'} the next ${moment}`;
  const moved = moveToMoment(link.steps, moment, lead, random);
  return {
    kind: 'windows',
    base: `${link.id} at ${moment}`,
    rules: link.rules,
    title: ([kept]) =>
      kept === true ? `What holds at any time holds ${words}: ${link.id}` : `What holds in ${link.id}`,
    setting: () => linkSetting([link]),
    parts: [`next ${moment}`],
    steps: ([kept], prefix) => prefixSteps(kept === true ? moved : link.steps, prefix),
    alone: true,
    requests: link.requests,
  };
}

/** Window of the interface that begins with its first step, and lasts for `length` seconds. */
interface Window {
  readonly title: string;
  readonly length: number;
  readonly requests: number;
  readonly steps: readonly JsonObject[];
}

type WindowDraw = (between: (from: number, to: number) => number, abilities: TargetAbilities) => Window | undefined;

const stale = { outcome: 'denied-or-dropped' };

const windowDraws: readonly WindowDraw[] = [
  (between) => {
    const gap = between(1, 295);
    const expect = { ...stale, rule: 'REQ-015' };
    const authorize = between(0, 2) === 0 ? { again: 'r1' } : { claims: { jti: '{{ r1.claims.jti }}' } };
    return {
      title: `A jti is not used again ${gap} s later`,
      length: gap,
      requests: 2,
      steps: [
        { as: 'r1', authorize: {} },
        { at: `r1 + ${gap}s`, authorize, expect },
      ],
    };
  },
  (between) => {
    const [gap, old, far] = [between(1, 1200), between(331, 90_000), between(335, 8000)];
    const tooOld = { claims: { iat: `{{ now - ${old}s }}`, exp: '{{ now + 60s }}' } };
    const tooFar = { claims: { exp: `{{ now + ${far}s }}` } };
    return {
      title: `An object that is ${old} s old, or whose exp is ${far} s ahead, is refused`,
      length: gap,
      requests: 5,
      steps: [
        { as: 'r1', authorize: {} },
        { authorize: tooOld, expect: { ...stale, rule: 'REQ-009' } },
        { at: `r1 + ${gap}s`, authorize: tooOld, expect: { ...stale, rule: 'REQ-009' } },
        { authorize: tooFar, expect: { ...stale, rule: 'REQ-012' } },
        { control: true, authorize: {} },
      ],
    };
  },
  (between) => {
    const life = between(60, 600);
    const early = between(5, 50);
    return {
      title: `A request of ${life} s can be approved ${early} s before its end`,
      length: life,
      requests: 1,
      steps: [
        {
          as: 'r1',
          authorize: { claims: { expires_in: life } },
          expect: { outcome: 'accepted', rule: acceptedRule },
        },
        { at: `r1 + r1.granted - ${early}s`, trigger: { action: 'approve', of: 'r1', ifPossible: true } },
        { await: 'callback', of: 'r1', expect: { outcome: 'completed', rule: 'FLOW-002' } },
      ],
    };
  },
  (between, { userinfo }) => {
    if (!userinfo) return undefined;
    const [early, late] = [between(10, 300), between(305, 86_400)];
    const headers = { authorization: 'Bearer {{ end.body.access_token }}' };
    const ask = (at: string, outcome: string): JsonObject => ({
      at,
      http: { to: 'userinfo', headers },
      expect: { outcome, rule: 'CB-028' },
    });
    return {
      title: `An access token opens user info ${early} s before it expires, and not ${late} s behind`,
      length: 1800,
      requests: 1,
      steps: [
        { as: 'r1', authorize: {} },
        { as: 'decision', trigger: { action: 'approve', of: 'r1' } },
        { as: 'end', await: 'callback', of: 'r1', expect: { outcome: 'completed', rule: 'FLOW-002' } },
        ask(`decision + end.body.expires_in - ${early}s`, 'accepted'),
        ask(`end.receivedAt + end.body.expires_in + ${late}s`, 'denied'),
      ],
    };
  },
  (between, { moveSim, latency }) => {
    if (!moveSim || latency.event > 2400) return undefined;
    const gap = between(latency.event + 120, 3300);
    const seen = (of: string, expect: JsonObject): JsonObject => ({
      await: 'events',
      event: 'device_change',
      until: `${of} + target.latency.event`,
      expect,
    });
    return {
      title: `A device change is not reported again ${gap} s later`,
      length: gap,
      requests: 1,
      steps: [
        { as: 'one', trigger: 'move-sim' },
        seen('one', { outcome: 'delivered', rule: 'EVT-015' }),
        { as: 'two', at: `one + ${gap}s`, trigger: 'move-sim' },
        seen('two', { outcome: 'silence', rule: 'EVT-018' }),
      ],
    };
  },
  (between, { swapSim, tenure, latency }) => {
    if (!swapSim || !tenure || latency.simSwap > 10_800) return undefined;
    const [young, old] = [between(latency.simSwap + 120, 84_600), between(88_200, 400_000)];
    return {
      title: `A SIM is new ${young} s after a swap, and not ${old} s after it`,
      length: 86_400,
      requests: 2,
      steps: [
        { as: 'swap', trigger: 'swap-sim' },
        { at: `swap + ${young}s`, usertrait: {}, expect: { rule: 'UT-017', check: 'tenure-true' } },
        { at: `swap + ${old}s`, usertrait: {}, expect: { rule: 'UT-017', check: 'tenure-false' } },
      ],
    };
  },
];

function drawWindow(random: Random, abilities: TargetAbilities): Probe | undefined {
  const between = (from: number, to: number): number => from + random.below(to - from);
  const drawn = pickItem(windowDraws, random)?.(between, abilities);
  if (drawn === undefined) return undefined;
  const moment = drawMoment(random);
  const [first = {}, ...others] = drawn.steps;
  const begun = { ...first, at: momentExpression(moment, between(1, drawn.length)) };
  return wholeProbe({
    kind: 'windows',
    title: `${drawn.title}, with the next ${moment} in between`,
    setting: { exclusive: true },
    rules: [],
    alone: true,
    requests: drawn.requests,
    steps: (prefix) => prefixSteps([begun, ...others], prefix),
  });
}

interface WindowsGround {
  readonly abilities: TargetAbilities;
  readonly links: readonly ChainLink[];
}

/** Windows with a moment of the calendar inside, and listed cases at such moments, as far as the requests go. */
export function windowProbes(seed: string, requests: number, { abilities, links }: WindowsGround): readonly Probe[] {
  const random = seededRandom(`${seed} windows`);
  const lasting = links.filter(({ lasts }) => lasts);
  const probes: Probe[] = [];
  if (!abilities.wait || !abilities.approve) return probes;
  for (let left = requests; left > 0; ) {
    const link = random.below(2) === 0 ? pickItem(lasting, random) : undefined;
    const probe = link === undefined ? drawWindow(random, abilities) : momentProbe(link, random);
    if (probe !== undefined) probes.push(probe);
    left -= Math.max(1, probe?.requests ?? 1);
  }
  return probes;
}
