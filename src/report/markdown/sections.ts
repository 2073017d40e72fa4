import type { Delivery } from '../../model/exchange.ts';
import type { RuleResult } from '../../model/result.ts';
import { renderDelivery } from '../shared/facts.ts';
import { foldIds, groupBy, listIds } from '../shared/lists.ts';
import { countOf, renderClockTime } from '../shared/layout.ts';
import { renderFinding, verdictLegend } from '../shared/prose.ts';
import type { Group, Silent } from '../shared/collect.ts';
import { codeSpan } from './escape.ts';
import { inRuleOrder, type RulesById } from './failures.ts';

const idLimit = 12;
const unsolicitedLimit = 5;

/** At most so many entries of a list. */
const entryLimit = 50;

/** A list of at most that many, and how many more there are. */
export function bounded(entries: readonly string[]): string {
  const left = entries.length - entryLimit;
  return [...entries.slice(0, entryLimit), ...(left > 0 ? [`- and ${left} more`] : [])].join('\n');
}

/** Recommended rules that were not followed, in short. */
export function warningSections(warnings: ReadonlyMap<string, Group>, rules: RulesById): readonly string[] {
  if (warnings.size === 0) return [];
  const entries = inRuleOrder(warnings, rules).map(({ ref, seen }) => {
    const [first] = seen;
    const summary = first === undefined ? '' : `: ${codeSpan(renderFinding(first.finding).summary)}`;
    return `- ${codeSpan(ref)}${summary} in ${codeSpan(
      listIds(
        seen.map(({ id }) => id),
        3,
      ),
    )}`;
  });
  return [`## Warnings: ${countOf(warnings.size, 'recommended rule')} not followed`, bounded(entries)];
}

const kinds: readonly Silent['kind'][] = ['rule', 'case', 'invariant'];

function renderSilent(reason: string, silent: readonly Silent[]): string {
  const counts = kinds
    .map((kind) => ({ kind, ids: silent.filter((one) => one.kind === kind).map(({ id }) => id) }))
    .filter(({ ids }) => ids.length > 0);
  const count = counts.map(({ kind, ids }) => countOf(ids.length, kind)).join(', ');
  return `- ${codeSpan(reason)}: ${count} (${codeSpan(listIds(foldIds(counts[0]?.ids ?? []), idLimit))})`;
}

const renderReasons = (silent: readonly Silent[]): string =>
  bounded(
    [...groupBy(silent, ({ verdict, reason }) => `${verdict}: ${reason}`)].map(([reason, same]) =>
      renderSilent(reason, same),
    ),
  );

/** Cases and invariants that ended without a word about the carrier. */
export function stoppedSection(stopped: readonly Silent[]): readonly string[] {
  if (stopped.length === 0) return [];
  const verdicts = [...new Set(stopped.map(({ verdict }) => verdict))];
  const legend = verdicts.map((verdict) => `*${verdict}*: ${verdictLegend[verdict]}.`).join(' ');
  return [`## Without a verdict: ${stopped.length}`, legend, renderReasons(stopped)];
}

/** What was not judged, an entry a reason, folded away. */
export function unjudgedSection(unjudged: readonly Silent[]): readonly string[] {
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
export function unsolicitedSection(unsolicited: readonly Delivery[]): readonly string[] {
  if (unsolicited.length === 0) return [];
  const shown = unsolicited
    .slice(0, unsolicitedLimit)
    .map(
      (unsolicitedDelivery) =>
        `- ${renderClockTime(unsolicitedDelivery.receivedAt)} ${codeSpan(renderDelivery(unsolicitedDelivery))}`,
    );
  const left = unsolicited.length - unsolicitedLimit;
  return [
    `## Strays: ${countOf(unsolicited.length, 'delivery', 'deliveries')} that no case asked for`,
    [...shown, ...(left > 0 ? [`- and ${left} more`] : [])].join('\n'),
  ];
}

/** How much was recorded of what the interface leaves open. */
export function recordedSection(rules: readonly RuleResult[]): readonly string[] {
  const counts = rules.map(({ recorded }) => Object.keys(recorded).length).filter((count) => count > 0);
  if (counts.length === 0) return [];
  const values = counts.reduce((sum, count) => sum + count, 0);
  return [
    `Recorded what the interface leaves open: ${countOf(values, 'value')} of ${countOf(counts.length, 'rule')}, in result.json.`,
  ];
}
