import type { Finding } from '../../model/finding.ts';
import type { CaseResult, RuleResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { Verdict } from '../../model/verdict.ts';
import { type Ending, isRed } from '../../model/ending.ts';
import { expectedWords, type Standing, type StandingOf } from './standing.ts';
import { type Fact, findingFacts, type FindingView } from './facts.ts';
import { headlineOf } from './headline.ts';
import { clauseOf, levelWords, verdictLegend } from './prose.ts';
import { forTerminal } from './sanitize.ts';

/** Why a testcase did not simply pass; of type `expected` where it failed, and an entry of expected.yaml tolerates it. */
export interface Trouble {
  readonly element: 'skipped' | 'error' | 'failure';
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

export interface Judged {
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly followsFrom?: CaseResult['followsFrom'];
  readonly findings: readonly Finding[];
}

/** What all testcases share: the rules by id, how findings stand, how the run ended, and what a command must repeat. */
export interface Shared {
  readonly standingOf: StandingOf;
  readonly ending: Ending;
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
    { label: 'level', text: levelWords(finding) },
    ...(rule === undefined
      ? []
      : [{ label: 'statement', text: rule.aspects?.[renderRuleRef(finding)] ?? rule.description }]),
    ...(rule?.interpretation === undefined ? [] : [{ label: 'interpretation', text: rule.interpretation }]),
    ...findingFacts(view, flags),
  ];
  return facts.map(({ label, text }) => `${label}: ${forTerminal(text)}`).join('\n');
}

/** Findings by how they stand; of one that fails, the first words say which, and how many more there are. */
const messageOf = ([first, ...more]: readonly [Finding, ...Finding[]], { viewOf }: Showing): string =>
  `${renderRuleRef(first)}: ${headlineOf(viewOf(first))}${more.length > 0 ? ` (and ${more.length} more)` : ''}`;

/** What failed, and turns nothing red: it is expected, follows from something, or does not count. */
function toleratedOf(required: readonly Finding[], standings: readonly Standing[], { textOf }: Showing): Trouble {
  const entry = standings.flatMap((one) => (one.kind === 'expected' ? [one.entry] : []))[0];
  const texts = required.map(textOf).join('\n\n');
  if (entry !== undefined) {
    const message = expectedWords(entry);
    return { element: 'skipped', type: 'expected', message, text: `${forTerminal(message)}\n\n${texts}` };
  }
  const causes = [
    ...new Set(
      required.flatMap(({ followsFrom, rule }, at) => {
        return standings[at]?.kind === 'follows' ? (followsFrom ?? rule) : [];
      }),
    ),
  ].join(', ');
  const why = causes === '' ? 'of a rule that does not count for the outcome' : `follows from ${causes}`;
  return { element: 'skipped', type: 'fail', message: '', text: `${why}\n\n${texts}` };
}

function failureOf({ id, reason, findings }: Judged, showing: Showing): Trouble {
  const required = findings.filter(({ level }) => level === 'required');
  const standings = required.map((finding) => showing.standingOf(finding, id));
  const [first, ...more] = required.filter((_, at) => standings[at]?.kind === 'broken');
  if (first === undefined && required.length > 0) return toleratedOf(required, standings, showing);
  const fallback = reason ?? 'it failed, but no finding was kept';
  if (first === undefined) return { element: 'failure', type: 'fail', message: fallback, text: forTerminal(fallback) };
  const text = [first, ...more].map(showing.textOf).join('\n\n');
  return { element: 'failure', type: first.code, message: messageOf([first, ...more], showing), text };
}

/** `textOf` gives the full text of one finding. */
interface Showing extends Pick<Shared, 'standingOf' | 'ending'> {
  readonly textOf: (finding: Finding) => string;
  readonly viewOf: (finding: Finding) => FindingView;
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
  // A case without a verdict that kept no rule from one changes no exit code, so it is not red either.
  if (!isRed(showing.ending)) {
    return { element: 'skipped', type: verdict, message: '', text: forTerminal(`${verdict}: ${reason}`) };
  }
  return { element: 'error', type: verdict, message: reason, text: forTerminal(reason) };
}
