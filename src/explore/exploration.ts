import type { RunnableInterface } from '../engine/context/case-context.ts';
import { planRun, runs } from '../engine/plan/assign.ts';
import { randomOf } from '../lib/covering/random.ts';
import type { Strength } from '../lib/covering/uncovered.ts';
import type { Target } from '../model/target.ts';
import type { Suites } from '../suite/suites.ts';
import type { Written } from '../suite/written.ts';
import type { Kind, Probe } from './probe.ts';

export interface ExplorationGround {
  readonly suites: Suites;
  /** The same as their files write it. */
  readonly written: Written;
  readonly target: Target;
  /** Whether the target has what a case requires, or one of the cases of a table. */
  readonly runs: (id: string) => boolean;
}

/** The ground of a target, as a run would assign the listed cases to it. */
export function groundOf(
  { suites, written, target }: Omit<ExplorationGround, 'runs'>,
  certified: RunnableInterface,
): ExplorationGround {
  const planned = planRun({ cases: suites.cases }, target, { interface: certified, all: suites.cases });
  const ids = planned.filter(runs).map((one) => one.case.id);
  const running = new Set(ids.flatMap((id) => [id, id.replace(/\/.*/, '')]));
  return { suites, written, target, runs: (id) => running.has(id) };
}

export interface Wanted {
  readonly seed: string;
  /** From 1 on: what is listed goes on where the round before ended, and what is drawn is drawn anew. */
  readonly round: number;
  readonly strength: Strength;
  readonly requests: Readonly<Partial<Record<Kind, number>>>;
}

/** How an interface is explored: the same seed makes the same probes. */
export type MakeProbes = (ground: ExplorationGround, wanted: Wanted) => readonly Probe[];

/** How many of the request objects are of which kind. */
const shares: Readonly<Record<Kind, number>> = {
  members: 0.23,
  values: 0.17,
  bytes: 0.06,
  sequences: 0.23,
  races: 0.06,
  volume: 0.25,
};

export function shareOut(requests: number, kinds: readonly Kind[]): Wanted['requests'] {
  const sum = kinds.reduce((all, kind) => all + shares[kind], 0);
  return Object.fromEntries(kinds.map((kind) => [kind, Math.round((requests * shares[kind]) / sum)]));
}

/** The seed of what a round draws: the first round draws by the seed itself. */
export const seedOfRound = ({ seed, round }: Pick<Wanted, 'seed' | 'round'>): string =>
  round === 1 ? seed : `${seed}/${round}`;

/** Of a list in the order of the seed, as many as a round takes: each round goes on where the one before ended. */
export function dealt<T>(
  list: readonly T[],
  { seed, round }: Pick<Wanted, 'seed' | 'round'>,
  count: number,
): readonly T[] {
  const taken = Math.min(Math.floor(count), list.length);
  const order = randomOf(seed).shuffled(list);
  const from = (round - 1) * taken;
  return Array.from({ length: taken }, (_, at) => order[(from + at) % order.length]).filter((one) => one !== undefined);
}

/** Probes of all kinds in turn, each kind spread over the whole: what is found soon is found of every kind. */
export function interleaved(groups: readonly (readonly Probe[])[], seed: string): readonly Probe[] {
  const random = randomOf(`${seed} turns`);
  return groups
    .flatMap((group) => group.map((probe, at) => ({ probe, place: (at + random.below(1000) / 1000) / group.length })))
    .toSorted((a, b) => a.place - b.place)
    .map(({ probe }) => probe);
}
