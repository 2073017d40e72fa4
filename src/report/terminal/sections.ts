import type { Delivery } from '../../model/exchange.ts';
import type { RuleResult } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import { renderDelivery } from '../shared/facts.ts';
import { foldIds, groupBy, listIds } from '../shared/lists.ts';
import { countOf, type Page, renderClockTime, renderFact, renderHeading, renderParagraph } from '../shared/layout.ts';
import { verdictLegend } from '../shared/prose.ts';
import type { Silent } from '../shared/collect.ts';

/** Cases and deliveries shown before "and 7 more". */
const idLimit = 12;
const unsolicitedLimit = 5;

/** How many rules recorded a behaviour that the interface leaves open. */
export function renderRecorded(page: Page, rules: readonly RuleResult[]): readonly string[] {
  const recorded = rules.map((rule) => Object.keys(rule.recorded).length).filter((count) => count > 0);
  if (recorded.length === 0) return [];
  const values = recorded.reduce((sum, count) => sum + count, 0);
  return [
    ...renderHeading(page, 'Recorded', `${countOf(values, 'value')} of ${countOf(recorded.length, 'rule')}`),
    ...renderParagraph(page, 'What the interface leaves open; in result.json, under each rule', { indent: 2 }),
  ];
}

/** What rests on the operator's word, which no message of the run shows. */
export function renderAttested(page: Page, rules: readonly RuleResult[]): readonly string[] {
  const attested = rules.filter(({ verdict }) => verdict === 'attested');
  if (attested.length === 0) return [];
  return [
    ...renderHeading(page, 'Attested', `${countOf(attested.length, 'rule')} by the operator, counted as no pass`),
    ...attested.flatMap(({ id, reason = '' }) => renderFact(page, { label: id, text: reason }, { indent: 2 })),
  ];
}

const kinds: readonly Silent['kind'][] = ['rule', 'case', 'invariant'];

/** Rules are named, each of them; the cases behind them only where they explain something of their own, and not all. */
function renderReason(page: Page, reason: string, silent: readonly Silent[]): readonly string[] {
  const idsOf = (kind: Silent['kind']): string[] => silent.filter((one) => one.kind === kind).map(({ id }) => id);
  const counts = kinds.map((kind) => ({ kind, ids: idsOf(kind) })).filter(({ ids }) => ids.length > 0);
  const named = foldIds(counts[0]?.ids ?? []);
  const limit = counts[0]?.kind === 'rule' ? named.length : idLimit;
  const count = counts.map(({ kind, ids }) => countOf(ids.length, kind)).join(', ');
  return [
    ...renderParagraph(page, reason, { indent: 2 }),
    ...renderParagraph(page, `${count}: ${listIds(named, limit)}`, { indent: 4, tone: page.paint.dim }),
  ];
}

function renderVerdict(page: Page, verdict: Verdict, silent: readonly Silent[]): readonly string[] {
  const reasons = groupBy(silent, ({ reason }) => reason);
  return [...reasons].flatMap(([reason, ones]) => renderReason(page, `${verdict}: ${reason}`, ones));
}

/** What was not judged and why: one entry a reason. */
export function renderUnjudged(page: Page, unjudged: readonly Silent[]): readonly string[] {
  if (unjudged.length === 0) return [];
  const rules = unjudged.filter(({ kind }) => kind === 'rule').length;
  return [
    ...renderHeading(page, 'Not judged', rules === 0 ? countOf(unjudged.length, 'case') : countOf(rules, 'rule')),
    ...(['error', 'inconclusive', 'not-run', 'not-applicable'] as const).flatMap((verdict) =>
      renderVerdict(
        page,
        verdict,
        unjudged.filter((one) => one.verdict === verdict),
      ),
    ),
  ];
}

/** Cases and invariants that ended without a word about the carrier. */
export function renderStopped(page: Page, stopped: readonly Silent[]): readonly string[] {
  return (['inconclusive', 'error', 'fail'] as const).flatMap((verdict) => {
    const ones = stopped.filter((one) => one.verdict === verdict);
    if (ones.length === 0) return [];
    const name = `${verdict[0]?.toUpperCase()}${verdict.slice(1)}`;
    return [
      ...renderHeading(page, name, `${ones.length}: ${verdictLegend[verdict]}`, page.paint.yellow.bold),
      ...[...groupBy(ones, ({ reason }) => reason)].flatMap(([reason, same]) => renderReason(page, reason, same)),
    ];
  });
}

/** Deliveries that no case asked for. */
export function renderUnsolicited(page: Page, unsolicited: readonly Delivery[]): readonly string[] {
  if (unsolicited.length === 0) return [];
  const rest = unsolicited.length - unsolicitedLimit;
  return [
    ...renderHeading(page, 'Strays', `${countOf(unsolicited.length, 'delivery', 'deliveries')} that no case asked for`),
    ...unsolicited.slice(0, unsolicitedLimit).flatMap((unsolicitedDelivery) => {
      const label = renderClockTime(unsolicitedDelivery.receivedAt);
      return renderFact(page, { label, text: renderDelivery(unsolicitedDelivery) }, { indent: 2 });
    }),
    ...(rest > 0 ? renderParagraph(page, `and ${rest} more`, { indent: 2, tone: page.paint.dim }) : []),
  ];
}
