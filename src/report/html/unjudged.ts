import { countOf, foldIds, groupBy, listIds } from '../../lib/lists.ts';
import type { RuleResult } from '../../model/result.ts';
import type { Verdict } from '../../model/verdict.ts';
import { type Collected, type Unjudged, unjudgedRules } from '../shared/collect.ts';
import { verdictLegend } from '../shared/prose.ts';
import { caseLink, invariantLink, ruleLink } from './links.ts';
import { type Content, html, join, type Markup, nothing } from './markup.ts';
import { moreItem, verdictMark } from './parts.ts';

/** Names of one reason that are shown. */
const nameLimit = 60;

const nameOf = ({ kind, id }: Unjudged): Markup => {
  const links = { case: caseLink, invariant: invariantLink, rule: (rule: string) => ruleLink({ rule }) } as const;
  return links[kind](id);
};

function renderNames(all: readonly Unjudged[]): Content {
  const rest = all.length - nameLimit;
  return [join(all.slice(0, nameLimit).map(nameOf), ', '), rest > 0 ? ` and ${rest} more` : ''];
}

function renderReason(verdict: Verdict, reason: string, same: readonly Unjudged[]): Markup {
  const kinds = (['rule', 'case', 'invariant'] as const).flatMap((kind) => {
    const own = same.filter((one) => one.kind === kind);
    return own.length === 0 ? [] : [html`<p>${countOf(own.length, kind)}: ${renderNames(own)}</p>`];
  });
  const count = kinds.length === 0 ? nothing : html`<span class="quiet">${same.length}</span>`;
  return html`<details class="reason"><summary>${verdictMark(verdict)} ${reason} ${count}</summary>${kinds}</details>`;
}

/** What says nothing about the carrier, a verdict at a time and a reason at a time. */
export function renderUnjudged({ stopped, unjudged }: Collected, rules: readonly RuleResult[]): Markup {
  const all = [...unjudgedRules(rules), ...stopped, ...unjudged.filter(({ kind }) => kind !== 'rule')];
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
  const rules = unjudgedRules(all);
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
    ([reason, same]) =>
      html`<li>${reason} <span class="quiet">${same.length}: ${listIds(foldIds(same.map(({ id }) => id)), 4)}</span></li>`,
  );
  const counts = [
    ...(rules.length > 0 ? [countOf(rules.length, 'rule')] : []),
    ...(cases.length > 0 ? [`${countOf(cases.length, 'case')} without a verdict`] : []),
  ];
  return html`<div class="gaps"><p><strong>Not judged:</strong> <a href="#unjudged">${counts.join(', ')}</a></p><ul>${list}${moreItem(groups.size - list.length, ' reasons')}</ul></div>`;
}
