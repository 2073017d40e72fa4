import { countNoun, groupBy, listRanges } from '../../lib/lists.ts';
import { unselectedRules } from '../../verdict/headline.ts';
import type { Result, RuleResult } from '../../model/result.ts';
import {
  type ReportModel,
  type LocatedFinding,
  type FindingGroup,
  type UnjudgedItem,
  unjudgedRules,
  type FindingSection,
  sectionStandings,
} from '../shared/model.ts';
import { commonFacts, shortHeadline, findingHeadline } from '../shared/broken-rules.ts';
import { type Consequences, consequenceWords } from '../shared/consequences.ts';
import { renderClause, levelWords, verdictLegend, violationCount } from '../shared/prose.ts';
import { caseLink, invariantLink, ruleAnchor, ruleLink, html, joinContent, type Markup, nothing } from './links.ts';
import { expectedMark, interpretationLine, knownLine, moreItem, renderEvidence, verdictMark } from './fragments.ts';
import type { Verdict } from '../../model/rule.ts';

const maxNamedFindings = 40;

interface ProblemKind {
  readonly id: 'broken' | 'broken-expected' | 'uncounted' | 'warnings';
  /** Verdict of the rules, and tone of their cards. */
  readonly verdict: 'fail' | 'warn';
  readonly tone: 'fail' | 'expected' | 'warn';
  readonly heading: (count: number) => string;
}

