import type { Strength } from '../../lib/covering/uncovered-tuples.ts';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import {
  type ExplorationGround,
  keepAllParts,
  type Probe,
  type ProbeKind,
  type ProbeMaker,
  probeKinds,
  shareRequests,
} from './exploration.ts';
import { causeKey, type ExplorationOptions, type ExplorationResult, explore } from './explore.ts';
import type { CasesAttempt, ConfirmedFinding } from './settle.ts';

/** Request objects that may show on a phone, by the subscriber's tag. */
type PushCounts = ReadonlyMap<string, number>;

const defaultSubscriberTag = 'consented';

const expectedOutcome = (expect: Json | undefined): Json | undefined =>
  isJsonObject(expect)
    ? expect['outcome']
    : Array.isArray(expect)
      ? expectedOutcome((expect as readonly Json[])[0])
      : expect;

/** A conforming carrier shows no refused request on a phone. */
const expectsRefusal = ({ expect }: JsonObject): boolean => {
  const outcome = expectedOutcome(expect);
  return typeof outcome === 'string' && outcome.startsWith('denied');
};

/** Tag of the subscriber that a step names, else the case's own. */
const subscriberTag = (difference: Json, own: string): string =>
  /subscribers\.([a-z0-9-]+)/.exec(JSON.stringify(difference))?.[1] ?? own;

export function countPushes(steps: readonly JsonObject[], subscriber: string = defaultSubscriberTag): PushCounts {
  const pushes = new Map<string, number>();
  for (const step of steps) {
    const { authorize, times } = step;
    if (authorize === undefined || expectsRefusal(step)) continue;
    const tag = subscriberTag(authorize, subscriber);
    pushes.set(tag, (pushes.get(tag) ?? 0) + (typeof times === 'number' ? times : 1));
  }
  return pushes;
}

function addPushes(all: Map<string, number>, more: PushCounts): void {
  for (const [tag, count] of more) all.set(tag, (all.get(tag) ?? 0) + count);
}

const countProbePushes = (probe: Probe): PushCounts => {
  const kept = keepAllParts(probe);
  return countPushes(
    [...(probe.steps(kept, 'p') ?? []), ...(probe.control === undefined ? [] : [{ authorize: probe.control }])],
    probe.setting(kept).subscriber,
  );
};

const staysWithinPushes = (sent: PushCounts, more: PushCounts, most: number): boolean =>
  [...more].every(([tag, count]) => (sent.get(tag) ?? 0) + count <= most);

/** Probes that keep every subscriber within `most` pushes, in their order; `sent` counts them. */
export function keepWithinPushes(
  probes: readonly Probe[],
  most: number,
  sent: Map<string, number> = new Map(),
): readonly Probe[] {
  return probes.filter((probe) => {
    const more = countProbePushes(probe);
    if (!staysWithinPushes(sent, more, most)) return false;
    addPushes(sent, more);
    return true;
  });
}

const readStepList = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isJsonObject) : [];

/** Sends no cases that would exceed `most` pushes for a subscriber, and stops there; `sent` counts them. */
export function limitPushes(attempt: CasesAttempt, most: number, sent: Map<string, number> = new Map()): CasesAttempt {
  return async (cases) => {
    const more = new Map<string, number>();
    for (const { steps, subscriber } of cases) {
      addPushes(more, countPushes(readStepList(steps), typeof subscriber === 'string' ? subscriber : undefined));
    }
    if (!staysWithinPushes(sent, more, most)) {
      return { cases: [], invariants: [], stopped: `no subscriber may have more than ${most} pushes` };
    }
    addPushes(sent, more);
    return attempt(cases);
  };
}

interface RoundsPlan {
  readonly ground: ExplorationGround;
  readonly probesOf: ProbeMaker;
  readonly seed: string;
  readonly strength: Strength;
  readonly kinds: readonly ProbeKind[];
  /** Request objects in all rounds. */
  readonly requests: number;
  /** Selects probes; absent: all. */
  readonly isChosen?: (probe: Probe) => boolean;
  /** Most pushes for one subscriber; absent: no limit. */
  readonly pushes?: number;
}

export interface ExplorationProgress {
  readonly explored: ExplorationResult;
  /** Finished probes of all rounds. */
  readonly done: number;
  /** Pushes by the subscriber's tag; counted only if they are limited. */
  readonly pushes: Readonly<Record<string, number>>;
}

export interface RoundsOptions
  extends RoundsPlan,
    Pick<ExplorationOptions, 'attempt' | 'width' | 'goOn' | 'signal' | 'onProgress'> {
  /** State of an earlier exploration to continue from. */
  readonly from?: ExplorationProgress;
  readonly onReached?: (reached: ExplorationProgress) => void;
}

/** Share of the pushes for probes; the rest is for shrinking their findings. */
const probePushShare = 2 / 3;

/** Request objects in a round; each round makes other probes from the same seed. */
const maxRoundRequests = 5000;

const sumRequests = (counts: ExplorationResult['requests']): number =>
  Object.values(counts).reduce((all, count) => all + count, 0);

const joinCounts = (
  one: ExplorationResult['requests'],
  other: ExplorationResult['requests'],
): ExplorationResult['requests'] =>
  Object.fromEntries(
    probeKinds.flatMap((kind) => {
      const count = (one[kind] ?? 0) + (other[kind] ?? 0);
      return count === 0 ? [] : [[kind, count]];
    }),
  );

