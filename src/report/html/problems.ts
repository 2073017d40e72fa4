import type { Result, RuleResult } from '../../model/result.ts';
import { countOf } from '../shared/layout.ts';
import { clauseOf, messageKindWords, renderFinding } from '../shared/prose.ts';
import type { Collected, Group, Seen } from '../shared/collect.ts';
import { invariantAnchor, ruleAnchor } from './anchors.ts';
import { caseLink, renderEvidence } from './evidence.ts';
import { html, type Markup, nothing } from './markup.ts';
import { verdictMark } from './words.ts';

/** Further cases of one rule that are named. */
const named = 40;

interface Kind {
  readonly id: 'broken' | 'warnings';
  readonly verdict: 'fail' | 'warn';
  readonly heading: (count: number) => string;
}

const kinds = {
  failures: { id: 'broken', verdict: 'fail', heading: (count) => `${countOf(count, 'rule')} broken` },
  warnings: {
    id: 'warnings',
    verdict: 'warn',
    heading: (count) => `${countOf(count, 'recommended rule')} not followed`,
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** Rules of one verdict in the order given, each with what was found against it, aspect by aspect. */
function groupsOf(
  rules: readonly RuleResult[],
  groups: ReadonlyMap<string, Group>,
  verdict: Kind['verdict'],
): readonly (readonly [RuleResult, readonly Group[]])[] {
  return rules
    .filter((rule) => rule.verdict === verdict || [...groups.values()].some((group) => group.rule === rule.id))
    .map((rule) => [rule, [...groups.values()].filter((group) => group.rule === rule.id)] as const);
}

const violated = ({ invariant }: Seen): Markup => {
  if (invariant === undefined) return nothing;
  const [one, many] = messageKindWords[invariant.on];
  const words = `in ${invariant.violations} of ${countOf(invariant.judged, one, many)}`;
  return html` <span class="violated">${words}</span>`;
};

function whereSeen(seen: Seen): Markup {
  const { finding, invariant, seenIn, id, title } = seen;
  if (invariant === undefined) return html`<p class="seen">Case ${caseLink(id, finding.message)}: ${title}</p>`;
  const first = finding.seenIn ?? seenIn?.id;
  const link = first === undefined ? nothing : html`, first in case ${caseLink(first, finding.message)}`;
  return html`<p class="seen">Standing rule <a href="#${invariantAnchor(id)}">${id}</a>: ${title}${violated(seen)}${link}</p>`;
}

function renderMore(seen: readonly Seen[]): Markup {
  if (seen.length === 0) return nothing;
  const rows = seen.slice(0, named).map(({ id, finding, invariant }) => {
    const link =
      invariant === undefined ? caseLink(id, finding.message) : html`<a href="#${invariantAnchor(id)}">${id}</a>`;
    return html`<li>${link} <span class="quiet">${renderFinding(finding).summary}</span></li>`;
  });
  const rest = seen.length - named;
  const more = rest > 0 ? html`<li>and ${rest} more, under the rule</li>` : nothing;
  return html`<details class="more"><summary>${countOf(seen.length, 'more finding')} of the same rule</summary><ul>${rows}${more}</ul></details>`;
}

function renderGroup({ ref, seen }: Group, rule: RuleResult, flags: readonly string[]): Markup {
  const [first, ...more] = seen;
  if (first === undefined) return nothing;
  const { finding, seenIn } = first;
  const aspect = ref === rule.id ? nothing : html`<p class="aspect">${ref}</p>`;
  const exhibit = { finding, flags, ...(seenIn === undefined ? {} : { seenIn }) };
  return html`${aspect}<p class="summary">${renderFinding(finding).summary}</p>${whereSeen(first)}${renderEvidence(exhibit)}${renderMore(more)}`;
}

function renderCard(
  rule: RuleResult,
  groups: readonly Group[],
  { kind, flags }: { kind: Kind; flags: readonly string[] },
): Markup {
  const { id, clause, level, description, interpretation, reason = 'It failed, but no finding was kept.' } = rule;
  const found = groups.length === 0 ? html`<p>${reason}</p>` : groups.map((group) => renderGroup(group, rule, flags));
  const read =
    interpretation === undefined
      ? nothing
      : html`<p class="reading"><strong>How it is read:</strong> ${interpretation}</p>`;
  return html`<li class="card t-${kind.verdict}" id="${kind.id}-${ruleAnchor(id)}" tabindex="-1"><h3>${verdictMark(kind.verdict)} <a href="#${ruleAnchor(id)}">${id}</a> <span class="says">${description}</span></h3><p class="meta">${clauseOf(clause)} · ${level} · ${rule.area}</p>${read}${found}</li>`;
}

/** Every broken rule, or every recommended one that was not followed, with its reason and the way to see it again. */
export function renderProblems(
  which: keyof typeof kinds,
  result: Pick<Result, 'rules' | 'header'>,
  collected: Collected,
): Markup {
  const kind: Kind = kinds[which];
  const found = groupsOf(result.rules, collected[which], kind.verdict);
  if (found.length === 0) return nothing;
  const cards = found.map(([rule, groups]) => renderCard(rule, groups, { kind, flags: result.header.flags }));
  return html`<section class="problems" id="${kind.id}" aria-labelledby="${kind.id}-title"><h2 id="${kind.id}-title">${kind.heading(found.length)}</h2><ol class="cards">${cards}</ol></section>`;
}

/** The same in short, for the first screen: the rules with one line each and a link to what is said of them below. */
export function renderProblemIndex({ rules }: Result, collected: Collected): Markup {
  const list = (['failures', 'warnings'] as const).flatMap((which) => {
    const kind: Kind = kinds[which];
    return groupsOf(rules, collected[which], kind.verdict).map(([{ id, description }, groups]) => {
      const finding = groups[0]?.seen[0]?.finding;
      const why = finding === undefined ? nothing : html`<span class="why">${renderFinding(finding).summary}</span>`;
      return html`<li>${verdictMark(kind.verdict)} <a href="#${kind.id}-${ruleAnchor(id)}">${id}</a> <span class="says">${description}</span>${why}</li>`;
    });
  });
  if (list.length === 0) return nothing;
  const shown = 12;
  const rest = list.length > shown ? html`<li><a href="#broken">and ${list.length - shown} more</a></li>` : nothing;
  return html`<nav class="index" aria-label="Rules that did not hold"><ul>${list.slice(0, shown)}${rest}</ul></nav>`;
}
