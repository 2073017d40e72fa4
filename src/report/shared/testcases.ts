import type { Finding } from '../../model/finding.ts';
import {
  type CaseResult,
  type RuleResult,
  type InvariantResult,
  type Result,
  reproducingSelection,
} from '../../model/result.ts';
import { actWords } from '../../model/person-act.ts';
import { renderRuleRef, type RuleRef, type Verdict, type Position, renderPosition } from '../../model/rule.ts';
import { isOpenRule } from '../../verdict/rules.ts';
import { expectedWords, followsWords } from './consequences.ts';
import { type FindingStanding, type StandingLookup, createStandingLookup } from '../../verdict/findings.ts';
import { type EvidenceLine, findingFacts, type FindingView, renderCommand } from './facts.ts';
import { findingHeadline } from './broken-rules.ts';
import { renderClause, levelWords, verdictLegend, renderFinding, violationCount } from './prose.ts';
import { forTerminal } from './sanitize.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { ExpectedResult } from '../../model/expected-failure.ts';
import { isStale } from '../../verdict/expected.ts';
import { keepFirstSeen, stopOfRun, unexplainedWords } from './model.ts';
import { deleteAdvice, staleWords } from './notes.ts';
import { stopReasons } from './run-prose.ts';

/** Reason why a testcase did not pass; type `expected` for a failure that an entry of expected.yaml tolerates. */
interface Trouble {
  readonly element: 'skipped' | 'error' | 'failure';
  readonly type: string;
  readonly message: string;
  readonly text: string;
}

/** A testcase, not yet rendered as JUnit or CTRF. */
export interface Testcase {
  /** Id of the case, invariant or rule. */
  readonly id: string;
  readonly area: string;
  readonly suite: string;
  readonly name: string;
  readonly classname: string;
  /** Milliseconds since the epoch on the run's clock; absent if it did not run itself. */
  readonly startedAt?: number;
  readonly milliseconds: number;
  readonly rules: readonly RuleRef[];
  readonly verdict: Verdict | 'incomplete';
  readonly position?: Position;
  readonly trouble?: Trouble;
  /** `name=value` lines. */
  readonly output: string;
}

/** Rendering context of the whole run. */
interface TestcaseContext {
  readonly standingOf: StandingLookup;
  /** Whether the testcase of the whole run says why a case has no verdict. */
  readonly isSaidOnce: (reason: string) => boolean;
  readonly rules: ReadonlyMap<string, RuleResult>;
  readonly flags: readonly string[];
}

/** Rendering context of one case or invariant; `head` precedes the text of each finding. */
interface JudgeContext extends TestcaseContext {
  readonly viewOf: (finding: Finding) => FindingView;
  readonly head: (finding: Finding) => string;
}

type CaseOrInvariant = CaseResult | InvariantResult;

function renderFindingText(finding: Finding, { rules, flags, viewOf, head }: JudgeContext): string {
  const rule = rules.get(finding.rule);
  const ref = renderRuleRef(finding);
  const about: Readonly<Record<string, string | undefined>> = {
    rule: ref,
    clause: rule && renderClause(rule.clause),
    level: levelWords(finding),
    statement: rule?.aspects?.[ref] ?? rule?.description,
    interpretation: rule?.interpretation,
  };
  const facts: readonly EvidenceLine[] = [
    ...Object.entries(about).flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }])),
    ...findingFacts(viewOf(finding), flags),
  ];
  return head(finding) + facts.map(({ label, text }) => `${label}: ${forTerminal(text)}`).join('\n');
}

const skippedTrouble = (type: string, text: string, message = ''): Trouble => ({
  element: 'skipped',
  type,
  message,
  text,
});

/** A failure that turns nothing red: it is expected, follows from another, or its rule does not count. */
function toleratedTrouble(required: readonly Finding[], standings: readonly FindingStanding[], texts: string): Trouble {
  const [entry] = standings.flatMap((one) => (one.kind === 'expected' ? [one.entry] : []));
  if (entry !== undefined) {
    const message = expectedWords(entry);
    return skippedTrouble('expected', `${forTerminal(message)}\n\n${texts}`, message);
  }
  const following = required.filter((_, at) => standings[at]?.kind === 'follows');
  const causes = [...new Set(following.map(({ followsFrom, rule }) => followsFrom ?? rule))].join(', ');
  const why = causes === '' ? 'broken, but not counted' : followsWords(causes);
  return skippedTrouble('fail', `${why}\n\n${texts}`);
}

