import { replaceLiterals } from './string-literals.ts';
import type { Finding, FindingCode } from '../../model/finding.ts';
import { renderFinding, renderPath, violationCount } from './prose.ts';
import { findHeader, type NamedDifference } from '../../model/exchange.ts';
import { type FindingView, findingMessage, findingRequest } from './facts.ts';
import { isJsonType } from '../../lib/media-type.ts';
import { cutText } from './sanitize.ts';
import { countNoun, groupBy } from '../../lib/lists.ts';
import { brokenCauses } from '../../verdict/standing.ts';
import type { Result, RuleResult, FindingContext } from '../../model/result.ts';
import { type ReportModel, type LocatedFinding, type FindingGroup, maxShownInFull } from './model.ts';

/** Codes whose findings differ if their values differ: a refusal with 400 is not one with 500. */
const exactCodes: ReadonlySet<FindingCode> = new Set(['outcome', 'status', 'error-code']);

/** Summary without its values, equal for findings that differ only in them: `body.sub is "…", not "…"`. */
export function findingLikeness(finding: Finding): string {
  const { summary } = renderFinding(finding);
  if (exactCodes.has(finding.code)) return summary;
  return replaceLiterals(summary, () => '"…"').replaceAll(/\d+/g, '#');
}

/** Maximum UTF-16 units of the special part, so that the summary after it is read too. */
const maxSpecialText = 80;
/** Maximum number of members named beside the words of a row. */
const maxNamedMembers = 2;

/** Words of a row id: `bearer-on-success/1024-characters` gives `1024 characters`. */
const rowWords = (id: string): string => id.split('/').slice(1).join(', ').replaceAll('-', ' ');

/** Name of a member, with the change unless it was set. The value is in the evidence. */
function differenceName({ what, change, value }: NamedDifference): string {
  const name = what.replace(/^claims\./, '');
  if (change === 'removed') return `${name} removed`;
  if (change === 'altered') return typeof value === 'string' ? `${name}: ${value}` : `${name} altered`;
  return name;
}

/** Names of the differing members, or none if there are too many; a removed member is named only if all were removed. */
function differenceNames(differences: readonly NamedDifference[]): readonly string[] {
  const sent = differences.filter(({ change }) => change !== 'removed');
  const names = new Set((sent.length === 0 ? differences : sent).map(differenceName));
  return names.size > maxNamedMembers ? [] : [...names];
}

/** Special part of the request behind a finding; empty if there is none. */
function specialPart(view: FindingView): string {
  const { seenIn, invariant, finding } = view;
  if (seenIn === undefined || invariant !== undefined || finding.seenIn !== undefined) return '';
  const row = rowWords(seenIn.id);
  const names = differenceNames(findingRequest(view)?.differences ?? []);
  return [...names.filter((name) => !row.includes(name.replaceAll(/[-_]/g, ' '))), row]
    .filter((word) => word !== '')
    .join(', ');
}

/** Summary of a finding after that by which its request differed, which is not what was judged: `with state, 1,024 characters: expected accepted, got denied 400`. */
export function findingHeadline(view: FindingView, summary = renderFinding(view.finding).summary): string {
  const special = specialPart(view);
  return special === '' ? summary : `with ${cutText(special, maxSpecialText)}: ${summary}`;
}

/** A broken rule on one line. Its texts are not sanitized yet. */
interface BrokenRule {
  /** The rule, or its aspect that the first finding breaks. */
  readonly ref: string;
  /** Expected and actual of the first finding. */
  readonly summary: string;
  /** `7 cases`, `856 of 858 callbacks`. */
  readonly extent: string;
  /** Entries of expected.yaml tolerate all its findings. */
  readonly isExpected: boolean;
}

const countCases = (found: readonly LocatedFinding[]): number =>
  new Set(found.filter(({ invariant }) => invariant === undefined).map(({ id }) => id)).size;

function extentWords(found: readonly LocatedFinding[]): string {
  const cases = countCases(found);
  const [invariant] = found.flatMap((one) => one.invariant ?? []);
  if (cases > 0) return countNoun(cases, 'case');
  return invariant === undefined ? '' : violationCount(invariant);
}

export interface RankedRule {
  readonly rule: RuleResult;
  readonly groups: readonly FindingGroup[];
  readonly found: readonly LocatedFinding[];
  readonly isExpected: boolean;
}

