import type { JsonObject } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import { type KeptParts, keepAllParts, type Probe } from './exploration.ts';
import type { TryResult } from './try-cases.ts';

/** Case of the suite language that a probe makes. */
export interface GeneratedCase {
  readonly id: string;
  readonly json: JsonObject;
  readonly probe: Probe;
}

/** Case made of the kept parts of a probe; undefined if nothing is left to try. */
export function buildCase(id: string, probe: Probe, kept: KeptParts = keepAllParts(probe)): GeneratedCase | undefined {
  const steps = probe.steps(kept);
  if (steps === undefined) return undefined;
  return { id, probe, json: { id, title: probe.title(kept), ...probe.setting, steps: [...steps] } };
}

export const buildCases = (probes: readonly Probe[], name: string): readonly GeneratedCase[] =>
  probes.flatMap((probe, at) => buildCase(`${name}-${at + 1}`, probe) ?? []);

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

/** Red findings of the cases' expectations, and of invariants in their messages; an informational one does not count. */
export function readProbeResults(
  made: readonly GeneratedCase[],
  { cases, invariants }: TryResult,
): readonly ProbeResult[] {
  const results = new Map(cases.map((one) => [one.id, one]));
  const broken = invariants.flatMap(({ id, findings }) => findings.map((finding) => ({ finding, invariant: id })));
  return made.flatMap(({ id, probe }): readonly ProbeResult[] => {
    const result = results.get(id);
    if (result === undefined) return [];
    const own = result.findings.map((finding): ShownFinding => ({ finding }));
    const shown = [...own, ...broken.filter(({ finding }) => finding.seenIn === id)].filter(
      ({ finding }) => finding.level !== 'informational',
    );
    return [{ probe, shown, ...(result.reason === undefined ? {} : { unjudged: result.reason }) }];
  });
}
