import type { RuleResult } from '../../model/result.ts';
import { isConclusive, type Verdict } from '../../model/verdict.ts';
import { foldIds, groupBy, listIds } from '../shared/lists.ts';
import { countOf } from '../shared/layout.ts';
import { verdictLegend } from '../shared/prose.ts';
import type { Collected, Silent } from '../shared/collect.ts';
import { caseAnchor, invariantAnchor, ruleAnchor } from './anchors.ts';
import { type Content, html, join, type Markup, nothing } from './markup.ts';
import { verdictMark } from './words.ts';

/** Names of one reason that are shown. */
const shown = 60;

const anchors = { case: caseAnchor, invariant: invariantAnchor, rule: ruleAnchor } as const;

const nameOf = ({ kind, id }: Silent): Markup => html`<a href="#${anchors[kind](id)}">${id}</a>`;

function renderNames(silent: readonly Silent[]): Content {
  const rest = silent.length - shown;
  return [join(silent.slice(0, shown).map(nameOf), ', '), rest > 0 ? ` and ${rest} more` : ''];
}

function renderReason(verdict: Verdict, reason: string, silent: readonly Silent[]): Markup {
  const kinds = (['rule', 'case', 'invariant'] as const).flatMap((kind) => {
    const own = silent.filter((one) => one.kind === kind);
    return own.length === 0 ? [] : [html`<p>${countOf(own.length, kind)}: ${renderNames(own)}</p>`];
  });
  const count = kinds.length === 0 ? nothing : html`<span class="quiet">${silent.length}</span>`;
  return html`<details class="reason"><summary>${verdictMark(verdict)} ${reason} ${count}</summary>${kinds}</details>`;
}

/** Rules that have no verdict about the carrier, whatever the reason. */
function silentRules(rules: readonly RuleResult[]): readonly Silent[] {
  return rules.flatMap(({ id, verdict, reason = 'no reason was given' }) =>
    isConclusive(verdict) ? [] : [{ kind: 'rule', id, verdict, reason }],
  );
}

/** What says nothing about the carrier, a verdict at a time and a reason at a time. */
export function renderUnjudged({ stopped, unjudged }: Collected, rules: readonly RuleResult[]): Markup {
  const all = [...silentRules(rules), ...stopped, ...unjudged.filter(({ kind }) => kind !== 'rule')];
  if (all.length === 0) return nothing;
  const verdicts = (['error', 'fail', 'inconclusive', 'not-run', 'attested', 'not-applicable'] as const).flatMap(
    (verdict) => {
      const own = all.filter((one) => one.verdict === verdict);
      if (own.length === 0) return [];
      const reasons = [...groupBy(own, ({ reason }) => reason)].map(([reason, same]) =>
        renderReason(verdict, reason, same),
      );
      return [html`<h3>${verdict} <span class="quiet">${verdictLegend[verdict]}</span></h3>${reasons}`];
    },
  );
  return html`<section class="unjudged" id="unjudged" aria-labelledby="unjudged-title"><h2 id="unjudged-title">Not judged, and why</h2>${verdicts}</section>`;
}

/** `only the operator can attest it: needs a sign-in` as what it has in common with others, its first words. */
const kindOfReason = (reason: string): string => reason.split(': ')[0] ?? reason;

/** The same in short, for the first screen. */
export function renderUnjudgedIndex({ stopped, unjudged }: Collected, all: readonly RuleResult[]): Markup {
  const rules = silentRules(all);
  const cases = [...stopped, ...unjudged].filter(({ kind }) => kind !== 'rule');
  if (rules.length === 0 && cases.length === 0) {
    return html`<p class="gaps"><strong>Not judged:</strong> nothing. Every rule that was selected has a verdict.</p>`;
  }
  const groups = groupBy(
    rules.length > 0 ? rules : cases,
    ({ verdict, reason }) => `${verdict}: ${kindOfReason(reason)}`,
  );
  const reasons = [...groups].toSorted(([, one], [, other]) => other.length - one.length).slice(0, 4);
  const list = reasons.map(
    ([reason, silent]) =>
      html`<li>${reason} <span class="quiet">${silent.length}: ${listIds(foldIds(silent.map(({ id }) => id)), 4)}</span></li>`,
  );
  const counts = [
    ...(rules.length > 0 ? [countOf(rules.length, 'rule')] : []),
    ...(cases.length > 0 ? [`${countOf(cases.length, 'case')} without a verdict`] : []),
  ];
  const more = groups.size > list.length ? html`<li>and ${groups.size - list.length} more reasons</li>` : nothing;
  return html`<div class="gaps"><p><strong>Not judged:</strong> <a href="#unjudged">${counts.join(', ')}</a></p><ul>${list}${more}</ul></div>`;
}
