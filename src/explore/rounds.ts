import type { Strength } from '../lib/covering/uncovered.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import {
  type ExplorationGround,
  type MakeProbes,
  shareOut,
  allOf,
  type Probe,
  type Kind,
  kinds,
} from './exploration.ts';
import { causeOf, explore, type Explored, type Exploring } from './explore.ts';
import type { Try, Found } from './settle.ts';

/** Request objects that may show on a phone, by the subscriber's tag. */
type Pushes = ReadonlyMap<string, number>;

const usualTag = 'consented';

const outcomeOf = (expect: Json | undefined): Json | undefined =>
  isJsonObject(expect) ? expect['outcome'] : Array.isArray(expect) ? outcomeOf((expect as readonly Json[])[0]) : expect;

/** A conforming carrier shows no refused request on a phone. */
const isRefused = ({ expect }: JsonObject): boolean => {
  const outcome = outcomeOf(expect);
  return typeof outcome === 'string' && outcome.startsWith('denied');
};

/** Tag of the subscriber that a step names, else the case's own. */
const tagOf = (difference: Json, own: string): string =>
  /subscribers\.([a-z0-9-]+)/.exec(JSON.stringify(difference))?.[1] ?? own;

export function pushesOf(steps: readonly JsonObject[], subscriber: string = usualTag): Pushes {
  const pushes = new Map<string, number>();
  for (const step of steps) {
    const { authorize, times } = step;
    if (authorize === undefined || isRefused(step)) continue;
    const tag = tagOf(authorize, subscriber);
    pushes.set(tag, (pushes.get(tag) ?? 0) + (typeof times === 'number' ? times : 1));
  }
  return pushes;
}

function addPushes(all: Map<string, number>, more: Pushes): void {
  for (const [tag, count] of more) all.set(tag, (all.get(tag) ?? 0) + count);
}

const ofProbe = (probe: Probe): Pushes => {
  const kept = allOf(probe);
  return pushesOf(
    [...(probe.steps(kept, 'p') ?? []), ...(probe.control === undefined ? [] : [{ authorize: probe.control }])],
    probe.setting(kept).subscriber,
  );
};

const fits = (sent: Pushes, more: Pushes, most: number): boolean =>
  [...more].every(([tag, count]) => (sent.get(tag) ?? 0) + count <= most);

/** Probes that keep every subscriber within `most` pushes, in their order; `sent` counts them. */
export function withinPushes(
  probes: readonly Probe[],
  most: number,
  sent: Map<string, number> = new Map(),
): readonly Probe[] {
  return probes.filter((probe) => {
    const more = ofProbe(probe);
    if (!fits(sent, more, most)) return false;
    addPushes(sent, more);
    return true;
  });
}

const asSteps = (json: Json | undefined): readonly JsonObject[] =>
  Array.isArray(json) ? (json as readonly Json[]).filter(isJsonObject) : [];

/** Sends no cases that would exceed `most` pushes for a subscriber, and stops there; `sent` counts them. */
export function limitPushes(attempt: Try, most: number, sent: Map<string, number> = new Map()): Try {
  return async (cases) => {
    const more = new Map<string, number>();
    for (const { steps, subscriber } of cases) {
      addPushes(more, pushesOf(asSteps(steps), typeof subscriber === 'string' ? subscriber : undefined));
    }
    if (!fits(sent, more, most)) {
      return { cases: [], invariants: [], stopped: `no subscriber may have more than ${most} pushes` };
    }
    addPushes(sent, more);
    return attempt(cases);
  };
}

interface Planned {
  readonly ground: ExplorationGround;
  readonly probesOf: MakeProbes;
  readonly seed: string;
  readonly strength: Strength;
  readonly kinds: readonly Kind[];
  /** Request objects in all rounds. */
  readonly requests: number;
  /** Selects probes; absent: all. */
  readonly isChosen?: (probe: Probe) => boolean;
  /** Most pushes for one subscriber; absent: no limit. */
  readonly pushes?: number;
}

export interface Reached {
  readonly explored: Explored;
  /** Finished probes of all rounds. */
  readonly done: number;
  /** Pushes by the subscriber's tag; counted only if they are limited. */
  readonly pushes: Readonly<Record<string, number>>;
}

export interface Rounds extends Planned, Pick<Exploring, 'attempt' | 'width' | 'goOn' | 'signal' | 'onProgress'> {
  /** State of an earlier exploration to continue from. */
  readonly from?: Reached;
  readonly onReached?: (reached: Reached) => void;
}

/** Share of the pushes for probes; the rest is for shrinking their findings. */
const forProbes = 2 / 3;

/** Request objects in a round; each round makes other probes from the same seed. */
const perRound = 5000;

const sum = (counts: Explored['requests']): number => Object.values(counts).reduce((all, count) => all + count, 0);

const joinCounts = (one: Explored['requests'], other: Explored['requests']): Explored['requests'] =>
  Object.fromEntries(
    kinds.flatMap((kind) => {
      const count = (one[kind] ?? 0) + (other[kind] ?? 0);
      return count === 0 ? [] : [[kind, count]];
    }),
  );

/** Joins the findings of two rounds; one cause counts once. */
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

/** Chosen probes of a round that fit into the requests left. */
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

/** Most rounds if only some probes are chosen. */
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

/** Whether a round sends less than half of what it may, so that another is not worth it. */
const isTooLittle = ({ isChosen }: Planned, sent: number, left: number): boolean =>
  isChosen === undefined && sent < Math.min(perRound, left) / 2;

/** Plans the probes of all rounds without sending any. */
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

/** Explores one round from where an earlier exploration ended; returns the results of all rounds so far. */
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
  return { all: joinRounds(earlier, explored), sent: requestsOf(probes.slice(0, first)) + sum(explored.requests) };
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
