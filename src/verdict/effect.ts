import type { ExpectedFailure } from '../model/expected-failure.ts';
import type { Finding } from '../model/finding.ts';
import type { Rule } from '../model/rule.ts';
import { countsWhole, type Counting } from './profiles.ts';
import { countedVerdict } from './standing.ts';

/** Effect of a finding on a run, as known before the run ends. */
export type FindingEffect = 'breaks' | 'expected' | 'uncounted' | 'warns' | 'none';

interface KnownBefore {
  readonly rules: readonly Rule[];
  readonly counting: Counting;
  readonly expected: readonly ExpectedFailure[] | undefined;
  /** Day in UTC: `2026-11-21`. */
  readonly today: string;
}

/** Looks up the effect of a finding of the case or invariant `judge`: for progress lines, and for --bail. */
export function createEffectLookup({
  rules,
  counting,
  expected = [],
  today,
}: KnownBefore): (finding: Finding, judge: string) => FindingEffect {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const holding = expected.filter(({ expires }) => expires >= today);
  return (finding, judge) => {
    const verdict = countedVerdict(finding);
    if (verdict !== 'fail') return verdict === 'warn' ? 'warns' : 'none';
    const rule = byId.get(finding.rule);
    const isCritical = rule?.aspects.some(({ id, critical }) => id === finding.aspect && critical === true) === true;
    if (rule === undefined || !(countsWhole(rule, counting) || isCritical)) return 'uncounted';
    const isExpected = holding.some(({ what, name }) => name === (what === 'rule' ? finding.rule : judge));
    return isExpected ? 'expected' : 'breaks';
  };
}
