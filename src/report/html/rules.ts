import type { Interface } from '../../model/interface.ts';
import type { RuleResult, InvariantResult } from '../../model/result.ts';
import { groupBy, countNoun } from '../../lib/lists.ts';
import { renderPosition, type RuleStanding, type Verdict } from '../../model/rule.ts';
import { renderClause, levelWords, messageKindWords, ruleSentence, violationCount } from '../shared/prose.ts';
import { countRuleVerdicts } from '../shared/run-prose.ts';
import type { createEntryLookup } from '../../verdict/findings.ts';
import { type groupsByRule, renderEvidence } from './evidence.ts';
import { shortHeadline } from '../shared/broken-rules.ts';
import { type ReportModel, sectionStandings } from '../shared/model.ts';
import {
  invariantAnchor,
  invariantLink,
  ruleAnchor,
  sectionAnchor,
  type HtmlContent,
  html,
  type Markup,
  nothing,
} from './links.ts';
import {
  expectedMark,
  factList,
  interpretationLine,
  reasonLine,
  renderFindingBox,
  renderRecordedTable,
  verdictMark,
} from './fragments.ts';
import type { CaseEntry, CaseIndex } from './case-index.ts';

type Clauses = Interface['clauses'];

const baselineId = 'baseline';

export interface RuleSection {
  /** `2.3`, or `baseline`. */
  readonly id: string;
  readonly title: string;
  readonly rules: readonly RuleResult[];
}

/** Section of a rule's first clause: 2.3 for `2.3 jti, 5.1`, 6 for `6 dc1`, `baseline` for an RFC. */
export function clauseSection(clause: string, clauses: Clauses): string {
  const [number = '', chapter = ''] = /^(\d+)(?:\.\d+)?(?=[ ,]|$)/.exec(clause) ?? [];
  return [number, chapter].find((name) => clauses.some(([known]) => known === name)) ?? baselineId;
}

/** Rules by section of the interface, in its order; rules from other standards come last. */
export function ruleSections(rules: readonly RuleResult[], clauses: Clauses): readonly RuleSection[] {
  const groups = groupBy(rules, ({ clause }) => clauseSection(clause, clauses));
  const all = [...clauses, [baselineId, 'Standards the interface builds on'] as const];
  return all.flatMap(([id, title]) => {
    const own = groups.get(id);
    return own === undefined ? [] : [{ id, title, rules: own }];
  });
}

export interface RulesSource {
  readonly index: CaseIndex;
  readonly model: ReportModel;
  readonly groups: ReturnType<typeof groupsByRule>;
  readonly entryOf: ReturnType<typeof createEntryLookup>;
  /** Ids of broken rules that are expected to be broken. */
  readonly tolerated: ReadonlySet<string>;
}

/** An invariant, with the number of messages it was judged on, and its findings. */
function renderInvariant(invariant: InvariantResult, { model: { flags }, entryOf }: RulesSource): Markup {
  const { id, title, verdict, reason, on, judged, violations, findings, position } = invariant;
  const words =
    violations === 0
      ? `held for ${countNoun(judged, ...messageKindWords[on])}`
      : `broken by ${violationCount(invariant)}`;
  const found = findings.map((finding) => renderFindingBox({ finding, invariant, flags, entry: entryOf(finding, id) }));
  return html`<details class="case invariant" id="${invariantAnchor(id)}"><summary>${verdictMark(verdict)} <span class="id">${id}</span> <span class="title">${title}</span> <span class="quiet">invariant, ${words}</span></summary><div class="inside">${reasonLine(verdict, reason)}${found}<p class="meta">${renderPosition(position)}</p></div></details>`;
}

const judgedWords: Readonly<Record<RuleResult['judged'], string>> = {
  cases: 'judged by cases',
  invariant: 'judged on every message of its kind',
  attested: 'only the operator can attest it',
  untestable: 'no black box can judge it',
};

function renderInvariants(id: string, source: RulesSource): HtmlContent {
  const { index } = source;
  return (index.invariantsOf.get(id) ?? []).map((invariant) =>
    index.homeOf(invariant) === id
      ? renderInvariant(invariant, source)
      : html`<p class="elsewhere">${verdictMark(invariant.verdict)} ${invariantLink(invariant.id)} <span class="title">${invariant.title}</span></p>`,
  );
}

