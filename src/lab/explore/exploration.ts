import type { RunnableInterface } from '../../engine/context/case-context.ts';
import { isAssigned, planRun } from '../../engine/plan/assign.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import type { Strength } from '../../lib/covering/uncovered-tuples.ts';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { Target } from '../../model/target.ts';
import type { WrittenSuites } from '../../suite/expand/written-cases.ts';
import type { Suites } from '../../suite/suites.ts';

/** Ways to draw requests that no suite lists. */
export const probeKinds = ['members', 'values', 'sequences', 'chains', 'races', 'windows'] as const;
export type ProbeKind = (typeof probeKinds)[number];

/** Keys of a case other than its steps; probes with equal settings can share a case. */
export interface CaseSetting {
  readonly client?: string;
  readonly subscriber?: string;
  readonly requires?: readonly string[];
  readonly exclusive?: true;
  readonly receiver?: JsonObject;
}

/** For each part of a probe: true if it is kept. */
export type KeptParts = readonly boolean[];

/** Requests judged together, as steps of the suite language. */
export interface Probe {
  readonly kind: ProbeKind;
  /** Subject of the probe without its variations; probes with the same base may have one cause. */
  readonly base: string;
  /** Rules under test; if empty, the rules that its steps name. */
  readonly rules: readonly string[];
  /** One sentence that says what a conforming carrier does. */
  readonly title: (kept: KeptParts) => string;
  readonly setting: (kept: KeptParts) => CaseSetting;
  /** Names of the parts that can be left out one by one. */
  readonly parts: readonly string[];
  /** Member that each part varies: two values of one member may have one cause. Default: the part itself. */
  readonly varies?: readonly string[];
  /** Steps for the kept parts, named with `prefix`; undefined if nothing is left to try. */
  readonly steps: (kept: KeptParts, prefix: string) => readonly JsonObject[] | undefined;
  /** Difference of the control request; unless it is accepted, the probe is inconclusive. Absent: no control. */
  readonly control?: JsonObject;
  /** Needs a case of its own, because its effects would show in other probes. */
  readonly alone: boolean;
  /** Number of request objects sent. */
  readonly requests: number;
}

export const keepAllParts = ({ parts }: Probe): KeptParts => parts.map(() => true);

export const keptPartNames = ({ parts }: Probe, kept: KeptParts): readonly string[] =>
  parts.filter((_, at) => kept[at] === true);

export const keptVariations = ({ parts, varies = parts }: Probe, kept: KeptParts): readonly string[] =>
  [...new Set(varies.filter((_, at) => kept[at] === true))].toSorted();

function collectRules(json: Json): readonly string[] {
  if (Array.isArray(json)) return (json as readonly Json[]).flatMap(collectRules);
  if (!isJsonObject(json)) return [];
  const { rule } = json;
  return [...(typeof rule === 'string' ? [rule] : []), ...Object.values(json).flatMap(collectRules)];
}

/** Whether a probe tests one of these rules, by its own list or by its steps. */
export function testsRules(probe: Probe, ids: ReadonlySet<string>): boolean {
  const rules = probe.rules.length > 0 ? probe.rules : collectRules([...(probe.steps(keepAllParts(probe), 'p') ?? [])]);
  return rules.some((rule) => ids.has(rule.split('#')[0] ?? rule));
}

/** Probe that cannot be shrunk. */
interface WholeProbe extends Pick<Probe, 'kind' | 'rules' | 'alone' | 'requests'> {
  readonly title: string;
  readonly setting?: CaseSetting;
  readonly steps: (prefix: string) => readonly JsonObject[];
}

/** Makes a probe without parts, with the valid request as its control. */
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
  /** Suites as their files write them. */
  readonly written: WrittenSuites;
  readonly target: Target;
  /** Whether the target meets the requirements of a case, or of any row of a table with this id. */
  readonly runs: (id: string) => boolean;
  /** Verbs whose steps send requests to the carrier. */
  readonly sendingVerbs: readonly string[];
}

/** Ground of a target; `runs` follows the plan that a run would make. */
export function createGround(
  { suites, written, target }: Omit<ExplorationGround, 'runs' | 'sendingVerbs'>,
  certified: RunnableInterface,
): ExplorationGround {
  const planned = planRun({ cases: suites.cases }, target, { interface: certified, all: suites.cases });
  const ids = planned.filter(isAssigned).map((one) => one.case.id);
  const running = new Set(ids.flatMap((id) => [id, id.replace(/\/.*/, '')]));
  const sendingVerbs = certified.verbs.filter(({ sends }) => sends).map(({ verb }) => verb);
  return { suites, written, target, runs: (id) => running.has(id), sendingVerbs };
}

export interface RoundSettings {
  readonly seed: string;
  /** From 1. Each round draws other probes. */
  readonly round: number;
  readonly strength: Strength;
  readonly requests: Readonly<Partial<Record<ProbeKind, number>>>;
}

/** Makes the probes of an interface; the same seed makes the same probes. */
export type ProbeMaker = (ground: ExplorationGround, wanted: RoundSettings) => readonly Probe[];

/** Share of each kind in the request objects. */
const kindShares: Readonly<Record<ProbeKind, number>> = {
  members: 0.25,
  values: 0.08,
  sequences: 0.15,
  chains: 0.3,
  races: 0.1,
  windows: 0.12,
};

export function shareRequests(requests: number, kinds: readonly ProbeKind[]): RoundSettings['requests'] {
  const sum = kinds.reduce((all, kind) => all + kindShares[kind], 0);
  return Object.fromEntries(kinds.map((kind) => [kind, Math.round((requests * kindShares[kind]) / sum)]));
}

/** Seed of a round's random draws; the first round uses the seed itself. */
export const roundSeed = ({ seed, round }: Pick<RoundSettings, 'seed' | 'round'>): string =>
  round === 1 ? seed : `${seed}/${round}`;

/** Draws probes until their requests are as many as wanted, or nothing more can be drawn. */
export function drawWithinRequests(requests: number, draw: (at: number) => Probe | undefined): readonly Probe[] {
  const probes: Probe[] = [];
  for (let left = requests; left > 0; ) {
    const probe = draw(probes.length);
    if (probe === undefined || probe.requests === 0) break;
    probes.push(probe);
    left -= probe.requests;
  }
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
