import type { Json, JsonObject } from '../lib/json.ts';
import { groupBy } from '../lib/lists.ts';
import type { Finding } from '../model/finding.ts';
import { allOf, type Kept, type Probe } from './exploration.ts';
import type { TriedCase, TriedCases } from './try-cases.ts';

export interface MadeCase {
  readonly id: string;
  readonly json: JsonObject;
  /** Keyed by the prefix of their step names. */
  readonly probes: ReadonlyMap<string, Probe>;
}

/** Most probes in one case: a failure that stops one also stops those after it. */
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

/** Case made of the kept parts of one probe; undefined if nothing is left to try. */
export const caseOfOne = (id: string, probe: Probe, kept: Kept = allOf(probe)): MadeCase | undefined =>
  caseOf(id, [probe], () => kept);

/** Cases for many probes; those with the same setting and control share a case, unless they are `alone`. */
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

export interface Shown {
  readonly finding: Finding;
  readonly invariant?: string;
}

export interface Tried {
  readonly probe: Probe;
  readonly shown: readonly Shown[];
  /** Reason for a missing verdict. */
  readonly unjudged?: string;
}

/** Rule, code and path of a finding; list indexes are replaced, so that all items of a list count as one breach. */
export const breachOf = ({ rule, code, path = '' }: Pick<Finding, 'rule' | 'code' | 'path'>): string =>
  [rule, code, path.replaceAll(/\d+/g, 'n')].join(' ');

/** Equal for two findings of the same breach. */
export const signatureOf = ({ finding, invariant = '' }: Shown): string => `${breachOf(finding)} ${invariant}`;

const prefixOf = (step: string | undefined, { probes }: MadeCase): string | undefined =>
  probes.size === 1 ? [...probes.keys()][0] : [...probes.keys()].find((prefix) => step?.startsWith(prefix) === true);

/** An informational finding does not count. */
const isRed = ({ finding }: Shown): boolean => finding.level !== 'informational';

interface Of {
  readonly step: string | undefined;
  readonly shown: Shown;
}

function shownIn(result: TriedCase, ofInvariants: readonly (readonly [string, Finding])[]): readonly Of[] {
  const stepOf = new Map(result.messages.map(({ id, step }) => [id, step]));
  return [
    ...result.findings.map((finding) => ({ step: finding.step, shown: { finding } })),
    ...ofInvariants.map(([invariant, finding]) => ({
      step: stepOf.get(finding.message ?? ''),
      shown: { finding, invariant },
    })),
  ];
}

function triedIn(
  made: MadeCase,
  result: TriedCase,
  ofInvariants: readonly (readonly [string, Finding])[],
): readonly Tried[] {
  const shown = groupBy(
    shownIn(result, ofInvariants).filter((one) => isRed(one.shown)),
    ({ step }) => prefixOf(step, made) ?? '',
  );
  const unjudged = result.reason;
  return [...made.probes].map(([prefix, probe]) => ({
    probe,
    shown: (shown.get(prefix) ?? []).map((one) => one.shown),
    ...(unjudged === undefined ? {} : { unjudged }),
  }));
}

export function shownBy(made: readonly MadeCase[], { cases, invariants }: TriedCases): readonly Tried[] {
  const results = new Map(cases.map((one) => [one.id, one]));
  const broken = groupBy(
    invariants.flatMap(({ id, findings }) => findings.map((finding) => [id, finding] as const)),
    ([, { seenIn = '' }]) => seenIn,
  );
  return made.flatMap((one) => {
    const result = results.get(one.id);
    return result === undefined ? [] : triedIn(one, result, broken.get(one.id) ?? []);
  });
}
