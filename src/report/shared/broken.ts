import { replaceLiterals } from '../../lib/string-literals.ts';
import type { Finding, FindingCode } from '../../model/finding.ts';
import { renderFinding, renderPath, violationCount } from './prose.ts';
import { headerOf, type NamedDifference } from '../../model/exchange.ts';
import { type FindingView, messageOf, requestOf } from './facts.ts';
import { isJsonType } from '../../lib/media-type.ts';
import { cutText } from './sanitize.ts';
import { countOf, groupBy } from '../../lib/lists.ts';
import type { Result, RuleResult, FoundIn } from '../../model/result.ts';
import { type ReportModel, type FoundBy, type Group, shownInFull } from './model.ts';

/** Where another value is another finding: a refusal with 400 is not one with 500. */
const exact: ReadonlySet<FindingCode> = new Set(['outcome', 'status', 'error-code']);

/** What two findings against one rule have in common that say the same of two values: `body.sub is "…", not "…"`. */
export function likenessOf(finding: Finding): string {
  const { summary } = renderFinding(finding);
  if (exact.has(finding.code)) return summary;
  return replaceLiterals(summary, () => '"…"').replaceAll(/\d+/g, '#');
}

/** UTF-16 units of what was special, so that what came is read too. */
const longest = 80;
/** Members that are named beside the words of a row. */
const mostNamed = 2;

/** The words of a row: `bearer-on-success/1024-characters` as `1024 characters`. */
const rowWords = (id: string): string => id.split('/').slice(1).join(', ').replaceAll('-', ' ');

/** A member by its name; what was done to it, where nothing was set. The value is in the evidence. */
function nameOf({ what, change, value }: NamedDifference): string {
  const name = what.replace(/^claims\./, '');
  if (change === 'removed') return `${name} removed`;
  if (change === 'altered') return typeof value === 'string' ? `${name}: ${value}` : `${name} altered`;
  return name;
}

/** What differed: of a member that took the place of another, the one that was sent. */
function namesIn(differences: readonly NamedDifference[]): readonly string[] {
  const sent = differences.filter(({ change }) => change !== 'removed');
  const names = new Set((sent.length === 0 ? differences : sent).map(nameOf));
  return names.size > mostNamed ? [] : [...names];
}

/** What was special in the request that a finding is about; empty where nothing was. */
function specialIn(view: FindingView): string {
  const { seenIn, invariant, finding } = view;
  if (seenIn === undefined || invariant !== undefined || finding.seenIn !== undefined) return '';
  const row = rowWords(seenIn.id);
  const names = namesIn(requestOf(view)?.differences ?? []);
  return [...names.filter((name) => !row.includes(name.replaceAll(/[-_]/g, ' '))), row]
    .filter((word) => word !== '')
    .join(', ');
}

/** A finding in one sentence that begins with what was special: `state, 1,024 characters: expected accepted, got denied 400`. */
export function headlineOf(view: FindingView, summary = renderFinding(view.finding).summary): string {
  const special = specialIn(view);
  return special === '' ? summary : `${cutText(special, longest)}: ${summary}`;
}

/** A broken rule on one line. Nothing in it is made safe for where it is shown yet. */
interface BrokenRule {
  /** Of the rule, or of its one aspect that is broken. */
  readonly ref: string;
  /** What was expected and what came, of the first finding. */
  readonly summary: string;
  /** `7 cases`, `856 of 858 callbacks`. */
  readonly extent: string;
  /** An entry of expected.yaml tolerates all of it. */
  readonly isExpected: boolean;
}

const countCases = (found: readonly FoundBy[]): number =>
  new Set(found.filter(({ invariant }) => invariant === undefined).map(({ id }) => id)).size;

function extentWords(found: readonly FoundBy[]): string {
  const cases = countCases(found);
  const [invariant] = found.flatMap((one) => one.invariant ?? []);
  if (cases > 0) return countOf(cases, 'case');
  return invariant === undefined ? '' : violationCount(invariant);
}

export interface Ranked {
  readonly rule: RuleResult;
  readonly groups: readonly Group[];
  readonly found: readonly FoundBy[];
  readonly isExpected: boolean;
}

