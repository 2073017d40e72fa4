import { countOf, groupBy, listFolded } from '../../lib/lists.ts';
import { countByKind, type Unjudged } from '../shared/collect.ts';
import { renderDelivery } from '../shared/facts.ts';
import { verdictLegend } from '../shared/prose.ts';
import { codeSpan, plainMarkdown } from './escape.ts';
import { type ExpectedResult, isStale } from '../../model/expected.ts';
import { renderPosition } from '../../model/position.ts';
import type { Result, ResultFooter, RuleResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import {
  becameWords,
  behaviourInWords,
  countExpected,
  coverageWords,
  deleteWords,
  limitInWords,
  type Measured,
} from '../shared/notes.ts';
import { recordedCount } from '../shared/run-prose.ts';
import { renderClockTime } from '../shared/time.ts';
import { unsolicitedOf } from '../shared/unsolicited.ts';

const idLimit = 12;
const unsolicitedLimit = 5;

/** At most so many entries of a list. */
const entryLimit = 50;

/** A list of at most that many, and how many more there are. */
function bounded(entries: readonly string[]): string {
  const left = entries.length - entryLimit;
  return [...entries.slice(0, entryLimit), ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}

function renderReason(reason: string, same: readonly Unjudged[]): string {
  const { count, names } = countByKind(same);
  return `- ${codeSpan(reason)}: ${count} (${codeSpan(listFolded(names, idLimit))})`;
}

const renderReasons = (unjudged: readonly Unjudged[]): string =>
  bounded(
    [...groupBy(unjudged, ({ verdict, reason }) => `${verdict}: ${reason}`)].map(([reason, same]) =>
      renderReason(reason, same),
    ),
  );

/** Cases and invariants that say nothing about the carrier. */
export function stoppedSection(stopped: readonly Unjudged[]): readonly string[] {
  if (stopped.length === 0) return [];
  const verdicts = [...new Set(stopped.map(({ verdict }) => verdict))];
  const legend = verdicts.map((verdict) => `*${verdict}*: ${verdictLegend[verdict]}.`).join(' ');
  return [`## Without a verdict: ${stopped.length}`, legend, renderReasons(stopped)];
}

/** What was not judged, an entry a reason, folded away. */
export function unjudgedSection(unjudged: readonly Unjudged[]): readonly string[] {
  if (unjudged.length === 0) return [];
  const rules = unjudged.filter(({ kind }) => kind === 'rule').length;
  const count = rules === 0 ? countOf(unjudged.length, 'case') : countOf(rules, 'rule');
  return [`<details><summary>Not judged: ${count}</summary>\n\n${renderReasons(unjudged)}\n\n</details>`];
}

/** What rests on the operator's word, which no message of the run shows. */
export function attestedSection(rules: readonly RuleResult[]): readonly string[] {
  const attested = rules.filter(({ verdict }) => verdict === 'attested');
  if (attested.length === 0) return [];
  return [
    `## Attested: ${countOf(attested.length, 'rule')} by the operator, counted as no pass`,
    bounded(attested.map(({ id, reason = '' }) => `- ${codeSpan(id)}: ${codeSpan(reason)}`)),
  ];
}

/** Deliveries that no case asked for. */
export function unsolicitedSection(result: Pick<Result, 'unsolicited' | 'footer'>): readonly string[] {
  const unsolicited = unsolicitedOf(result);
  if (unsolicited === undefined) return [];
  const { deliveries, words } = unsolicited;
  const shown = deliveries
    .slice(0, unsolicitedLimit)
    .map((delivery) => `- ${renderClockTime(delivery.receivedAt)} ${codeSpan(renderDelivery(delivery))}`);
  const left = deliveries.length - unsolicitedLimit;
  return [`## Unsolicited: ${words}`, [...shown, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n')];
}

/** How much was recorded beside the verdicts. */
export function recordedSection(rules: readonly RuleResult[]): readonly string[] {
  const recorded = recordedCount(rules);
  return recorded === undefined ? [] : [`Recorded beside the verdicts: ${recorded}, in result.json.`];
}

function renderExpected(entry: ExpectedResult): string {
  const { what, name, reason, owner, expires } = entry;
  const place = codeSpan(renderPosition(entry.position));
  const words = `${what} ${codeSpan(name)}: ${codeSpan(becameWords(entry))}`;
  if (isStale(entry)) return `- **${place}**: ${words}; ${deleteWords}`;
  return `- ${words}: ${codeSpan(reason)} (${codeSpan(owner)}, until ${codeSpan(expires)}; ${place})`;
}

/** The failures that are known, and what became of each; those to delete come first, because the end may be cut off. */
export function expectedSection({ footer, rules }: Pick<Result, 'footer' | 'rules'>): readonly string[] {
  const expected = footer?.expected;
  if (expected === undefined) return [];
  const coverage = coverageWords(rules, expected);
  const entries = expected.toSorted((one, other) => Number(isStale(other)) - Number(isStale(one))).map(renderExpected);
  return [
    `## Expected failures: ${countExpected(expected)}`,
    ...(coverage === undefined ? [] : [plainMarkdown(coverage)]),
    ...(entries.length === 0 ? [] : [bounded(entries)]),
  ];
}

/** What a carrier sent stands in a code span, which has no place in a cell: so a list, and no table. */
function renderMeasured({ name, about, found, isSeen, rules }: Measured): string {
  const refs = rules.length === 0 ? '' : ` (${codeSpan(rules.map(renderRuleRef).join(', '))})`;
  const words = codeSpan(found);
  return `- ${codeSpan(name)}, ${plainMarkdown(about)}: ${isSeen ? words : `*${words}*`}${refs}`;
}

/** The carrier's real limits and its profile, of a run that measured. */
export function measuredSections({
  limits = [],
  profile = [],
}: Pick<ResultFooter, 'limits' | 'profile'>): readonly string[] {
  const section = (heading: string, entries: readonly Measured[]): readonly string[] =>
    entries.length === 0 ? [] : [heading, bounded(entries.map(renderMeasured))];
  return [
    ...section(`## Measured limits: ${countOf(limits.length, 'limit')}`, limits.map(limitInWords)),
    ...section(`## Profile: ${countOf(profile.length, 'behaviour')}`, profile.map(behaviourInWords)),
  ];
}
