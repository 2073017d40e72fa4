import { countNoun, groupBy } from '../../lib/lists.ts';
import type { Result } from '../../model/result.ts';
import type { Verdict } from '../../model/rule.ts';
import { unselectedRules } from '../../verdict/headline.ts';
import { type ReportModel, type UnjudgedItem, unjudgedRules } from '../shared/model.ts';
import { verdictLegend } from '../shared/prose.ts';
import { verdictMark } from './fragments.ts';
import { caseLink, html, invariantLink, joinContent, type Markup, nothing, ruleLink } from './links.ts';

const nameLimit = 60;

const linkTo = { case: caseLink, invariant: invariantLink, rule: (rule: string) => ruleLink({ rule }) } as const;

function renderReason(verdict: Verdict, reason: string, same: readonly UnjudgedItem[]): Markup {
  const kinds = (['rule', 'case', 'invariant'] as const).flatMap((kind) => {
    const own = same.filter((one) => one.kind === kind);
    const names = own.slice(0, nameLimit).map(({ id }) => linkTo[kind](id));
    const rest = own.length > nameLimit ? ` and ${own.length - nameLimit} more` : '';
    return own.length === 0 ? [] : [html`<p>${countNoun(own.length, kind)}: ${joinContent(names, ', ')}${rest}</p>`];
  });
  const count = kinds.length === 0 ? nothing : html`<span class="quiet">${same.length}</span>`;
  return html`<details class="reason"><summary>${verdictMark(verdict)} ${reason} ${count}</summary>${kinds}</details>`;
}

/** Rules, cases and invariants without a verdict on the carrier, by verdict and reason. */
export function renderUnjudgedSection(
  { stopped, unjudged }: ReportModel,
  result: Pick<Result, 'rules' | 'footer' | 'header'>,
): Markup {
  const all = [...unjudgedRules(result), ...stopped, ...unjudged.filter(({ kind }) => kind !== 'rule')];
  const left = unselectedRules(result);
  if (all.length === 0 && left === undefined) return nothing;
  const unselected =
    left === undefined ? nothing : html`<p><strong>Not selected:</strong> ${left}; nothing is said about them.</p>`;
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
  return html`<section class="unjudged" id="unjudged" aria-labelledby="unjudged-title"><h2 id="unjudged-title">Not judged, and why</h2>${unselected}${verdicts}</section>`;
}
