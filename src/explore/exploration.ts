import type { RunnableInterface } from '../engine/context/case-context.ts';
import { planRun, isAssigned } from '../engine/plan/assign.ts';
import { randomOf } from '../lib/covering/random.ts';
import type { Strength } from '../lib/covering/uncovered.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import type { Target } from '../model/target.ts';
import type { Suites } from '../suite/suites.ts';
import type { Written } from '../suite/written.ts';

/** The ways in which requests are made that no suite lists. */
export const kinds = ['members', 'values', 'bytes', 'sequences', 'races', 'volume'] as const;
export type Kind = (typeof kinds)[number];

/** What a case has beside its steps: probes of equal settings can share a case. */
export interface Setting {
  readonly client?: string;
  readonly subscriber?: string;
  readonly requires?: readonly string[];
  readonly exclusive?: true;
  readonly receiver?: JsonObject;
}

/** Which parts of a probe are kept: `true` by its place. */
export type Kept = readonly boolean[];

/** Requests that are judged together, as steps of the suite language. */
export interface Probe {
  readonly kind: Kind;
  /** What it tries, whatever else goes with it: probes of one base can show one cause. */
  readonly base: string;
  /** The rules that it is about; none where it is about all of them. */
  readonly rules: readonly string[];
  /** One sentence for a person: what a carrier that conforms does. */
  readonly title: (kept: Kept) => string;
  readonly setting: (kept: Kept) => Setting;
  /** Names of what can be left out, one by one. */
  readonly parts: readonly string[];
  /** What each of the parts varies: two values of one thing can show one cause. Without it, each part itself. */
  readonly varies?: readonly string[];
  /** The steps with the kept parts; their names begin with `prefix`. Undefined where nothing is left to try. */
  readonly steps: (kept: Kept, prefix: string) => readonly JsonObject[] | undefined;
  /** The difference of a request that must be accepted after it, or the probe says nothing; without one, none is sent. */
  readonly control?: JsonObject;
  /** It needs a case of its own: what it leaves would show in another. */
  readonly alone: boolean;
  /** Request objects that it sends. */
  readonly requests: number;
}

export const allOf = ({ parts }: Probe): Kept => parts.map(() => true);

export const keptNames = ({ parts }: Probe, kept: Kept): readonly string[] =>
  parts.filter((_, at) => kept[at] === true);

export const keptVariations = ({ parts, varies = parts }: Probe, kept: Kept): readonly string[] =>
  [...new Set(varies.filter((_, at) => kept[at] === true))].toSorted();

function rulesIn(json: Json): readonly string[] {
  if (Array.isArray(json)) return (json as readonly Json[]).flatMap(rulesIn);
  if (!isJsonObject(json)) return [];
  const { rule } = json;
  return [...(typeof rule === 'string' ? [rule] : []), ...Object.values(json).flatMap(rulesIn)];
}

/** Whether a probe is about one of these rules: it says so, or its steps judge it. */
export function isAbout(probe: Probe, ids: ReadonlySet<string>): boolean {
  const rules = probe.rules.length > 0 ? probe.rules : rulesIn([...(probe.steps(allOf(probe), 'p') ?? [])]);
  return rules.some((rule) => ids.has(rule.split('#')[0] ?? rule));
}

/** A probe of which nothing can be left out. */
interface WholeProbe extends Pick<Probe, 'kind' | 'rules' | 'alone' | 'requests'> {
  readonly title: string;
  readonly setting?: Setting;
  readonly steps: (prefix: string) => readonly JsonObject[];
}

/** After it the valid request is accepted. */
export const wholeProbe = ({ title, setting = {}, steps, ...others }: WholeProbe): Probe => ({
  ...others,
  base: title,
  title: () => title,
  setting: () => setting,
  parts: [],
  steps: (_, prefix) => steps(prefix),
  control: {},
});

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
  const ids = planned.filter(isAssigned).map((one) => one.case.id);
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
