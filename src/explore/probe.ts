import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';

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
export interface WholeProbe extends Pick<Probe, 'kind' | 'rules' | 'alone' | 'requests'> {
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
