import type { RunnableInterface } from '../../engine/context/case-context.ts';
import { isAssigned, planRun } from '../../engine/plan/assign.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import type { Suites } from '../../suite/suites.ts';

/** Ways to draw requests that no suite lists. */
export const probeKinds = ['values', 'sequences', 'races', 'windows'] as const;
export type ProbeKind = (typeof probeKinds)[number];

/** For each part of a probe: true if it is kept. */
export type KeptParts = readonly boolean[];

/** Requests judged together, as a case of the suite language. */
export interface Probe {
  readonly kind: ProbeKind;
  /** One sentence that says what a conforming carrier does. */
  readonly title: (kept: KeptParts) => string;
  /** Keys of the case other than its title and steps. */
  readonly setting: JsonObject;
  /** Names of the parts that can be left out one by one. */
  readonly parts: readonly string[];
  /** Steps for the kept parts; undefined if nothing is left to try. */
  readonly steps: (kept: KeptParts) => readonly JsonObject[] | undefined;
  /** Number of request objects sent. */
  readonly requests: number;
}

export const keepAllParts = ({ parts }: Probe): KeptParts => parts.map(() => true);

export const keptPartNames = ({ parts }: Probe, kept: KeptParts): readonly string[] =>
  parts.filter((_, at) => kept[at] === true);

function collectRules(json: Json): readonly string[] {
  if (Array.isArray(json)) return (json as readonly Json[]).flatMap(collectRules);
  if (!isJsonObject(json)) return [];
  const { rule } = json;
  return [...(typeof rule === 'string' ? [rule] : []), ...Object.values(json).flatMap(collectRules)];
}

/** Whether the steps of a probe name one of these rules. */
export const testsRules = (probe: Probe, ids: ReadonlySet<string>): boolean =>
  collectRules([...(probe.steps(keepAllParts(probe)) ?? [])]).some((rule) => ids.has(rule.split('#')[0] ?? rule));

export interface ExplorationGround {
  readonly suites: Suites;
  readonly target: Target;
  /** Whether the target meets the requirements of a case, or of any row of a table with this id. */
  readonly runs: (id: string) => boolean;
}

/** Ground of a target; `runs` follows the plan that a run would make. */
export function createGround(
  { suites, target }: Omit<ExplorationGround, 'runs'>,
  certified: RunnableInterface,
): ExplorationGround {
  const planned = planRun({ cases: suites.cases }, target, { interface: certified, all: suites.cases });
  const ids = planned.filter(isAssigned).map((one) => one.case.id);
  const running = new Set(ids.flatMap((id) => [id, id.replace(/\/.*/, '')]));
  return { suites, target, runs: (id) => running.has(id) };
}

export interface RoundSettings {
  readonly seed: string;
  /** From 1. Each round draws other probes. */
  readonly round: number;
  readonly requests: Readonly<Partial<Record<ProbeKind, number>>>;
}

/** Makes the probes of an interface; the same seed makes the same probes. */
export type ProbeMaker = (ground: ExplorationGround, wanted: RoundSettings) => readonly Probe[];

/** Share of each kind in the request objects. */
const kindShares: Readonly<Record<ProbeKind, number>> = { values: 0.4, sequences: 0.3, races: 0.15, windows: 0.15 };

export function shareRequests(requests: number, kinds: readonly ProbeKind[]): RoundSettings['requests'] {
  const sum = kinds.reduce((all, kind) => all + kindShares[kind], 0);
  return Object.fromEntries(kinds.map((kind) => [kind, Math.round((requests * kindShares[kind]) / sum)]));
}

/** Seed of a round's random draws; the first round uses the seed itself. */
export const roundSeed = ({ seed, round }: Pick<RoundSettings, 'seed' | 'round'>): string =>
  round === 1 ? seed : `${seed}/${round}`;

/** Draws probes until their requests are as many as wanted. */
export function drawWithinRequests(requests: number, draw: (at: number) => Probe): readonly Probe[] {
  const probes: Probe[] = [];
  for (let left = requests; left > 0; left -= probes.at(-1)?.requests ?? left) probes.push(draw(probes.length));
  return probes;
}

/** Interleaves the groups evenly, so that early findings come from every kind. */
export function interleaveProbes(groups: readonly (readonly Probe[])[], seed: string): readonly Probe[] {
  const random = seededRandom(`${seed} turns`);
  return groups
    .flatMap((group) => group.map((probe, at) => ({ probe, place: (at + random.below(1000) / 1000) / group.length })))
    .toSorted((a, b) => a.place - b.place)
    .map(({ probe }) => probe);
}
