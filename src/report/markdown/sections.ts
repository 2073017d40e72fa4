import { forTerminal } from '../shared/sanitize.ts';
import { countNoun, listIds, groupBy, listRanges } from '../../lib/lists.ts';
import {
  foundElsewhere,
  type ReportModel,
  countFailures,
  countSection,
  type LocatedFinding,
  type FindingGroup,
  inRuleOrder,
  countByKind,
  type UnjudgedItem,
} from '../shared/model.ts';
import { type CommonFact, commonFacts } from '../shared/broken-rules.ts';
import { findingFacts, renderDelivery } from '../shared/facts.ts';
import { consequenceWords, expectedWords } from '../shared/consequences.ts';
import { renderClause, ruleSentence, violationCount, verdictLegend } from '../shared/prose.ts';
import { capitalise, recordedCount } from '../shared/run-prose.ts';
import type { ExpectedResult } from '../../model/expected-failure.ts';
import { isStale } from '../../verdict/expected.ts';
import { renderPosition, renderRuleRef } from '../../model/rule.ts';
import type { Result, ResultFooter, RuleResult } from '../../model/result.ts';
import {
  entryStateWords,
  behaviourInWords,
  countExpected,
  coverageWords,
  deleteAdvice,
  limitInWords,
  type MeasuredProse,
  summarizeUnsolicited,
} from '../shared/notes.ts';
import { renderClockTime } from '../shared/time.ts';

/** Maximum UTF-16 units of a text. */
const textLimit = 1000;

const backtickRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** A text from outside as a bounded code span on one line. Not for table cells: a `|` would end the cell. */
export function codeSpan(text: string, limit: number = textLimit): string {
  const shown = forTerminal(text, limit);
  if (shown.trim() === '') return '(empty)';
  const fence = '`'.repeat(backtickRun(shown) + 1);
  const gap = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return `${fence}${gap}${shown}${gap}${fence}`;
}

/** Characters that could be markup, HTML, or part of a table, list or link. */
const markupCharacters =
  /[^\p{L}\p{M}\p{N} ,;?'"()/§._-]|^-|\.(?![ \d]|$)|(?<!\d)\.(?=\d)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Start of a text that would make it a list item. */
const listMark = /^(\d+)([.)])/;

const characterReference = (character: string): string => `&#${character.codePointAt(0) ?? 0};`;

/** Text of a suite or target file as prose, cell or heading; characters that could be markup become character references. */
export function plainMarkdown(text: string, limit: number = textLimit): string {
  return forTerminal(text, limit)
    .trimStart()
    .replace(markupCharacters, characterReference)
    .replace(listMark, (_, number: string, sign: string) => number + characterReference(sign));
}

/** Lines from outside as a code block, with a fence longer than any run of backticks in them. */
export function codeBlock(lines: readonly string[], limit: number = textLimit): string {
  const shown = lines.map((line) => forTerminal(line, limit));
  const fence = '`'.repeat(Math.max(3, backtickRun(shown.join('\n')) + 1));
  return `${fence}text\n${shown.join('\n')}\n${fence}`;
}

/** Maximum findings per rule shown with evidence, and maximum places named for the others. */
const maxShownFindings = 3;
const furtherLimit = 20;
/** Maximum UTF-16 units of a line of evidence. */
const factLimit = 600;

function renderFound(found: LocatedFinding, flags: readonly string[]): string {
  const { id, title, invariant, entry } = found;
  const violated = invariant === undefined ? '' : `: ${violationCount(invariant)}`;
  return [
    `${invariant === undefined ? 'Case' : 'Invariant'} ${codeSpan(id)}${violated}  \n${plainMarkdown(title)}`,
    ...(entry === undefined ? [] : [plainMarkdown(capitalise(expectedWords(entry)))]),
    codeBlock(
      findingFacts(found, flags).map(({ label, text }) => `${label.padEnd(10)} ${text}`),
      factLimit,
    ),
  ].join('\n\n');
}

function renderGroup(group: FindingGroup, { rules, flags, following }: ReportModel): string {
  const follows = consequenceWords(following.get(group.rule));
  const rule = rules.get(group.rule);
  const clause = rule === undefined ? '' : ` · ${plainMarkdown(renderClause(rule.clause))}`;
  const shown = group.found.slice(0, maxShownFindings);
  const { count, names } = foundElsewhere(shown, group.found.slice(maxShownFindings));
  return [
    `### ${codeSpan(group.ref)}${clause}`,
    ...(rule === undefined ? [] : [plainMarkdown(ruleSentence(rule, group.ref))]),
    ...shown.map((one) => renderFound(one, flags)),
    ...(rule?.interpretation === undefined ? [] : [`Interpretation: ${plainMarkdown(rule.interpretation)}`]),
    ...(names.length === 0 ? [] : [`And in ${count}: ${codeSpan(listIds(names, furtherLimit))}`]),
    ...(follows === undefined ? [] : [`Follows from it: ${plainMarkdown(follows)}`]),
  ].join('\n\n');
}

const groupHeadings = {
  failures: (model: ReportModel) => `Failures: ${countFailures('failures', model)}`,
  expected: (model: ReportModel) => `Broken, as expected: ${countFailures('expected', model)}`,
  uncounted: (model: ReportModel) => `Broken, but not counted: ${countFailures('uncounted', model)}`,
  warnings: ({ rules }: ReportModel) =>
    `Warnings: ${countNoun(countSection(rules.values(), 'warnings'), 'rule')} not followed, no outcome changed`,
} as const;

const renderCommonFact = ({ words, rules }: CommonFact): string =>
  `- ${plainMarkdown(words)}: ${codeSpan(listIds(rules, furtherLimit))}`;