/** Joins the findings of two rounds; one cause counts once. */
function joinFindings(
  one: readonly ConfirmedFinding[],
  other: readonly ConfirmedFinding[],
): readonly ConfirmedFinding[] {
  const causes = new Map(one.map((found) => [causeKey(found), found]));
  for (const found of other) {
    const known = causes.get(causeKey(found));
    causes.set(causeKey(found), known === undefined ? found : { ...known, folded: known.folded + found.folded + 1 });
  }
  return [...causes.values()];
}

function joinRounds(one: ExplorationResult, other: ExplorationResult): ExplorationResult {
  const reason = one.unjudged.reason ?? other.unjudged.reason;
  const stopped = one.stopped ?? other.stopped;
  return {
    found: joinFindings(one.found, other.found),
    unconfirmed: [...one.unconfirmed, ...other.unconfirmed],
    requests: joinCounts(one.requests, other.requests),
    unjudged: { count: one.unjudged.count + other.unjudged.count, ...(reason === undefined ? {} : { reason }) },
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** Chosen probes of a round that fit into the requests left. */
function roundProbes(rounds: RoundsPlan, round: number, left: number): readonly Probe[] {
  const { probesOf, ground, seed, strength, isChosen } = rounds;
  const requests = isChosen === undefined ? Math.min(maxRoundRequests, left) : maxRoundRequests;
  const probes = probesOf(ground, { seed, round, strength, requests: shareRequests(requests, rounds.kinds) });
  let room = left;
  return probes.filter((probe) => {
    if (probe.requests > room || isChosen?.(probe) === false) return false;
    room -= probe.requests;
    return true;
  });
}

/** Most rounds if only some probes are chosen. */
const maxChosenRounds = 3;

function createRoundMaker(rounds: RoundsPlan): (round: number, left: number) => readonly Probe[] {
  const sent = new Map<string, number>();
  const { pushes } = rounds;
  return (round, left) => {
    const probes = left < 1 ? [] : roundProbes(rounds, round, left);
    return pushes === undefined ? probes : keepWithinPushes(probes, Math.floor(pushes * probePushShare), sent);
  };
}

const sumProbeRequests = (probes: readonly Probe[]): number => probes.reduce((so, { requests }) => so + requests, 0);

/** Whether a round sends less than half of what it may, so that another is not worth it. */
const isRoundTooSmall = ({ isChosen }: RoundsPlan, sent: number, left: number): boolean =>
  isChosen === undefined && sent < Math.min(maxRoundRequests, left) / 2;

/** Plans the probes of all rounds without sending any. */
export function planRounds(rounds: RoundsPlan): readonly Probe[] {
  const all: Probe[] = [];
  const probesOf = createRoundMaker(rounds);
  let left = rounds.requests;
  const last = rounds.isChosen === undefined ? Number.POSITIVE_INFINITY : maxChosenRounds;
  for (let round = 1; round <= last; round += 1) {
    const probes = probesOf(round, left);
    const sent = sumProbeRequests(probes);
    const isLast = probes.length === 0 || isRoundTooSmall(rounds, sent, left);
    all.push(...probes);
    left -= sent;
    if (isLast || left < 1) break;
  }
  return all;
}

const emptyExploration: ExplorationResult = { found: [], unconfirmed: [], requests: {}, unjudged: { count: 0 } };

/** Explores one round from where an earlier exploration ended; returns the results of all rounds so far. */
async function exploreRound(
  rounds: RoundsOptions,
  { probes, before, earlier, pushed }: PlannedRound,
): Promise<{ readonly all: ExplorationResult; readonly sent: number }> {
  const first = Math.min(Math.max((rounds.from?.done ?? 0) - before, 0), probes.length);
  const explored = await explore({
    ...rounds,
    probes: probes.slice(first),
    sent: sumRequests(earlier.requests),
    onProgress: (sent, found) => rounds.onProgress(sent, earlier.found.length + found),
    onKept: (one, done) =>
      rounds.onReached?.({
        explored: joinRounds(earlier, one),
        done: before + first + done,
        pushes: Object.fromEntries(pushed),
      }),
  });
  return {
    all: joinRounds(earlier, explored),
    sent: sumProbeRequests(probes.slice(0, first)) + sumRequests(explored.requests),
  };
}

interface PlannedRound {
  readonly probes: readonly Probe[];
  readonly before: number;
  readonly earlier: ExplorationResult;
  readonly pushed: ReadonlyMap<string, number>;
}

/** Explores round after round, until the requests are sent or the time is over. */
export async function exploreRounds(given: RoundsOptions): Promise<ExplorationResult> {
  const { pushes, from = { explored: emptyExploration, done: 0, pushes: {} } } = given;
  const pushed = new Map(Object.entries(from.pushes));
  const rounds = pushes === undefined ? given : { ...given, attempt: limitPushes(given.attempt, pushes, pushed) };
  let all = from.explored;
  rounds.onReached?.(from);
  let [left, before] = [rounds.requests, 0];
  const last = rounds.isChosen === undefined ? Number.POSITIVE_INFINITY : maxChosenRounds;
  const probesOf = createRoundMaker(rounds);
  for (let round = 1; round <= last && rounds.goOn() && all.stopped === undefined; round += 1) {
    const probes = probesOf(round, left);
    if (probes.length === 0) break;
    const explored = await exploreRound(rounds, { probes, before, earlier: all, pushed });
    all = explored.all;
    if (isRoundTooSmall(rounds, explored.sent, left)) break;
    left -= sumProbeRequests(probes);
    before += probes.length;
  }
  return all;
}
