import type { RuleResult } from '../../model/result.ts';
import { countOf } from '../shared/layout.ts';
import { clauseOf, verdictLegend } from '../shared/prose.ts';
import { invariantAnchor, ruleAnchor, sectionAnchor } from './anchors.ts';
import { loudnessOf } from './case-view.ts';
import { renderCase, renderCaseLink, renderInvariant } from './cases.ts';
import { type Content, html, type Markup, nothing } from './markup.ts';
import { renderRecorded } from './recorded.ts';
import { countVerdicts } from './first-screen.ts';
import type { Section } from './contents.ts';
import type { CaseEntry, Survey } from './case-index.ts';
import { verdictMark } from './words.ts';

export interface Shelf {
  readonly survey: Survey;
  readonly flags: readonly string[];
  /** What was found in a case, rendered, by the case's id. */
  readonly findings: ReadonlyMap<string, Markup>;
}

const judgedWords: Readonly<Record<RuleResult['judged'], string>> = {
  cases: 'judged by cases',
  invariant: 'judged on every message of its kind',
  attested: 'only the operator can attest it',
  untestable: 'no black box can judge it',
};

function renderInvariants(id: string, { survey, flags }: Shelf): Content {
  return (survey.invariantsOf.get(id) ?? []).map((invariant) =>
    survey.homeOf(invariant) === id
      ? renderInvariant(invariant, flags)
      : html`<p class="elsewhere">${verdictMark(invariant.verdict)} <a href="#${invariantAnchor(invariant.id)}">${invariant.id}</a> <span class="title">${invariant.title}</span></p>`,
  );
}

/** Cases that somebody will want to look into stand first; the others keep the order of the suites. */
const loudFirst = (one: CaseEntry, other: CaseEntry): number =>
  Number(loudnessOf(one.verdict) === 'quiet') - Number(loudnessOf(other.verdict) === 'quiet');

function renderCases(id: string, cases: readonly CaseEntry[], { findings, flags }: Shelf): Content {
  const own = cases.filter(({ home }) => home === id).toSorted(loudFirst);
  const others = cases.filter(({ home }) => home !== id);
  return [
    own.map((entry) => renderCase(entry, { findings: findings.get(entry.id) ?? nothing, flags })),
    others.map(renderCaseLink),
  ];
}

function judgesOf(id: string, cases: readonly CaseEntry[], { survey }: Shelf): string {
  const standing = survey.invariantsOf.get(id)?.length ?? 0;
  const parts = [
    ...(cases.length === 0 ? [] : [countOf(cases.length, 'case')]),
    ...(standing === 0 ? [] : [countOf(standing, 'standing rule')]),
  ];
  return parts.length === 0 ? 'judged by nothing' : parts.join(', ');
}

/** The operator's word for a rule that no black box can see, with what is said to show it. */
function renderAttestation({ attestation }: RuleResult): Markup {
  if (attestation === undefined) return nothing;
  const { by, on, description, evidence, sha256 } = attestation;
  const facts = [
    ['Attested by', by],
    ['On', on],
    ['Says', description],
    ['Evidence', evidence],
    ...(sha256 === undefined ? [] : [['Digest', sha256] as const]),
  ] as const;
  return html`<dl class="facts">${facts.map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>`;
}

function renderRule(rule: RuleResult, shelf: Shelf): Markup {
  const { id, area, clause, level, description, interpretation, judged, verdict, reason, recorded } = rule;
  const cases = shelf.survey.casesOf.get(id) ?? [];
  const meta = `${clauseOf(clause)} · ${level} · ${area} · ${judgesOf(id, cases, shelf)}`;
  const read =
    interpretation === undefined
      ? nothing
      : html`<p class="reading"><strong>How it is read:</strong> ${interpretation}</p>`;
  const why =
    reason === undefined ? nothing : html`<p class="because"><strong>${verdictLegend[verdict]}:</strong> ${reason}</p>`;
  return html`<details class="rule" id="${ruleAnchor(id)}" data-verdict="${verdict}" data-level="${level}" data-area="${area}"><summary><h4>${verdictMark(verdict)} <span class="id">${id}</span> <span class="says">${description}</span></h4><span class="meta">${meta}</span></summary><div class="inside">${read}<p class="meta">${judgedWords[judged]} · <a class="permalink" href="#${ruleAnchor(id)}">link to ${id}</a></p>${why}${renderAttestation(rule)}${renderRecorded(recorded)}${renderInvariants(id, shelf)}${renderCases(id, cases, shelf)}</div></details>\n`;
}

const numberOf = (id: string): string => (/^\d/.test(id) ? id : '');

/** One section of the interface with its rules. */
export function renderSection({ id, title, rules }: Section, shelf: Shelf): Markup {
  const anchor = sectionAnchor(id);
  return html`<section class="clause" id="${anchor}" aria-labelledby="${anchor}-title"><h3 id="${anchor}-title"><span class="number">${numberOf(id)}</span> ${title} <span class="quiet">${countOf(rules.length, 'rule')}</span></h3>${rules.map((rule) => renderRule(rule, shelf))}</section>\n`;
}

/** The interface's table of contents, with what did not hold in each section. */
export function renderContents(sections: readonly Section[]): Markup {
  const items = sections.map(({ id, title, rules }) => {
    const trouble = countVerdicts(rules).filter(
      ([verdict]) => verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive' || verdict === 'error',
    );
    const marks = trouble.map(
      ([verdict, count]) =>
        html` <span class="tally v v-${verdict}">${count}<span class="unseen"> ${verdict}</span></span>`,
    );
    return html`<li><a href="#${sectionAnchor(id)}"><span class="number">${numberOf(id)}</span> <span>${title}</span></a>${marks}</li>`;
  });
  return html`<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary><ol>${items}</ol></details></nav>`;
}