/** Sort keys, smallest first: unexpected; interface, then critical baseline, then the rest; confirmed; most seen. */
function ruleWeights({ rule, found, isExpected }: RankedRule): readonly number[] {
  const isConfirmed = found.some(
    ({ invariant, seenIn }) => (invariant ?? seenIn)?.confirmation?.status === 'confirmed',
  );
  const violations = found.reduce((sum, { invariant }) => sum + (invariant?.violations ?? 0), 0);
  return [
    Number(isExpected),
    rule.baseline !== true ? 0 : rule.critical === true ? 1 : 2,
    isConfirmed ? 0 : 1,
    -countCases(found) - violations,
  ];
}

function compareWeights(one: RankedRule, other: RankedRule): number {
  const weights = ruleWeights(other);
  return (
    ruleWeights(one)
      .map((weight, at) => weight - (weights[at] ?? 0))
      .find((difference) => difference !== 0) ?? 0
  );
}

/** Expected and actual on one line. A named check's own summary lacks the actual value, so it is rendered from both values. */
export function findingSummary(finding: Finding): string {
  const { expected, actual, summary } = renderFinding(finding);
  const of = finding.path === undefined ? '' : `${renderPath(finding.path)} is `;
  return finding.code === 'check' ? `${of}${actual}, not ${expected}` : summary;
}

/** Headline of a finding on one line. */
export const shortHeadline = (found: FindingContext): string => findingHeadline(found, findingSummary(found.finding));

function brokenRuleLine({ rule, groups, found, isExpected }: RankedRule): BrokenRule {
  const [first] = found;
  return {
    ref: groups[0]?.ref ?? rule.id,
    summary: first === undefined ? (rule.reason ?? 'no finding was kept') : shortHeadline(first),
    extent: extentWords(found),
    isExpected,
  };
}

/** Lines of the broken rules, in the order of `rankBroken`. */
export const brokenRules = (
  result: Pick<Result, 'rules'>,
  model: Pick<ReportModel, 'failures' | 'expected'>,
): readonly BrokenRule[] => rankBroken(result, model).map(brokenRuleLine);

/** Broken rules that count, by importance: unexpected, interface, critical, confirmed, most seen. Leaves out followers. */
export function rankBroken(
  { rules }: Pick<Result, 'rules'>,
  { failures, expected }: Pick<ReportModel, 'failures' | 'expected'>,
): readonly RankedRule[] {
  const byRule = groupBy([...failures.values(), ...expected.values()], ({ rule }) => rule);
  return brokenCauses(rules)
    .map((rule): RankedRule => {
      const groups = byRule.get(rule.id) ?? [];
      return { rule, groups, found: groups.flatMap((group) => group.found), isExpected: rule.standing === 'expected' };
    })
    .toSorted(compareWeights);
}

/** Rules broken by one fact (P14). Its texts are not sanitized yet. */
export interface CommonFact {
  /** `One fact breaks 14 rules: the response has status 500`. */
  readonly words: string;
  readonly rules: readonly string[];
}

/** Minimum number of rules: fewer may share a fact by chance. */
const minAlikeRules = 3;
/** Maximum UTF-16 units of a media type. */
const maxMediaType = 40;

/** Defect unrelated to the request: a server failure, or a body that is not JSON. */
function responseFact(view: FindingView): string | undefined {
  const message = findingMessage(view);
  const response = message?.kind === 'exchange' ? message.response : undefined;
  if (response === undefined) return undefined;
  if (response.status >= 500) return `has status ${response.status}`;
  const type = findHeader(response.headers, 'content-type') ?? '';
  return type === '' || isJsonType(type) ? undefined : `is no JSON but ${cutText(type, maxMediaType)}`;
}

/** Facts that break three rules or more, each with the rules that have it in every shown finding. */
export function commonFacts({ failures }: Pick<ReportModel, 'failures'>): readonly CommonFact[] {
  const byRule = groupBy([...failures.values()], ({ rule }) => rule);
  const alike = [...byRule].flatMap(([rule, groups]) => {
    const shown = groups.flatMap(({ found }) => found.slice(0, maxShownInFull));
    const [fact, ...others] = new Set(shown.map(responseFact));
    return fact === undefined || others.length > 0 ? [] : [{ fact, rule }];
  });
  return [...groupBy(alike, ({ fact }) => fact)]
    .filter(([, some]) => some.length >= minAlikeRules)
    .map(([fact, some]) => ({
      words: `One fact breaks ${some.length} rules: the response ${fact}`,
      rules: some.map(({ rule }) => rule),
    }));
}
