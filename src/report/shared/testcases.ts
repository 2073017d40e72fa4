import { defined } from '../../lib/optional.ts';
import { endingOf } from '../../model/ending.ts';
import { type ExpectedResult, isStale } from '../../model/expected.ts';
import type { Finding } from '../../model/finding.ts';
import { type Position, renderPosition } from '../../model/position.ts';
import type { CaseResult, InvariantResult, Result, RuleResult } from '../../model/result.ts';
import { type RuleRef, renderRuleRef } from '../../model/rule.ts';
import { selectionFor } from '../../model/seen-again.ts';
import type { Verdict } from '../../model/verdict.ts';
import { keepFirstSeen } from './collect.ts';
import { type FindingView, renderCommand } from './facts.ts';
import { deleteWords, staleWords } from './notes.ts';
import { levelWords, renderFinding, verdictLegend, violationCount } from './prose.ts';
import { stopReasons } from './run-prose.ts';
import { forTerminal } from './sanitize.ts';
import { standingsOf } from './standing.ts';
import { type Judged, renderFindingText, type Shared, type Trouble, troubleOf } from './trouble.ts';

/** One testcase, before it is written as JUnit or CTRF. */
export interface Testcase {
  /** Of the case, the invariant or the rule. */
  readonly id: string;
  readonly area: string;
  readonly suite: string;
  readonly name: string;
  readonly classname: string;
  /** Milliseconds since the epoch, on the run's clock; absent where it did not run by itself. */
  readonly startedAt?: number;
  readonly milliseconds: number;
  readonly rules: readonly RuleRef[];
  readonly verdict: Verdict | 'incomplete';
  readonly position?: Position;
  readonly trouble?: Trouble;
  /** `name=value` lines. */
  readonly output: string;
}

type Pair = readonly [name: string, value: string];

