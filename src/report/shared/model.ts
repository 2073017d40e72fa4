import { countNoun } from '../../lib/lists.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult, InvariantResult, Result, RuleResult } from '../../model/result.ts';
import type { ExpectedResult } from '../../model/expected-failure.ts';
import { collectConsequences, followsWords, type Consequences } from './consequences.ts';
import { createStandingLookup } from '../../verdict/findings.ts';
import { isDecisive, type Judge } from '../../verdict/standing.ts';
import { type Binding, renderRuleRef, isConclusive, type RuleStanding, type Verdict } from '../../model/rule.ts';

export interface LocatedFinding {
  readonly finding: Finding;
  /** Id of the case or invariant. */
  readonly id: string;
  readonly title: string;
  readonly invariant?: InvariantResult;
  /** Kept only for the first findings of a group, so that a run in which everything fails still fits in memory. */
  readonly seenIn?: CaseResult | undefined;
  /** Entry of expected.yaml that tolerates it. */
  readonly entry?: ExpectedResult;
}

/** All findings against one rule or one aspect. */
export interface FindingGroup extends Binding {
  readonly ref: string;
  readonly rule: string;
  readonly found: LocatedFinding[];
}

/** A case, invariant or rule without a verdict on the carrier, and why. */
export interface UnjudgedItem {
  readonly kind: 'case' | 'invariant' | 'rule';
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface ReportModel {
  readonly rules: ReadonlyMap<string, RuleResult>;
  /** Flags that commands to run a case again must repeat. */
  readonly flags: readonly string[];
  /** Unexpected findings that broke a rule that counts for the outcome. */
  readonly failures: ReadonlyMap<string, FindingGroup>;
  /** Such findings that an entry of expected.yaml tolerates. */
  readonly expected: ReadonlyMap<string, FindingGroup>;
  /** Findings that broke a required rule that does not count for the outcome, or was not selected. */
  readonly uncounted: ReadonlyMap<string, FindingGroup>;
  /** Findings against recommended rules, and those seen in one of two tries. */
  readonly warnings: ReadonlyMap<string, FindingGroup>;
  /** Consequences of the findings, by the rule that caused them. */
  readonly following: ReadonlyMap<string, Consequences>;
  /** Cases and invariants that are inconclusive, in error, or failed without a finding. */
  readonly stopped: readonly UnjudgedItem[];
  /** Rules without a verdict, and cases and invariants that were not run. */
  readonly unjudged: readonly UnjudgedItem[];
}

export const maxShownInFull = 10;

const isNotRun = (verdict: Verdict): boolean => verdict === 'not-run' || verdict === 'not-applicable';

function addTo(groups: Map<string, FindingGroup>, one: LocatedFinding): void {
  const { finding } = one;
  const { rule, level, stated } = finding;
  const ref = renderRuleRef(finding);
  const group = groups.get(ref) ?? { ref, rule, level, ...omitUndefined({ stated }), found: [] };
  groups.set(ref, group);
  group.found.push(group.found.length < maxShownInFull ? one : { ...one, seenIn: undefined });
}

/** Whether the case or invariant failed without a finding of a required rule. */
export const isUnexplained = ({ verdict, findings }: Pick<CaseResult, 'verdict' | 'findings'>): boolean =>
  verdict === 'fail' && !findings.some(({ level }) => level === 'required');

export const unexplainedWords = 'it failed, but no finding was kept';

/** Reports a case or invariant without a verdict, and a failure that kept no finding, which would be lost otherwise. */
function unjudgedItems(
  kind: UnjudgedItem['kind'],
  judged: CaseResult | InvariantResult,
  rules: Result['rules'],
): UnjudgedItem[] {
  const { id, verdict, reason: given, ...rest } = judged;
  const cause = 'followsFrom' in rest ? rest.followsFrom : undefined;
  const reason = cause === undefined ? given : followsWords(cause.rule, given, rules);
  const unexplained = isUnexplained(judged);
  if (!unexplained && isConclusive(verdict)) return [];
  const fallback = unexplained ? unexplainedWords : 'no reason was given';
  return [{ kind, id, verdict, reason: reason ?? fallback }];
}

/** First finding for each rule that an invariant broke, preferably one that follows from no other rule. */
export function firstPerRule(findings: readonly Finding[]): readonly Finding[] {
  const firsts = new Map<string, Finding>();
  for (const finding of findings) {
    const ref = renderRuleRef(finding);
    const before = firsts.get(ref);
    if (before === undefined || (before.followsFrom !== undefined && finding.followsFrom === undefined))
      firsts.set(ref, finding);
  }
  return [...firsts.values()];
}

/** Why the run ended before its cases did, or leaves nothing to judge; undefined if neither. */
export const stopOfRun = ({ footer }: Pick<Result, 'footer'>): string | undefined =>
  footer?.stopped === true || footer?.root !== undefined ? footer.reasons[0] : undefined;

/** Shows all that the stop of the run left without a verdict under one heading, begun or not. */
const underOneStop = (items: readonly UnjudgedItem[], result: Pick<Result, 'footer'>): readonly UnjudgedItem[] => {
  const stop = stopOfRun(result);
  return items.map((one) =>
    one.verdict === 'inconclusive' && one.reason === stop ? { ...one, verdict: 'not-run' as const } : one,
  );
};

/** Rules without a verdict on the carrier, and not attested. A rule is inconclusive, too, if half of its cases did not run. */
export function unjudgedRules(result: Pick<Result, 'rules' | 'footer'>): readonly UnjudgedItem[] {
  const items = result.rules.flatMap(({ id, verdict, followsFrom, reason = 'no reason was given' }) => {
    if (isConclusive(verdict) || verdict === 'attested') return [];
    return [
      {
        kind: 'rule' as const,
        id,
        verdict,
        reason: followsFrom === undefined ? reason : followsWords(followsFrom, undefined, result.rules),
      },
    ];
  });
  return underOneStop(items, result);
}

/** Collects the cases in which invariants were first broken; other cases of the stream are not kept. */
export function keepFirstSeen(invariants: readonly InvariantResult[]) {
  const wanted = new Set(invariants.flatMap(({ findings }) => findings.map(({ seenIn }) => seenIn)));
  const kept = new Map<string, CaseResult>();
  return {
    offer: (ended: CaseResult): void => {
      if (wanted.has(ended.id)) kept.set(ended.id, ended);
    },
    of: ({ seenIn }: Finding): CaseResult | undefined => (seenIn === undefined ? undefined : kept.get(seenIn)),
  };
}

export type FindingSection = 'failures' | 'expected' | 'uncounted' | 'warnings';

/** Section of a rule: each rule is in one, and the number of its rules is that of their standing. */
export const sectionStandings: Readonly<Record<FindingSection, readonly RuleStanding[]>> = {
  failures: ['broken'],
  expected: ['expected'],
  uncounted: ['uncounted'],
  warnings: ['not followed', 'unstable'],
};

const sectionNames = ['failures', 'expected', 'uncounted', 'warnings'] as const satisfies readonly FindingSection[];

/** Number of rules in a section. */
export const countSection = (rules: Iterable<Pick<RuleResult, 'standing'>>, section: FindingSection): number =>
  [...rules].filter(({ standing }) => sectionStandings[section].includes(standing)).length;

/** Sorts findings into sections, and adds those that follow from others to their cause. */
function createSections(result: Result, under: (cause: string) => Consequences) {
  const standingOf = createStandingLookup(result);
  const rules = new Map(result.rules.map((rule) => [rule.id, rule]));
  const places: Readonly<Record<FindingSection, Map<string, FindingGroup>>> = {
    failures: new Map(),
    expected: new Map(),
    uncounted: new Map(),
    warnings: new Map(),
  };
  const add = (judge: Judge, one: LocatedFinding): void => {
    const { finding, id } = one;
    const rule = rules.get(finding.rule);
    if (rule === undefined || finding.level === 'informational' || !isDecisive(finding, judge, rule)) return;
    const standing = standingOf(finding, id);
    if (standing.kind === 'follows') {
      const following = under(finding.followsFrom ?? '');
      following.broken.add(finding.rule);
      following.findings += 1;
      return;
    }
    const place = sectionNames.find((name) => sectionStandings[name].includes(rule.standing));
    if (place !== undefined)
      addTo(places[place], standing.kind === 'expected' ? { ...one, entry: standing.entry } : one);
  };
  return { places, add };
}

export function createModel(result: Result): ReportModel {
  const { cases, invariants, rules } = result;
  const unjudged: UnjudgedItem[] = [];
  const firstSeen = keepFirstSeen(invariants);
  const { all: following, under } = collectConsequences();
  const { places, add } = createSections(result, under);
  for (const { id, verdict, followsFrom } of rules) {
    if (verdict === 'inconclusive' && followsFrom !== undefined) under(followsFrom).unjudged.add(id);
  }
  for (const seenIn of cases) {
    const { id, title, verdict, findings, followsFrom } = seenIn;
    firstSeen.offer(seenIn);
    if (verdict === 'inconclusive' && followsFrom !== undefined) under(followsFrom.rule).cases.add(id);
    unjudged.push(...unjudgedItems('case', seenIn, rules));
    for (const finding of findings) add(seenIn, { finding, id, title, seenIn });
  }
  for (const invariant of invariants) {
    const { id, title, findings } = invariant;
    unjudged.push(...unjudgedItems('invariant', invariant, rules));
    for (const finding of firstPerRule(findings)) {
      add(invariant, { finding, id, title, invariant, seenIn: firstSeen.of(finding) });
    }
  }
  const judges = underOneStop(unjudged, result);
  return {
    rules: new Map(rules.map((rule) => [rule.id, rule])),
    flags: result.header.flags,
    ...places,
    following,
    stopped: judges.filter(({ verdict }) => !isNotRun(verdict)),
    unjudged: [...judges.filter(({ verdict }) => isNotRun(verdict)), ...unjudgedRules(result)],
  };
}

/** Groups in rule order, then those of unknown rules. */
export function inRuleOrder(
  groups: ReadonlyMap<string, FindingGroup>,
  { rules }: Pick<ReportModel, 'rules'>,
): readonly FindingGroup[] {
  const order = new Map([...rules.keys()].map((id, at) => [id, at]));
  const placeOf = ({ rule }: FindingGroup): number => order.get(rule) ?? order.size;
  return [...groups.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** `2 rules broken, 3 findings`. */
export function countFailures(section: FindingSection, model: ReportModel): string {
  const findings = [...model[section].values()].reduce((sum, { found }) => sum + found.length, 0);
  return `${countNoun(countSection(model.rules.values(), section), 'rule')} broken, ${countNoun(findings, 'finding')}`;
}

/** Other places of the same finding, each once: `9 more cases and 1 invariant`, and their names. */
export function foundElsewhere(shown: readonly LocatedFinding[], more: readonly LocatedFinding[]) {
  const known = new Set(shown.map(({ id }) => id));
  const others = new Map(more.filter(({ id }) => !known.has(id)).map((one) => [one.id, one]));
  const invariants = [...others.values()].filter(({ invariant }) => invariant !== undefined).length;
  const cases = others.size - invariants;
  const count = [
    ...(cases === 0 ? [] : [countNoun(cases, 'more case')]),
    ...(invariants === 0 ? [] : [countNoun(invariants, cases === 0 ? 'more invariant' : 'invariant')]),
  ].join(' and ');
  return { count, names: [...others.keys()] };
}

/** Counts those without a verdict for one reason: `2 rules, 5 cases`, and the names of the first kind. */
export function countByKind(all: readonly UnjudgedItem[]) {
  const groups = (['rule', 'case', 'invariant'] as const).flatMap((kind) => {
    const own = all.filter((one) => one.kind === kind);
    return own.length === 0 ? [] : [{ kind, own }];
  });
  const [first] = groups;
  return {
    count: groups.map(({ kind, own }) => countNoun(own.length, kind)).join(', '),
    kind: first?.kind ?? 'rule',
    names: (first?.own ?? []).map(({ id }) => id),
  };
}
