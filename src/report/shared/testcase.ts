import { type Position, renderPosition } from '../../model/position.ts';
import type { CaseResult, InvariantResult, ResultFooter, RuleResult } from '../../model/result.ts';
import { type RuleRef, renderRuleRef } from '../../model/rule.ts';
import type { Verdict } from '../../model/verdict.ts';
import { messageKindWords, renderFinding, verdictLegend } from './prose.ts';
import { forTerminal } from './sanitize.ts';
import { type Judged, renderFindingText, type Shared, type Trouble, troubleOf } from './trouble.ts';

/** One testcase, before it is written as JUnit, CTRF or TAP. */
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
    const known: Pair[] =
      rule === undefined
        ? []
        : [
            ['clause', rule.clause],
            ['level', rule.level],
          ];
    return [['rule', renderRuleRef(ref)], ...known];
  });
}

/** Findings that no failure element tells in full: warnings, and what was found before a condition was unmet. */
function findingPairs({ verdict, findings }: Judged): readonly Pair[] {
  return findings
    .filter(({ level }) => verdict !== 'fail' || level !== 'required')
    .map(
      (finding): Pair => [
        finding.level === 'recommended' ? 'warning' : 'finding',
        `${renderRuleRef(finding)}: ${renderFinding(finding).summary}`,
      ],
    );
}

/** A case as a testcase; its time is the run's clock, which on a driven clock is not wall time. */
export function caseTest(ended: CaseResult, shared: Shared): Testcase {
  const { id, title, suite, area, verdict, recorded } = ended;
  const trouble = troubleOf(ended, (finding) => renderFindingText(finding, shared, ended));
  return {
    id,
    area,
    suite,
    name: `${id}: ${title}`,
    classname: `${area}.${suite}`,
    ...(ended.startedAt === 0 ? {} : { startedAt: ended.startedAt }),
    milliseconds: ended.endedAt - ended.startedAt,
    rules: ended.rules,
    verdict,
    position: ended.position,
    ...(trouble === undefined ? {} : { trouble }),
    output: renderLines([
      ...rulePairs(ended.rules, shared),
      ['verdict', verdict],
      ...findingPairs(ended),
      ...Object.entries(recorded).map(([name, value]): Pair => [`recorded.${name}`, JSON.stringify(value)]),
      ['position', renderPosition(ended.position)],
    ]),
  };
}

/** An invariant as a testcase of its area; `firstSeen` has the cases in which invariants were first broken. */
export function invariantTest(
  invariant: InvariantResult,
  shared: Shared,
  firstSeen: ReadonlyMap<string, CaseResult>,
): Testcase {
  const { id, title, area, on, judged, violations, verdict } = invariant;
  const violated = `violated: ${violations} of ${judged} ${messageKindWords[on][judged === 1 ? 0 : 1]}`;
  const trouble = troubleOf(invariant, (finding) => {
    const { seenIn } = finding;
    const first = seenIn === undefined ? '' : `\nfirst in: ${forTerminal(seenIn)}`;
    const seen = seenIn === undefined ? undefined : firstSeen.get(seenIn);
    return `${violated}${first}\n${renderFindingText(finding, shared, seen)}`;
  });
  return {
    id,
    area,
    suite: 'invariants',
    name: `${id}: ${title}`,
    classname: `${area}.invariants`,
    milliseconds: 0,
    rules: invariant.rules,
    verdict,
    position: invariant.position,
    ...(trouble === undefined ? {} : { trouble }),
    output: renderLines([
      ...rulePairs(invariant.rules, shared),
      ['verdict', verdict],
      ...findingPairs(invariant),
      ['judged', String(judged)],
      ['violations', String(violations)],
      ['position', renderPosition(invariant.position)],
    ]),
  };
}

/** A rule that no case and no invariant judges: attested, untestable, or without what it needs. */
export function unjudgedTest(rule: RuleResult): Testcase {
  const { id, area, clause, level, description, judged, verdict, reason } = rule;
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
      ['level', level],
      ['judged', judged],
      ['verdict', verdict],
    ]),
  };
}

function whyIncomplete(footer: ResultFooter | undefined): readonly string[] {
  if (footer === undefined) return ['the run was cut off: it has no footer and no outcome'];
  return [...(footer.interrupted ? ['the run was interrupted'] : []), ...footer.reasons];
}

/** Incomplete is never green: a run that was cut off or left something unjudged has one testcase that says so. */
export function completenessTest(footer: ResultFooter | undefined): readonly Testcase[] {
  if (footer !== undefined && footer.outcome !== 'incomplete' && !footer.interrupted) return [];
  const message = whyIncomplete(footer).join('; ') || 'no reason was given';
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
