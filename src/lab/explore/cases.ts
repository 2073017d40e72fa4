import type { Json, JsonObject } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import type { Finding } from '../../model/finding.ts';
import { type KeptParts, keepAllParts, type Probe } from './exploration.ts';
import type { TriedCase, TryResult } from './try-cases.ts';

export interface GeneratedCase {
  readonly id: string;
  readonly json: JsonObject;
  /** Keyed by the prefix of their step names. */
  readonly probes: ReadonlyMap<string, Probe>;
}

/** Most probes in one case: a failure that stops one also stops those after it. */
const maxProbesPerCase = 12;

const probeSettingKey = (probe: Probe): string =>
  JSON.stringify([probe.setting(keepAllParts(probe)), probe.control ?? null]);

function buildProbeCase(
  id: string,
  probes: readonly Probe[],
  kept: (probe: Probe) => KeptParts,
): GeneratedCase | undefined {
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
export const buildSingleCase = (
  id: string,
  probe: Probe,
  kept: KeptParts = keepAllParts(probe),
): GeneratedCase | undefined => buildProbeCase(id, [probe], () => kept);

/** Cases for many probes; those with the same setting and control share a case, unless they are `alone`. */
export function buildCases(probes: readonly Probe[], name: string): readonly GeneratedCase[] {
  const alone = probes.filter((probe) => probe.alone).map((probe) => [probe]);
  const together = [
    ...groupBy(
      probes.filter((probe) => !probe.alone),
      probeSettingKey,
    ).values(),
  ].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / maxProbesPerCase) }, (_, at) =>
      group.slice(at * maxProbesPerCase, (at + 1) * maxProbesPerCase),
    ),
  );
  return [...together, ...alone].flatMap((group, at) => buildProbeCase(`${name}-${at + 1}`, group, keepAllParts) ?? []);
}

export interface ShownFinding {
  readonly finding: Finding;
  readonly invariant?: string;
}

export interface ProbeResult {
  readonly probe: Probe;
  readonly shown: readonly ShownFinding[];
  /** Reason for a missing verdict. */
  readonly unjudged?: string;
}

/** Rule, code and path of a finding; list indexes are replaced, so that all items of a list count as one breach. */
export const breachKey = ({ rule, code, path = '' }: Pick<Finding, 'rule' | 'code' | 'path'>): string =>
  [rule, code, path.replaceAll(/\d+/g, 'n')].join(' ');

/** Equal for two findings of the same breach. */
export const findingSignature = ({ finding, invariant = '' }: ShownFinding): string =>
  `${breachKey(finding)} ${invariant}`;

const stepPrefix = (step: string | undefined, { probes }: GeneratedCase): string | undefined =>
  probes.size === 1 ? [...probes.keys()][0] : [...probes.keys()].find((prefix) => step?.startsWith(prefix) === true);

/** An informational finding does not count. */
const isRedFinding = ({ finding }: ShownFinding): boolean => finding.level !== 'informational';

interface StepFinding {
  readonly step: string | undefined;
  readonly shown: ShownFinding;
}

function findingsByStep(
  result: TriedCase,
  ofInvariants: readonly (readonly [string, Finding])[],
): readonly StepFinding[] {
  const stepOf = new Map(result.messages.map(({ id, step }) => [id, step]));
  return [
    ...result.findings.map((finding) => ({ step: finding.step, shown: { finding } })),
    ...ofInvariants.map(([invariant, finding]) => ({
      step: stepOf.get(finding.message ?? ''),
      shown: { finding, invariant },
    })),
  ];
}

function caseProbeResults(
  made: GeneratedCase,
  result: TriedCase,
  ofInvariants: readonly (readonly [string, Finding])[],
): readonly ProbeResult[] {
  const shown = groupBy(
    findingsByStep(result, ofInvariants).filter((one) => isRedFinding(one.shown)),
    ({ step }) => stepPrefix(step, made) ?? '',
  );
  const unjudged = result.reason;
  return [...made.probes].map(([prefix, probe]) => ({
    probe,
    shown: (shown.get(prefix) ?? []).map((one) => one.shown),
    ...(unjudged === undefined ? {} : { unjudged }),
  }));
}

export function readProbeResults(
  made: readonly GeneratedCase[],
  { cases, invariants }: TryResult,
): readonly ProbeResult[] {
  const results = new Map(cases.map((one) => [one.id, one]));
  const broken = groupBy(
    invariants.flatMap(({ id, findings }) => findings.map((finding) => [id, finding] as const)),
    ([, { seenIn = '' }]) => seenIn,
  );
  return made.flatMap((one) => {
    const result = results.get(one.id);
    return result === undefined ? [] : caseProbeResults(one, result, broken.get(one.id) ?? []);
  });
}