/** The lighter, the more important: the interface before the baseline, of the baseline what is critical; what was confirmed. */
function weightsOf({ rule, found, isExpected }: Ranked): readonly number[] {
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

function byWeight(one: Ranked, other: Ranked): number {
  const weights = weightsOf(other);
  return (
    weightsOf(one)
      .map((weight, at) => weight - (weights[at] ?? 0))
      .find((difference) => difference !== 0) ?? 0
  );
}

/** What was special, and what came against what should have, on one line: a named check says in its own words only what was asked. */
export function shortOf(found: FoundIn): string {
  const { finding } = found;
  const { expected, actual, summary } = renderFinding(finding);
  const of = finding.path === undefined ? '' : `${renderPath(finding.path)} is `;
  return headlineOf(found, finding.code === 'check' ? `${of}${actual}, not ${expected}` : summary);
}

function lineOf({ rule, groups, found, isExpected }: Ranked): BrokenRule {
  const [first] = found;
  const [group, ...others] = groups;
  return {
    ref: group === undefined || others.length > 0 ? rule.id : group.ref,
    summary: first === undefined ? (rule.reason ?? 'no finding was kept') : shortOf(first),
    extent: extentWords(found),
    isExpected,
  };
}

/** The broken rules, each on one line, in the order of `rankBroken`. */
export const brokenRules = (
  result: Pick<Result, 'rules'>,
  model: Pick<ReportModel, 'failures' | 'expected' | 'folded'>,
): readonly BrokenRule[] => rankBroken(result, model).map(lineOf);

/** The broken rules that count, by importance: unexpected, interface, critical, confirmed, most seen. No followers. */
export function rankBroken(
  { rules }: Pick<Result, 'rules'>,
  { failures, expected, folded }: Pick<ReportModel, 'failures' | 'expected' | 'folded'>,
): readonly Ranked[] {
  const byRule = groupBy([...failures.values(), ...expected.values()], ({ rule }) => rule);
  const unexpected = new Set([...failures.values()].map(({ rule }) => rule));
  return rules
    .filter(({ id, verdict, apart, followsFrom }) => {
      const isOwn = followsFrom === undefined && !folded.has(id);
      return byRule.has(id) || (verdict === 'fail' && apart !== true && isOwn);
    })
    .map((rule): Ranked => {
      const groups = byRule.get(rule.id) ?? [];
      const found = groups.flatMap((group) => group.found);
      return { rule, groups, found, isExpected: groups.length > 0 && !unexpected.has(rule.id) };
    })
    .toSorted(byWeight);
}

/** Rules that one fact breaks (P14). Nothing in it is made safe for where it is shown yet. */
interface CommonFact {
  /** `One fact breaks 14 rules: the response has status 500`. */
  readonly words: string;
  readonly rules: readonly string[];
}

/** Fewer rules than these have a fact in common by chance. */
const fewestAlike = 3;
/** UTF-16 units of a media type. */
const longestType = 40;

/** A defect that every response may have, whatever was asked: a failure of the server, or a body that is no JSON. */
function responseFact(view: FindingView): string | undefined {
  const message = messageOf(view);
  const response = message?.kind === 'exchange' ? message.response : undefined;
  if (response === undefined) return undefined;
  if (response.status >= 500) return `has status ${response.status}`;
  const type = headerOf(response.headers, 'content-type') ?? '';
  return type === '' || isJsonType(type) ? undefined : `is no JSON but ${cutText(type, longestType)}`;
}

/** The facts that break three rules or more: of each the rules whose findings all come from responses with it. */
export function commonFacts({ failures }: Pick<ReportModel, 'failures'>): readonly CommonFact[] {
  const byRule = groupBy([...failures.values()], ({ rule }) => rule);
  const alike = [...byRule].flatMap(([rule, groups]) => {
    const shown = groups.flatMap(({ found }) => found.slice(0, shownInFull));
    const [fact, ...others] = new Set(shown.map(responseFact));
    return fact === undefined || others.length > 0 ? [] : [{ fact, rule }];
  });
  return [...groupBy(alike, ({ fact }) => fact)]
    .filter(([, some]) => some.length >= fewestAlike)
    .map(([fact, some]) => ({
      words: `One fact breaks ${some.length} rules: the response ${fact}`,
      rules: some.map(({ rule }) => rule),
    }));
}