function judgeCounts(id: string, cases: readonly CaseEntry[], { index }: RulesSource): string {
  const invariants = index.invariantsOf.get(id)?.length ?? 0;
  const parts = [
    ...(cases.length === 0 ? [] : [countNoun(cases.length, 'case')]),
    ...(invariants === 0 ? [] : [countNoun(invariants, 'invariant')]),
  ];
  return parts.length === 0 ? 'judged by nothing' : parts.join(', ');
}

function renderAttestation({ attestation }: RuleResult): Markup {
  if (attestation === undefined) return nothing;
  const { by, on, description, evidence, sha256 } = attestation;
  return factList([
    ['Attested by', by],
    ['On', on],
    ['Description', description],
    ['Evidence', evidence],
    ['Digest', sha256],
  ]);
}

/** Standings that a search can ask for beside the verdict. */
const soughtStandings: readonly RuleStanding[] = Object.values(sectionStandings).flat();

function renderRule(rule: RuleResult, source: RulesSource): Markup {
  const { id, area, clause, level, description, interpretation, judged, verdict, reason, recorded, standing } = rule;
  const { index, model } = source;
  const cases = index.casesOf.get(id) ?? [];
  const groups = source.groups.get(id) ?? [];
  const [group] = groups;
  const [first] = group?.found ?? [];
  const known = source.tolerated.has(id) ? html` ${expectedMark}` : nothing;
  const uncounted = standing === 'uncounted' ? ' · not counted' : '';
  const meta = `${renderClause(clause)} · ${levelWords(rule)}${uncounted} · ${area} · ${judgeCounts(id, cases, source)}`;
  const aspect =
    group === undefined || group.ref === id
      ? nothing
      : html`<span class="why">${group.ref}, ${levelWords(group)}: ${ruleSentence(rule, group.ref)}</span>`;
  const why = first === undefined ? nothing : html`${aspect}<span class="why">${shortHeadline(first)}</span>`;
  const sought = soughtStandings.includes(standing) ? html` data-standing="${standing.replace(' ', '-')}"` : nothing;
  const listed = cases.length === 0 ? nothing : html`<div class="listed"></div>`;
  return html`<details class="rule" id="${ruleAnchor(id)}" data-verdict="${verdict}" data-level="${level}" data-area="${area}"${sought}><summary><h4>${verdictMark(verdict)}${known} <span class="id">${id}</span> <span class="description">${description}</span></h4>${why}<span class="meta">${meta}</span></summary><div class="inside">${interpretationLine(interpretation)}<p class="meta">${judgedWords[judged]} · <a class="permalink" href="#${ruleAnchor(id)}">link to ${id}</a></p>${reasonLine(verdict, reason)}${renderEvidence(rule, groups, model)}${renderAttestation(rule)}${renderRecordedTable(recorded)}${renderInvariants(id, source)}${listed}</div></details>\n`;
}

const troubledVerdicts: ReadonlySet<Verdict> = new Set(['fail', 'warn', 'inconclusive', 'error']);

const sectionNumber = (id: string): string => (/^\d/.test(id) ? id : '');

/** Number of rules that did not hold or have no verdict, by verdict. */
function renderTallies(rules: readonly RuleResult[]): HtmlContent {
  return countRuleVerdicts(rules)
    .filter(([verdict]) => troubledVerdicts.has(verdict))
    .map(
      ([verdict, count]) =>
        html` <span class="tally v v-${verdict}">${count}<span class="unseen"> ${verdict}</span></span>`,
    );
}

export function renderSection({ id, title, rules }: RuleSection, source: RulesSource, isOpen: boolean): Markup {
  const open = isOpen ? html` open` : nothing;
  return html`<details class="clause" id="${sectionAnchor(id)}"${open}><summary><h3><span class="number">${sectionNumber(id)}</span> ${title} <span class="quiet">${countNoun(rules.length, 'rule')}</span></h3>${renderTallies(rules)}</summary>${rules.map((rule) => renderRule(rule, source))}</details>\n`;
}
