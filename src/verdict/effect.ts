import type { ExpectedFailure } from '../model/expected-failure.ts';
import type { Finding } from '../model/finding.ts';
import type { Rule } from '../model/rule.ts';
import { countsWhole, type Counting } from './profiles.ts';
import { countedVerdict } from './standing.ts';

/** What a finding does to a run, by what is known of it before the run ends. */
export type FindingEffect = 'breaks' | 'expected' | 'uncounted' | 'warns' | 'none';

interface KnownBefore {
  readonly rules: readonly Rule[];
  readonly counting: Counting;
  readonly expected: readonly ExpectedFailure[] | undefined;
  /** Day in UTC: `2026-11-21`. */
  readonly today: string;
}

/** Effect of a finding of the case or invariant `judge`: for what is told, and for --bail, while the run lasts. */
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
