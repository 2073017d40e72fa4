import type { Finding } from '../../model/finding.ts';
import type { CaseResult, RuleResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { Verdict } from '../../model/verdict.ts';
import { type Fact, findingFacts, type FindingView } from './facts.ts';
import { clauseOf, renderFinding, verdictLegend } from './prose.ts';
import { forTerminal } from './sanitize.ts';

/** Why a testcase did not simply pass. */
export interface Trouble {
  readonly element: 'skipped' | 'error' | 'failure';
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

export interface Judged {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly followsFrom?: CaseResult['followsFrom'];
  readonly findings: readonly Finding[];
}

/** What all testcases share: the rules by id, and what a command that runs a case again must repeat. */
export interface Shared {
  readonly rules: ReadonlyMap<string, RuleResult>;
  readonly flags: readonly string[];
}

/** The rule a finding is about, then all its evidence, a line each. */
export function renderFindingText(view: FindingView, { rules, flags }: Shared): string {
  const { finding } = view;
  const rule = rules.get(finding.rule);
  const facts: readonly Fact[] = [
    { label: 'rule', text: renderRuleRef(finding) },
    ...(rule === undefined ? [] : [{ label: 'clause', text: clauseOf(rule.clause) }]),
    { label: 'level', text: finding.level },
    ...(rule === undefined
      ? []
      : [{ label: 'statement', text: rule.aspects?.[renderRuleRef(finding)] ?? rule.description }]),
    ...(rule?.interpretation === undefined ? [] : [{ label: 'interpretation', text: rule.interpretation }]),
    ...findingFacts(view, flags),
  ];
  return facts.map(({ label, text }) => `${label}: ${forTerminal(text)}`).join('\n');
}

function failureOf({ reason, findings }: Judged, { rules, textOf }: Showing): Trouble {
  const required = findings.filter(({ level }) => level === 'required');
  const counted = required.filter(({ rule }) => rules.get(rule)?.apart !== true);
  const broken = counted.filter(({ rule, followsFrom = rule }) => followsFrom === rule);
  const [first] = broken;
  if (first === undefined && required.length > 0) {
    const causes = [...new Set(counted.flatMap(({ followsFrom }) => followsFrom ?? []))].join(', ');
    const why = causes === '' ? 'of the baseline, and not counted for the outcome' : `follows from ${causes}`;
    const text = `${why}\n\n${required.map(textOf).join('\n\n')}`;
    return { element: 'skipped', type: 'fail', message: '', text };
  }
  const fallback = reason ?? 'it failed, but no finding was kept';
  if (first === undefined) return { element: 'failure', type: 'fail', message: fallback, text: forTerminal(fallback) };
  const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : '';
  const message = `${renderRuleRef(first)}: ${renderFinding(first).summary}${more}`;
  return { element: 'failure', type: first.code, message, text: broken.map(textOf).join('\n\n') };
}

/** `textOf` gives the full text of one finding. */
interface Showing extends Pick<Shared, 'rules'> {
  readonly textOf: (finding: Finding) => string;
}

/** What JUnit calls a verdict; undefined where the testcase passes. */
export function troubleOf(judged: Judged, showing: Showing): Trouble | undefined {
  const { verdict, followsFrom } = judged;
  const { reason = verdictLegend[verdict] } = judged;
  if (followsFrom !== undefined && verdict === 'inconclusive') {
    const text = forTerminal(`follows from ${followsFrom.rule}: ${reason}`);
    return { element: 'skipped', type: verdict, message: '', text };
  }
  if (verdict === 'pass' || verdict === 'informational' || verdict === 'warn') return undefined;
  if (verdict === 'fail') return failureOf(judged, showing);
  if (verdict === 'not-run' || verdict === 'not-applicable' || verdict === 'attested') {
    return { element: 'skipped', type: verdict, message: '', text: forTerminal(`${verdict}: ${reason}`) };
  }
  return { element: 'error', type: verdict, message: reason, text: forTerminal(reason) };
}