/** A section for each rule that was broken or not followed, with the evidence needed to see it again. */
export function groupSections(kind: keyof typeof groupHeadings, model: ReportModel): readonly string[] {
  const groups = inRuleOrder(model[kind], model);
  if (groups.length === 0) return [];
  const facts = kind === 'failures' ? commonFacts(model) : [];
  return [
    `## ${groupHeadings[kind](model)}`,
    ...(facts.length === 0 ? [] : [facts.map(renderCommonFact).join('\n')]),
    ...groups.map((group) => renderGroup(group, model)),
  ];
}

const idLimit = 12;
const unsolicitedLimit = 5;

const entryLimit = 50;

/** A list of at most `entryLimit` entries, with the number of further ones. */
function boundedList(entries: readonly string[]): string {
  const left = entries.length - entryLimit;
  return [...entries.slice(0, entryLimit), ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}

const renderReasons = (unjudged: readonly UnjudgedItem[]): string =>
  boundedList(
    [...groupBy(unjudged, ({ verdict, reason }) => `${verdict}: ${reason}`)].map(([reason, same]) => {
      const { count, names } = countByKind(same);
      return `- ${codeSpan(reason)}: ${count} (${codeSpan(listRanges(names, idLimit))})`;
    }),
  );

export function stoppedSection(stopped: readonly UnjudgedItem[]): readonly string[] {
  if (stopped.length === 0) return [];
  const verdicts = [...new Set(stopped.map(({ verdict }) => verdict))];
  const legend = verdicts.map((verdict) => `*${verdict}*: ${verdictLegend[verdict]}.`).join(' ');
  return [`## Without a verdict: ${stopped.length}`, legend, renderReasons(stopped)];
}

/** Section on what was not judged, one entry per reason, folded away. */
export function unjudgedSection(unjudged: readonly UnjudgedItem[]): readonly string[] {
  if (unjudged.length === 0) return [];
  const rules = unjudged.filter(({ kind }) => kind === 'rule').length;
  const count = rules === 0 ? countNoun(unjudged.length, 'case') : countNoun(rules, 'rule');
  return [`<details><summary>Not judged: ${count}</summary>\n\n${renderReasons(unjudged)}\n\n</details>`];
}

export function attestedSection(rules: readonly RuleResult[]): readonly string[] {
  const attested = rules.filter(({ verdict }) => verdict === 'attested');
  if (attested.length === 0) return [];
  return [
    `## Attested: ${countNoun(attested.length, 'rule')} by the operator, counted as no pass`,
    boundedList(attested.map(({ id, reason = '' }) => `- ${codeSpan(id)}: ${codeSpan(reason)}`)),
  ];
}

export function unsolicitedSection(result: Pick<Result, 'unsolicited' | 'footer'>): readonly string[] {
  const unsolicited = summarizeUnsolicited(result);
  if (unsolicited === undefined) return [];
  const { deliveries, words } = unsolicited;
  const shown = deliveries
    .slice(0, unsolicitedLimit)
    .map((delivery) => `- ${renderClockTime(delivery.receivedAt)} ${codeSpan(renderDelivery(delivery))}`);
  const left = deliveries.length - unsolicitedLimit;
  return [`## Unsolicited: ${words}`, [...shown, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')];
}

export function recordedSection(rules: readonly RuleResult[]): readonly string[] {
  const recorded = recordedCount(rules);
  return recorded === undefined ? [] : [`Recorded beside the verdicts: ${recorded}, in result.json.`];
}

function renderExpected(entry: ExpectedResult): string {
  const { what, name, reason, owner, expires } = entry;
  const place = codeSpan(renderPosition(entry.position));
  const words = `${what} ${codeSpan(name)}: ${codeSpan(entryStateWords(entry))}`;
  if (isStale(entry)) return `- **${place}**: ${words}; ${deleteAdvice}`;
  return `- ${words}: ${codeSpan(reason)} (${codeSpan(owner)}, until ${codeSpan(expires)}; ${place})`;
}

/** Expected failures and their current state; entries to delete come first, because the end may be cut off. */
export function expectedSection({ footer, rules }: Pick<Result, 'footer' | 'rules'>): readonly string[] {
  const expected = footer?.expected;
  if (expected === undefined) return [];
  const coverage = coverageWords(rules);
  const entries = expected.toSorted((one, other) => Number(isStale(other)) - Number(isStale(one))).map(renderExpected);
  return [
    `## Expected failures: ${countExpected(expected)}`,
    ...(coverage === undefined ? [] : [plainMarkdown(coverage)]),
    ...(entries.length === 0 ? [] : [boundedList(entries)]),
  ];
}

/** A list item, not a table row: carrier texts are in code spans, which are unsafe in cells. */
function renderMeasured({ name, about, found, isSeen, rules }: MeasuredProse): string {
  const refs = rules.length === 0 ? '' : ` (${codeSpan(rules.map(renderRuleRef).join(', '))})`;
  const words = codeSpan(found);
  return `- ${codeSpan(name)}, ${plainMarkdown(about)}: ${isSeen ? words : `*${words}*`}${refs}`;
}

export function measuredSections({
  limits = [],
  profile = [],
}: Pick<ResultFooter, 'limits' | 'profile'>): readonly string[] {
  const section = (heading: string, entries: readonly MeasuredProse[]): readonly string[] =>
    entries.length === 0 ? [] : [heading, boundedList(entries.map(renderMeasured))];
  return [
    ...section(`## Measured limits: ${countNoun(limits.length, 'limit')}`, limits.map(limitInWords)),
    ...section(`## Profile: ${countNoun(profile.length, 'behaviour')}`, profile.map(behaviourInWords)),
  ];
}