const renderLines = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${forTerminal(name)}=${forTerminal(value)}`).join('\n');

function rulePairs(refs: readonly RuleRef[], shared: Shared): readonly Pair[] {
  return refs.flatMap((ref): Pair[] => {
    const rule = shared.rules.get(ref.rule);
    const pair: Pair = ['rule', renderRuleRef(ref)];
    return rule === undefined ? [pair] : [pair, ['clause', rule.clause], ['level', levelWords(rule)]];
  });
}

/** Findings that no failure element shows in full: warnings, and what was found before a condition was unmet. */
function findingPairs({ verdict, findings }: Judged, found: Found): readonly Pair[] {
  return findings
    .filter(({ level }) => verdict !== 'fail' || level !== 'required')
    .flatMap((finding): readonly Pair[] => {
      const again = selectionFor(found.viewOf(finding));
      return [
        [
          finding.level === 'recommended' ? 'warning' : 'finding',
          `${renderRuleRef(finding)}: ${renderFinding(finding).summary}`,
        ],
        ...(again.length === 0 ? [] : [['run again', renderCommand(again, found.shared.flags)] as const]),
      ];
    });
}

/** What is needed to show a finding in full. */
interface Found {
  readonly shared: Shared;
  readonly viewOf: (finding: Finding) => FindingView;
}

/** What the testcases of a case and of an invariant share; `output` stands between the findings and the position. */
function judgedTest(
  judged: CaseResult | InvariantResult,
  {
    shared,
    suite,
    trouble,
    output,
    viewOf,
  }: Found & { suite: string; trouble: Trouble | undefined; output: readonly Pair[] },
) {
  const { id, title, area, rules, verdict, position } = judged;
  return defined({
    id,
    area,
    suite,
    name: `${id}: ${title}`,
    classname: `${area}.${suite}`,
    rules,
    verdict,
    position,
    trouble,
    output: renderLines([
      ...rulePairs(rules, shared),
      ['verdict', verdict],
      ...findingPairs(judged, { shared, viewOf }),
      ...output,
      ['position', renderPosition(position)],
    ]),
  });
}

/** A case as a testcase; its time is the run's clock, which on the virtual clock is not wall time. */
function caseTest(ended: CaseResult, shared: Shared): Testcase {
  const { suite, recorded, startedAt, endedAt } = ended;
  const viewOf = (finding: Finding): FindingView => ({ finding, seenIn: ended });
  const textOf = (finding: Finding): string => renderFindingText(viewOf(finding), shared);
  const trouble = troubleOf(ended, { ...shared, viewOf, textOf });
  const output = Object.entries(recorded).map(([name, value]): Pair => [`recorded.${name}`, JSON.stringify(value)]);
  return {
    ...judgedTest(ended, { shared, suite, trouble, output, viewOf }),
    ...(startedAt === 0 ? {} : { startedAt }),
    milliseconds: endedAt - startedAt,
  };
}

/** An invariant as a testcase of its area. */
function invariantTest(
  invariant: InvariantResult,
  shared: Shared,
  firstSeen: Pick<ReturnType<typeof keepFirstSeen>, 'of'>,
): Testcase {
  const { judged, violations } = invariant;
  const viewOf = (finding: Finding): FindingView => ({ finding, seenIn: firstSeen.of(finding), invariant });
  const textOf = (finding: Finding): string => {
    const first = finding.seenIn === undefined ? '' : `\nfirst in: ${forTerminal(finding.seenIn)}`;
    const text = renderFindingText(viewOf(finding), shared);
    return `violated: ${violationCount(invariant)}${first}\n${text}`;
  };
  const trouble = troubleOf(invariant, { ...shared, viewOf, textOf });
  const output: readonly Pair[] = [
    ['judged', String(judged)],
    ['violations', String(violations)],
  ];
  return { ...judgedTest(invariant, { shared, suite: 'invariants', trouble, output, viewOf }), milliseconds: 0 };
}

/** A rule that no case and no invariant judges: attested, untestable, or without what it needs. */
function unjudgedTest(rule: RuleResult): Testcase {
  const { id, area, clause, description, judged, verdict, reason } = rule;
  const text = forTerminal(`${verdict}: ${reason ?? verdictLegend[verdict]}`);
  return {
    id,
    area: 'rules',
    suite: 'rules not judged',
    name: `${id}: ${description}`,
    classname: `rules.${area}`,
    milliseconds: 0,
    rules: [{ rule: id }],
    verdict,
    trouble: { element: 'skipped', type: verdict, message: '', text },
    output: renderLines([
      ['rule', id],
      ['clause', clause],
      ['level', levelWords(rule)],
      ['judged', judged],
      ['verdict', verdict],
    ]),
  };
}

/** An entry of expected.yaml that holds no longer fails a testcase of its own, which says what to delete. */
function staleTest(entry: ExpectedResult): Testcase {
  const { what, name, position } = entry;
  const message = staleWords(entry);
  return {
    id: `expected-${what}-${name}`,
    area: 'run',
    suite: 'expected failures',
    name: `The entry for ${what} ${name} holds (line ${position.line})`,
    classname: 'run.expected',
    milliseconds: 0,
    rules: [],
    verdict: 'fail',
    position,
    trouble: {
      element: 'failure',
      type: 'stale',
      message,
      text: forTerminal(`${renderPosition(position)}: ${deleteWords}`),
    },
    output: '',
  };
}

/** Why a run is not whole; undefined where it is: it came to its end, and left nothing unjudged that it should have judged. */
export function missingIn({ footer, rules }: Pick<Result, 'footer' | 'rules'>): readonly string[] | undefined {
  if (footer === undefined) return ['the run was cut off: it has no footer and no outcome'];
  const ending = endingOf({ footer, rules });
  const isOpen = ending === 'incomplete' || ending === 'internal';
  if (footer.outcome !== 'incomplete' && !footer.interrupted && !isOpen) return undefined;
  const reasons = stopReasons(footer);
  return reasons.length === 0 ? ['no reason was given'] : reasons;
}

/** Incomplete is never green: a run that was cut off or left something unjudged has one testcase that says so. */
function completenessTest(result: Result): readonly Testcase[] {
  const missing = missingIn(result);
  if (missing === undefined) return [];
  const message = missing.join('; ');
  return [
    {
      id: 'run-is-complete',
      area: 'run',
      suite: 'completeness',
      name: 'The run is complete',
      classname: 'run.completeness',
      milliseconds: 0,
      rules: [],
      verdict: 'incomplete',
      trouble: { element: 'error', type: 'incomplete', message, text: forTerminal(message) },
      output: '',
    },
  ];
}

/**
 * What JUnit and CTRF call a test, the same in both: a case, an invariant, a rule that nothing judges, an entry of
 * expected.yaml that has to be deleted, and one that fails where the run is incomplete.
 */
export function* testsOf(result: Result): Iterable<Testcase> {
  const ending = endingOf(result);
  const shared: Shared = {
    rules: new Map(result.rules.map((rule) => [rule.id, rule])),
    flags: result.header.flags,
    standingOf: standingsOf(result),
    ending,
  };
  const firstSeen = keepFirstSeen(result.invariants);
  for (const ended of result.cases) {
    firstSeen.offer(ended);
    yield caseTest(ended, shared);
  }
  for (const invariant of result.invariants) yield invariantTest(invariant, shared, firstSeen);
  for (const rule of result.rules) if (rule.judgedBy.length === 0) yield unjudgedTest(rule);
  for (const entry of result.footer?.expected ?? []) if (isStale(entry)) yield staleTest(entry);
  yield* completenessTest(result);
}