/** A failure with the findings that count; the message has the first, and the number of the others. */
function failureTrouble({ id, reason = unexplainedWords, findings }: CaseOrInvariant, showing: JudgeContext): Trouble {
  const required = findings.filter(({ level }) => level === 'required');
  const standings = required.map((finding) => showing.standingOf(finding, id));
  const broken = required.filter((_, at) => standings[at]?.kind === 'broken');
  const [first] = broken;
  const texts = (some: readonly Finding[]): string =>
    some.map((finding) => renderFindingText(finding, showing)).join('\n\n');
  if (first === undefined && required.length > 0) return toleratedTrouble(required, standings, texts(required));
  if (first === undefined) return { element: 'failure', type: 'fail', message: reason, text: forTerminal(reason) };
  const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : '';
  const message = `${renderRuleRef(first)}: ${findingHeadline(showing.viewOf(first))}${more}`;
  return { element: 'failure', type: first.code, message, text: texts(broken) };
}

/** Verdict as a JUnit element; undefined if the testcase passes. */
function testcaseTrouble(judged: CaseOrInvariant, showing: JudgeContext): Trouble | undefined {
  const { verdict, reason = verdictLegend[verdict] } = judged;
  const cause = 'followsFrom' in judged ? judged.followsFrom : undefined;
  if (cause !== undefined && verdict === 'inconclusive')
    return skippedTrouble(verdict, forTerminal(followsWords(cause.rule, reason, [...showing.rules.values()])));
  if (verdict === 'pass' || verdict === 'informational' || verdict === 'warn') return undefined;
  if (verdict === 'fail') return failureTrouble(judged, showing);
  const isSkipped = verdict === 'not-run' || verdict === 'not-applicable' || verdict === 'attested';
  // A case without a verdict is not red if another case gave each of its required rules a verdict: the exit code does not change.
  const isOpen = judged.rules.some(({ rule }) => isOpenRule(showing.rules.get(rule)));
  const isSaidOnce = verdict === 'inconclusive' && (!isOpen || showing.isSaidOnce(reason));
  if (isSkipped || isSaidOnce) return skippedTrouble(verdict, forTerminal(`${verdict}: ${reason}`));
  return { element: 'error', type: verdict, message: reason, text: forTerminal(reason) };
}

type OutputPair = readonly [name: string, value: string];

const renderLines = (pairs: readonly OutputPair[]): string =>
  pairs.map(([name, value]) => `${forTerminal(name)}=${forTerminal(value)}`).join('\n');

function rulePairs(refs: readonly RuleRef[], { rules }: TestcaseContext): readonly OutputPair[] {
  return refs.flatMap((ref): OutputPair[] => {
    const rule = rules.get(ref.rule);
    const pair: OutputPair = ['rule', renderRuleRef(ref)];
    return rule === undefined ? [pair] : [pair, ['clause', rule.clause], ['level', levelWords(rule)]];
  });
}

/** Findings that no failure element shows in full: warnings, and those made before a condition was not met. */
function findingPairs({ verdict, findings }: CaseOrInvariant, { viewOf, flags }: JudgeContext): readonly OutputPair[] {
  return findings
    .filter(({ level }) => verdict !== 'fail' || level !== 'required')
    .flatMap((finding): readonly OutputPair[] => {
      const again = reproducingSelection(viewOf(finding));
      const label = finding.level === 'recommended' ? 'warning' : 'finding';
      return [
        [label, `${renderRuleRef(finding)}: ${renderFinding(finding).summary}`],
        ...(again.length === 0 ? [] : [['run again', renderCommand(again, flags)] as const]),
      ];
    });
}

/** Testcase of a case or an invariant; `output` goes between the findings and the position. */
function judgedTest(
  judged: CaseOrInvariant,
  suite: string,
  showing: JudgeContext,
  output: readonly OutputPair[],
): Testcase {
  const { id, title, area, rules, verdict, position } = judged;
  return omitUndefined({
    id,
    area,
    suite,
    name: `${id}: ${title}`,
    classname: `${area}.${suite}`,
    milliseconds: 0,
    rules,
    verdict,
    position,
    trouble: testcaseTrouble(judged, showing),
    output: renderLines([
      ...rulePairs(rules, showing),
      ['verdict', verdict],
      ...findingPairs(judged, showing),
      ...output,
      ['position', renderPosition(position)],
    ]),
  });
}

/** Testcase of a case. Its time is on the run's clock, which may be virtual. */
function caseTest(ended: CaseResult, shared: TestcaseContext): Testcase {
  const { suite, recorded, acts = [], startedAt, endedAt } = ended;
  const showing = { ...shared, viewOf: (finding: Finding) => ({ finding, seenIn: ended }), head: () => '' };
  const output = [
    ...Object.entries(recorded).map(([name, value]): OutputPair => [`recorded.${name}`, JSON.stringify(value)]),
    ...acts.map((act): OutputPair => [`person.${act.try}`, actWords(act)]),
  ];
  return {
    ...judgedTest(ended, suite, showing, output),
    ...(startedAt === 0 ? {} : { startedAt }),
    milliseconds: endedAt - startedAt,
  };
}

