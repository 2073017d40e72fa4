import type { Json, JsonObject } from '../lib/json.ts';
import { groupBy } from '../lib/lists.ts';
import { allOf, type Kept, type Probe } from './probe.ts';

export interface MadeCase {
  readonly id: string;
  readonly json: JsonObject;
  /** By the prefix of their steps. */
  readonly probes: ReadonlyMap<string, Probe>;
}

/** Probes that share a case at most: what stops one stops those behind it. */
const mostTogether = 12;

const settingKey = (probe: Probe): string => JSON.stringify([probe.setting(allOf(probe)), probe.control ?? null]);

function caseOf(id: string, probes: readonly Probe[], kept: (probe: Probe) => Kept): MadeCase | undefined {
  const [first] = probes;
  const named = probes.map((probe, at) => [probes.length === 1 ? '' : `p${at + 1}-`, probe] as const);
  const steps = named.flatMap(([prefix, probe]) => probe.steps(kept(probe), prefix) ?? []);
  if (first === undefined || steps.length === 0) return undefined;
  const control: readonly Json[] =
    first.control === undefined ? [] : [{ as: 'control', authorize: first.control, expect: 'accepted', control: true }];
  const { requires, receiver, ...setting } = first.setting(kept(first));
  const json: JsonObject = {
    id,
    title: probes.length === 1 ? first.title(kept(first)) : `${probes.length} explored requests`,
    ...setting,
    ...(requires === undefined ? {} : { requires: [...requires] }),
    ...(receiver === undefined ? {} : { receiver }),
    steps: [...steps, ...control],
  };
  return { id, json, probes: new Map(named) };
}

/** The case of one probe, with what is kept of it; undefined where that tries nothing. */
export const caseOfOne = (id: string, probe: Probe, kept: Kept = allOf(probe)): MadeCase | undefined =>
  caseOf(id, [probe], () => kept);

/** The cases of many probes: those that may, share one. */
export function casesOf(probes: readonly Probe[], name: string): readonly MadeCase[] {
  const alone = probes.filter((probe) => probe.alone).map((probe) => [probe]);
  const together = [
    ...groupBy(
      probes.filter((probe) => !probe.alone),
      settingKey,
    ).values(),
  ].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / mostTogether) }, (_, at) =>
      group.slice(at * mostTogether, (at + 1) * mostTogether),
    ),
  );
  return [...together, ...alone].flatMap((group, at) => caseOf(`${name}-${at + 1}`, group, allOf) ?? []);
}