const problemKinds = {
  failures: { id: 'broken', verdict: 'fail', tone: 'fail', heading: (count) => `${countNoun(count, 'rule')} broken` },
  expected: {
    id: 'broken-expected',
    verdict: 'fail',
    tone: 'expected',
    heading: (count) => `${countNoun(count, 'rule')} broken, as expected`,
  },
  uncounted: {
    id: 'uncounted',
    verdict: 'fail',
    tone: 'warn',
    heading: (count) => `${countNoun(count, 'rule')} broken, but not counted`,
  },
  warnings: {
    id: 'warnings',
    verdict: 'warn',
    tone: 'warn',
    heading: (count) => `${countNoun(count, 'rule')} not followed, no outcome changed`,
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** Rules of one kind in the given order, each with its findings by aspect. */
function problemGroups(
  rules: readonly RuleResult[],
  model: ReportModel,
  which: FindingSection,
): readonly (readonly [RuleResult, readonly FindingGroup[]])[] {
  const groups = [...model[which].values()];
  return rules
    .filter(({ standing }) => sectionStandings[which].includes(standing))
    .map((rule) => [rule, groups.filter((group) => group.rule === rule.id)] as const);
}

function renderFoundIn({ finding, invariant, seenIn, id, title }: LocatedFinding): Markup {
  if (invariant === undefined) return html`<p class="seen">Case ${caseLink(id, finding.message)}: ${title}</p>`;
  const first = finding.seenIn ?? seenIn?.id;
  const link = first === undefined ? nothing : html`, first in case ${caseLink(first, finding.message)}`;
  const violated = html` <span class="violated">in ${violationCount(invariant)}</span>`;
  return html`<p class="seen">Invariant ${invariantLink(id)}: ${title}${violated}${link}</p>`;
}

function renderMore(found: readonly LocatedFinding[]): Markup {
  if (found.length === 0) return nothing;
  const rows = found.slice(0, maxNamedFindings).map((one) => {
    const { id, finding, invariant } = one;
    const link = invariant === undefined ? caseLink(id, finding.message) : invariantLink(id);
    return html`<li>${link} <span class="quiet">${findingHeadline(one)}</span></li>`;
  });
  const more = moreItem(found.length - maxNamedFindings, ', under the rule');
  return html`<details class="more"><summary>${countNoun(found.length, 'more finding')} of the same rule</summary><ul>${rows}${more}</ul></details>`;
}

function renderGroup({ ref, found, ...binding }: FindingGroup, rule: RuleResult, flags: readonly string[]): Markup {
  const [first, ...more] = found;
  if (first === undefined) return nothing;
  const { entry } = first;
  const aspect =
    ref === rule.id
      ? nothing
      : html`<p class="aspect">${ref} <span class="level">${levelWords(binding)}</span> <span class="description">${rule.aspects?.[ref] ?? ''}</span></p>`;
  return html`${aspect}<p class="summary">${findingHeadline(first)}</p>${knownLine(entry)}${renderFoundIn(first)}${renderEvidence({ ...first, flags })}${renderMore(more)}`;
}

/** Consequences of a broken rule, folded under it. */
function renderFollowing(following: Consequences | undefined): Markup {
  const words = consequenceWords(following);
  return words === undefined ? nothing : html`<p class="follows"><strong>Follows from it:</strong> ${words}</p>`;
}

function renderCard(
  rule: RuleResult,
  groups: readonly FindingGroup[],
  { kind, flags, following }: { kind: ProblemKind; flags: readonly string[]; following: ReportModel['following'] },
): Markup {
  const { id, clause, description, interpretation, reason = 'It failed, but no finding was kept.' } = rule;
  const found = groups.length === 0 ? html`<p>${reason}</p>` : groups.map((group) => renderGroup(group, rule, flags));
  return html`<li class="card t-${kind.tone}" id="${kind.id}-${ruleAnchor(id)}" tabindex="-1"><h3>${problemMark(kind)} <a href="#${ruleAnchor(id)}">${id}</a> <span class="description">${description}</span></h3><p class="meta">${renderClause(clause)} · ${levelWords(rule)} · ${rule.area}</p>${interpretationLine(interpretation)}${found}${renderFollowing(following.get(id))}</li>`;
}

/** Verdict mark; an expected failure has a mark of its own. */
const problemMark = ({ verdict, tone }: ProblemKind): Markup =>
  tone === 'expected' ? expectedMark : verdictMark(verdict);

/** Rules of one kind, each with its evidence and the command to run it again. */
export function renderProblemCards(
  which: FindingSection,
  result: Pick<Result, 'rules' | 'header'>,
  model: ReportModel,
): Markup {
  const kind: ProblemKind = problemKinds[which];
  const found = problemGroups(result.rules, model, which);
  if (found.length === 0) return nothing;
  const cards = found.map(([rule, groups]) =>
    renderCard(rule, groups, { kind, flags: result.header.flags, following: model.following }),
  );
  return html`<section class="problems" id="${kind.id}" aria-labelledby="${kind.id}-title"><h2 id="${kind.id}-title">${kind.heading(found.length)}</h2><ol class="cards">${cards}</ol></section>`;
}

export const countProblems = (which: FindingSection, { rules }: Pick<Result, 'rules'>, model: ReportModel): number =>
  problemGroups(rules, model, which).length;

/** Problems in short for the first screen: a line for each cause, its consequences, and a link to its card. */
export function renderProblemIndex({ rules }: Result, model: ReportModel): Markup {
  const facts = commonFacts(model);
  const grouped = new Set(facts.flatMap((fact) => fact.rules));
  const common = facts.map(({ words, rules: alike }) => {
    const links = alike.map((id) => html`<a href="#${problemKinds.failures.id}-${ruleAnchor(id)}">${id}</a>`);
    return html`<li>${problemMark(problemKinds.failures)} <span class="description">${words}</span> ${joinContent(links, ', ')}</li>`;
  });
  const others = (['failures', 'expected', 'uncounted', 'warnings'] as const).flatMap((which) => {
    const kind: ProblemKind = problemKinds[which];
    const apart = problemGroups(rules, model, which).filter(([{ id }]) => which !== 'failures' || !grouped.has(id));
    return apart.map(([{ id, description }, groups]) => {
      const first = groups[0]?.found[0];
      const why = first === undefined ? nothing : html`<span class="why">${shortHeadline(first)}</span>`;
      const isCause = which === 'failures' || which === 'expected';
      const uncounted = which === 'uncounted' ? html` <span class="quiet">not counted</span>` : nothing;
      return html`<li>${problemMark(kind)} <a href="#${kind.id}-${ruleAnchor(id)}">${id}</a> <span class="description">${description}</span>${uncounted}${why}${renderFollowing(isCause ? model.following.get(id) : undefined)}</li>`;
    });
  });
  const list = [...common, ...others];
  if (list.length === 0) return nothing;
  const shown = 12;
  const rest = list.length > shown ? html`<li><a href="#broken">and ${list.length - shown} more</a></li>` : nothing;
  return html`<nav class="index causes" aria-label="Rules that did not hold"><ul>${list.slice(0, shown)}${rest}</ul></nav>`;
}

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
  result: Pick<Result, 'rules' | 'footer'>,
): Markup {
  const all = [...unjudgedRules(result), ...stopped, ...unjudged.filter(({ kind }) => kind !== 'rule')];
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

/** Short form for the first screen. */
export function renderUnjudgedIndex({ stopped, unjudged }: ReportModel, result: Result): Markup {
  const rules = unjudgedRules(result);
  const left = unselectedRules(result);
  const rest =
    left === undefined
      ? nothing
      : html`<p class="gaps"><strong>Not selected:</strong> ${left}; nothing is said about them.</p>`;
  const cases = [...stopped, ...unjudged].filter(({ kind }) => kind !== 'rule');
  if (rules.length === 0 && cases.length === 0) {
    return html`${rest}<p class="gaps"><strong>Not judged:</strong> none of the selected rules; each has a verdict.</p>`;
  }
  const groups = groupBy(
    rules.length > 0 ? rules : cases,
    // Group by the first words of the reason: `only the operator can attest it: needs a sign-in`.
    ({ verdict, reason }) => `${verdict}: ${reason.split(': ')[0] ?? reason}`,
  );
  const reasons = [...groups].toSorted(([, one], [, other]) => other.length - one.length).slice(0, 4);
  const list = reasons.map(
    ([reason, same]) =>
      html`<li>${reason} <span class="quiet">${same.length}: ${listRanges(
        same.map(({ id }) => id),
        4,
      )}</span></li>`,
  );
  const counts = [
    ...(rules.length > 0 ? [countNoun(rules.length, 'rule')] : []),
    ...(cases.length > 0 ? [`${countNoun(cases.length, 'case')} without a verdict`] : []),
  ];
  return html`${rest}<div class="gaps"><p><strong>Not judged:</strong> <a href="#unjudged">${counts.join(', ')}</a></p><ul>${list}${moreItem(groups.size - list.length, ' reasons')}</ul></div>`;
}