type FirstSeen = Pick<ReturnType<typeof keepFirstSeen>, 'of'>;

function invariantTest(invariant: InvariantResult, shared: TestcaseContext, firstSeen: FirstSeen): Testcase {
  const showing: JudgeContext = {
    ...shared,
    viewOf: (finding) => ({ finding, seenIn: firstSeen.of(finding), invariant }),
    head: ({ seenIn }) =>
      `violated: ${violationCount(invariant)}\n${seenIn === undefined ? '' : `first in: ${forTerminal(seenIn)}\n`}`,
  };
  return judgedTest(invariant, 'invariants', showing, [
    ['judged', String(invariant.judged)],
    ['violations', String(invariant.violations)],
  ]);
}

/** A testcase of neither a case nor an invariant. */
const standaloneTest = (
  test: Omit<Testcase, 'milliseconds' | 'rules' | 'output'> & Partial<Pick<Testcase, 'rules' | 'output'>>,
): Testcase => ({ milliseconds: 0, rules: [], output: '', ...test });

/** Testcase of a rule that no case or invariant judges: attested, untestable, or missing a requirement. */
function unjudgedTest(rule: RuleResult): Testcase {
  const { id, area, clause, description, judged, verdict, reason } = rule;
  return standaloneTest({
    id,
    area: 'rules',
    suite: 'rules not judged',
    name: `${id}: ${description}`,
    classname: `rules.${area}`,
    rules: [{ rule: id }],
    verdict,
    trouble: skippedTrouble(verdict, forTerminal(`${verdict}: ${reason ?? verdictLegend[verdict]}`)),
    output: renderLines([
      ['rule', id],
      ['clause', clause],
      ['level', levelWords(rule)],
      ['judged', judged],
      ['verdict', verdict],
    ]),
  });
}

/** Failing testcase for an entry of expected.yaml that no longer holds; it says what to delete. */
function staleTest(entry: ExpectedResult): Testcase {
  const { what, name, position } = entry;
  const text = forTerminal(`${renderPosition(position)}: ${deleteAdvice}`);
  return standaloneTest({
    id: `expected-${what}-${name}`,
    area: 'run',
    suite: 'expected failures',
    name: `The entry for ${what} ${name} holds (line ${position.line})`,
    classname: 'run.expected',
    verdict: 'fail',
    position,
    trouble: { element: 'failure', type: 'stale', message: staleWords(entry), text },
  });
}

/** Reasons why a run is not complete; undefined if it ended and judged everything it should. */
export function missingReasons({ footer }: Pick<Result, 'footer'>): readonly string[] | undefined {
  if (footer === undefined) return ['the run was cut off: it has no footer and no outcome'];
  const reasons = stopReasons(footer);
  return reasons.length === 0 ? undefined : reasons;
}

/** Failing testcase for an incomplete run, because incomplete is never green. */
function completenessTest(missing: readonly string[]): Testcase {
  const message = missing.join('; ');
  return standaloneTest({
    id: 'run-is-complete',
    area: 'run',
    suite: 'completeness',
    name: 'The run is complete',
    classname: 'run.completeness',
    verdict: 'incomplete',
    trouble: { element: 'error', type: 'incomplete', message, text: forTerminal(message) },
  });
}

/** Testcases for JUnit and CTRF: cases, invariants, rules that nothing judges, stale entries, and an incomplete run. */
export function* listTestcases(result: Result): Iterable<Testcase> {
  const stop = stopOfRun(result);
  const shared: TestcaseContext = {
    rules: new Map(result.rules.map((rule) => [rule.id, rule])),
    flags: result.header.flags,
    standingOf: createStandingLookup(result),
    isSaidOnce: (reason) => result.footer?.root !== undefined || reason === stop,
  };
  const firstSeen = keepFirstSeen(result.invariants);
  for (const ended of result.cases) {
    firstSeen.offer(ended);
    yield caseTest(ended, shared);
  }
  for (const invariant of result.invariants) yield invariantTest(invariant, shared, firstSeen);
  for (const rule of result.rules) if (rule.judgedBy.length === 0) yield unjudgedTest(rule);
  for (const entry of result.footer?.expected ?? []) if (isStale(entry)) yield staleTest(entry);
  const missing = missingReasons(result);
  if (missing !== undefined) yield completenessTest(missing);
}
