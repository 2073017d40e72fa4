import { type ExplorationGround, type MakeProbes, shareOut } from './exploration.ts';
import { causeOf, explore, type Explored, type Exploring } from './explore.ts';
import { limitPushes, withinPushes } from './pushes.ts';
import { type Kind, kinds, type Probe } from './probe.ts';
import type { Found } from './settle.ts';
import type { Strength } from '../lib/covering/uncovered.ts';

export interface Planned {
  readonly ground: ExplorationGround;
  readonly probesOf: MakeProbes;
  readonly seed: string;
  readonly strength: Strength;
  readonly kinds: readonly Kind[];
  /** Request objects of all rounds. */
  readonly requests: number;
  /** Which probes are wanted; absent: all of them. */
  readonly isChosen?: (probe: Probe) => boolean;
  /** Pushes that one subscriber gets at most; absent: as many as there are. */
  readonly pushes?: number;
}

export interface Reached {
  readonly explored: Explored;
  /** Probes that are done with, of all rounds. */
  readonly done: number;
  /** What each subscriber has got, by its tag; counted where it is limited. */
  readonly pushes: Readonly<Record<string, number>>;
}

export interface Rounds extends Planned, Pick<Exploring, 'attempt' | 'width' | 'goOn' | 'signal' | 'onProgress'> {
  /** Where an earlier exploration ended: it goes on from there. */
  readonly from?: Reached;
  readonly onReached?: (reached: Reached) => void;
}

/** Of the pushes, what is for probes; the others are for shrinking what they find. */
const forProbes = 2 / 3;

/** Request objects of one round: each round makes other probes of the same seed. */
const perRound = 5000;

const sum = (counts: Explored['requests']): number => Object.values(counts).reduce((all, count) => all + count, 0);

const joinCounts = (one: Explored['requests'], other: Explored['requests']): Explored['requests'] =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const count = (one[kind] ?? 0) + (other[kind] ?? 0);
      return count === 0 ? [] : [[kind, count]];
    }),
  );

/** What two rounds found: findings of one cause are one. */
function joinFound(one: readonly Found[], other: readonly Found[]): readonly Found[] {
  const causes = new Map(one.map((found) => [causeOf(found), found]));
  for (const found of other) {
    const known = causes.get(causeOf(found));
    causes.set(causeOf(found), known === undefined ? found : { ...known, folded: known.folded + found.folded + 1 });
  }
  return [...causes.values()];
}

function joinRounds(one: Explored, other: Explored): Explored {
  const reason = one.unjudged.reason ?? other.unjudged.reason;
  const stopped = one.stopped ?? other.stopped;
  return {
    found: joinFound(one.found, other.found),
    unconfirmed: [...one.unconfirmed, ...other.unconfirmed],
    requests: joinCounts(one.requests, other.requests),
    unjudged: { count: one.unjudged.count + other.unjudged.count, ...(reason === undefined ? {} : { reason }) },
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** Probes of one round, of what is chosen, as much as there is room for. */
function probesOfRound(rounds: Planned, round: number, left: number): readonly Probe[] {
  const { probesOf, ground, seed, strength, isChosen } = rounds;
  const requests = isChosen === undefined ? Math.min(perRound, left) : perRound;
  const probes = probesOf(ground, { seed, round, strength, requests: shareOut(requests, rounds.kinds) });
  let room = left;
  return probes.filter((probe) => {
    if (probe.requests > room || isChosen?.(probe) === false) return false;
    room -= probe.requests;
    return true;
  });
}

/** Rounds of which little is chosen, at most. */
const mostRounds = 3;

function createRounds(rounds: Planned): (round: number, left: number) => readonly Probe[] {
  const sent = new Map<string, number>();
  const { pushes } = rounds;
  return (round, left) => {
    const probes = left < 1 ? [] : probesOfRound(rounds, round, left);
    return pushes === undefined ? probes : withinPushes(probes, Math.floor(pushes * forProbes), sent);
  };
}

const requestsOf = (probes: readonly Probe[]): number => probes.reduce((so, { requests }) => so + requests, 0);

/** Where a round could send less than half of what it may, another is not worth it. */
const isTooLittle = ({ isChosen }: Planned, sent: number, left: number): boolean =>
  isChosen === undefined && sent < Math.min(perRound, left) / 2;

/** The probes of all rounds, without sending any. */
export function planRounds(rounds: Planned): readonly Probe[] {
  const all: Probe[] = [];
  const probesOf = createRounds(rounds);
  let left = rounds.requests;
  const last = rounds.isChosen === undefined ? Number.POSITIVE_INFINITY : mostRounds;
  for (let round = 1; round <= last; round += 1) {
    const probes = probesOf(round, left);
    const sent = requestsOf(probes);
    const isLast = probes.length === 0 || isTooLittle(rounds, sent, left);
    all.push(...probes);
    left -= sent;
    if (isLast || left < 1) break;
  }
  return all;
}

const nothing: Explored = { found: [], unconfirmed: [], requests: {}, unjudged: { count: 0 } };

/** Explores one round, from where an earlier exploration ended; gives what all rounds so far have found. */
async function exploreRound(
  rounds: Rounds,
  { probes, before, earlier, pushed }: RoundToExplore,
): Promise<{ readonly all: Explored; readonly sent: number }> {
  const first = Math.min(Math.max((rounds.from?.done ?? 0) - before, 0), probes.length);
  const explored = await explore({
    ...rounds,
    probes: probes.slice(first),
    sent: sum(earlier.requests),
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
    sent: requestsOf(probes.slice(0, first)) + sum(explored.requests),
  };
}

interface RoundToExplore {
  readonly probes: readonly Probe[];
  readonly before: number;
  readonly earlier: Explored;
  readonly pushed: ReadonlyMap<string, number>;
}

/** Explores round after round, until the requests are sent or the time is over. */
export async function exploreRounds(given: Rounds): Promise<Explored> {
  const { pushes, from = { explored: nothing, done: 0, pushes: {} } } = given;
  const pushed = new Map(Object.entries(from.pushes));
  const rounds = pushes === undefined ? given : { ...given, attempt: limitPushes(given.attempt, pushes, pushed) };
  let all = from.explored;
  rounds.onReached?.(from);
  let [left, before] = [rounds.requests, 0];
  const last = rounds.isChosen === undefined ? Number.POSITIVE_INFINITY : mostRounds;
  const probesOf = createRounds(rounds);
  for (let round = 1; round <= last && rounds.goOn() && all.stopped === undefined; round += 1) {
    const probes = probesOf(round, left);
    if (probes.length === 0) break;
    const explored = await exploreRound(rounds, { probes, before, earlier: all, pushed });
    all = explored.all;
    if (isTooLittle(rounds, explored.sent, left)) break;
    left -= requestsOf(probes);
    before += probes.length;
  }
  return all;
}
