import { type ExplorationGround, type Probe, type ProbeKind, type ProbeMaker, shareRequests } from './exploration.ts';
import {
  type ExplorationOptions,
  type ExplorationResult,
  explore,
  nothingExplored,
  type ReachedPoint,
} from './explore.ts';
import { keepWithinPushes, limitPushes } from './pushes.ts';

interface RoundsPlan {
  readonly ground: ExplorationGround;
  readonly probesOf: ProbeMaker;
  readonly seed: string;
  readonly kinds: readonly ProbeKind[];
  /** Request objects in all rounds. */
  readonly requests: number;
  /** Selects probes; absent: all. */
  readonly isChosen?: (probe: Probe) => boolean;
  /** Most pushes for one subscriber; absent: no limit. */
  readonly pushes?: number;
}

export interface ExplorationProgress extends ReachedPoint {
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
/** Most rounds if only some probes are chosen. */
const maxChosenRounds = 3;

/** Chosen probes of a round that fit into the requests left. */
function roundProbes(rounds: RoundsPlan, round: number, left: number): readonly Probe[] {
  const { probesOf, ground, seed, isChosen } = rounds;
  const requests = isChosen === undefined ? Math.min(maxRoundRequests, left) : maxRoundRequests;
  const probes = probesOf(ground, { seed, round, requests: shareRequests(requests, rounds.kinds) });
  let room = left;
  return probes.filter((probe) => {
    if (probe.requests > room || isChosen?.(probe) === false) return false;
    room -= probe.requests;
    return true;
  });
}

/** Probes of round after round, made when they are needed, until the requests or the pushes are used up. */
export function* planRounds(rounds: RoundsPlan): Generator<Probe> {
  const { pushes, isChosen } = rounds;
  const pushed = new Map<string, number>();
  let left = rounds.requests;
  const last = isChosen === undefined ? Number.POSITIVE_INFINITY : maxChosenRounds;
  for (let round = 1; round <= last && left >= 1; round += 1) {
    const all = roundProbes(rounds, round, left);
    const probes = pushes === undefined ? all : keepWithinPushes(all, Math.floor(pushes * probePushShare), pushed);
    yield* probes;
    const sent = probes.reduce((sum, { requests }) => sum + requests, 0);
    // A round that sends less than half of what it may is not worth another.
    if (probes.length === 0 || (isChosen === undefined && sent < Math.min(maxRoundRequests, left) / 2)) return;
    left -= sent;
  }
}

/** Explores round after round, until the requests are sent or the time is over. */
export function exploreRounds(rounds: RoundsOptions): Promise<ExplorationResult> {
  const { pushes, onReached, attempt, from = { explored: nothingExplored, done: 0, pushes: {} } } = rounds;
  const pushed = new Map(Object.entries(from.pushes));
  onReached?.(from);
  return explore({
    ...rounds,
    from,
    probes: planRounds(rounds),
    attempt: pushes === undefined ? attempt : limitPushes(attempt, pushes, pushed),
    onKept: (reached) => onReached?.({ ...reached, pushes: Object.fromEntries(pushed) }),
  });
}
