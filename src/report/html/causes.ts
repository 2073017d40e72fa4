import { countNoun } from '../../lib/lists.ts';
import type { Result, RuleResult } from '../../model/result.ts';
import { commonFacts, rankBroken, shortHeadline } from '../shared/broken-rules.ts';
import { consequenceWords } from '../shared/consequences.ts';
import { ruleSentence } from '../shared/prose.ts';
import { type FindingSection, type ReportModel, sectionStandings } from '../shared/model.ts';
import { expectedMark, verdictMark } from './fragments.ts';
import { html, joinContent, type Markup, nothing, ruleLink } from './links.ts';

/** Most causes on the first screen; their headings lead to the others. */
const maxCauses = 5;

interface CauseKind {
  readonly section: FindingSection;
  readonly heading: (count: number) => string;
  readonly mark: Markup;
}

const causeKinds: readonly CauseKind[] = [
  { section: 'failures', heading: (count) => `${countNoun(count, 'rule')} broken`, mark: verdictMark('fail') },
  { section: 'expected', heading: (count) => `${countNoun(count, 'rule')} broken, as expected`, mark: expectedMark },
  {
    section: 'uncounted',
    heading: (count) => `${countNoun(count, 'rule')} broken, but not counted`,
    mark: verdictMark('fail'),
  },
  {
    section: 'warnings',
    heading: (count) => `${countNoun(count, 'rule')} not followed, no outcome changed`,
    mark: verdictMark('warn'),
  },
];

/** Search that finds the rules of a section. */
const sectionSearch = (section: FindingSection): string =>
  `is:${sectionStandings[section].map((standing) => standing.replace(' ', '-')).join(',')}`;

/** Rules of a section, the most important first. */
function sectionRules(section: FindingSection, result: Result, model: ReportModel): readonly RuleResult[] {
  const ranked = rankBroken(result, model).map(({ rule }) => rule.id);
  return result.rules
    .filter(({ standing }) => sectionStandings[section].includes(standing))
    .toSorted((one, other) => ranked.indexOf(one.id) - ranked.indexOf(other.id));
}

function renderCause(rule: RuleResult, { section, mark }: CauseKind, model: ReportModel): Markup {
  const group = [...model[section].values()].find((one) => one.rule === rule.id);
  const [first] = group?.found ?? [];
  const why = first === undefined ? nothing : html`<span class="why">${shortHeadline(first)}</span>`;
  const following = consequenceWords(model.following.get(rule.id));
  const follows =
    following === undefined
      ? nothing
      : html`<details class="follows"><summary>What follows from it</summary>${following}</details>`;
  const ref = group?.ref ?? rule.id;
  return html`<li>${mark} ${ruleLink(first?.finding ?? { rule: rule.id })} <span class="description">${ruleSentence(rule, ref)}</span>${why}${follows}</li>`;
}

/** Facts that break several rules each, a cause each. */
function renderFacts(model: ReportModel, { mark }: CauseKind): readonly Markup[] {
  return commonFacts(model).map(({ words, rules }) => {
    const links = joinContent(
      rules.map((rule) => ruleLink({ rule })),
      ', ',
    );
    return html`<li>${mark} <span class="description">${words}</span><details class="follows"><summary>Which rules</summary>${links}</details></li>`;
  });
}

/** Causes of the verdict for the first screen: a line each, under the number of rules of their kind. */
export function renderCauses(result: Result, model: ReportModel): Markup {
  const alike = new Set(commonFacts(model).flatMap(({ rules }) => rules));
  let left = maxCauses;
  const parts = causeKinds.map((kind) => {
    const rules = sectionRules(kind.section, result, model);
    if (rules.length === 0) return nothing;
    const facts = kind.section === 'failures' ? renderFacts(model, kind) : [];
    const apart = rules.filter(({ id }) => kind.section !== 'failures' || !alike.has(id));
    const shown = [
      ...facts,
      ...apart.slice(0, Math.max(0, left - facts.length)).map((rule) => renderCause(rule, kind, model)),
    ].slice(0, left);
    left -= shown.length;
    const list = shown.length === 0 ? nothing : html`<ul>${shown}</ul>`;
    return html`<h2><a href="#rules" data-q="${sectionSearch(kind.section)}">${kind.heading(rules.length)}</a></h2>${list}`;
  });
  return parts.every((part) => part === nothing)
    ? nothing
    : html`<nav class="causes" aria-label="Rules that did not hold">${parts}</nav>`;
}
