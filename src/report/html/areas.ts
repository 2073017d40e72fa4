import { countNoun } from '../../lib/lists.ts';
import type { Result, ResultFooter, RuleResult } from '../../model/result.ts';
import { type Verdict, renderPosition } from '../../model/rule.ts';
import { countRuleVerdicts } from '../shared/run-prose.ts';
import { ruleAnchor, type HtmlContent, html, type Markup, nothing, type Links } from './links.ts';
import type { ExpectedResult } from '../../model/expected-failure.ts';
import { isStale } from '../../verdict/expected.ts';
import { renderDelivery } from '../shared/facts.ts';
import {
  entryStateWords,
  behaviourInWords,
  countExpected,
  coverageWords,
  deleteAdvice,
  summarizeUnsolicited,
} from '../shared/notes.ts';
import { renderClockTime } from '../shared/time.ts';
import { moreItem, renderTable } from './fragments.ts';
import type { ProfileValue } from '../../model/limit.ts';

/** Order of the marks, one per rule: those to look at come first. The sizes are in picture units. */
const markOrder: readonly Verdict[] = [
  'fail',
  'error',
  'inconclusive',
  'warn',
  'not-run',
  'attested',
  'not-applicable',
  'informational',
  'pass',
];
const marksPerRow = 26;
const pitch = 10;
const size = 8;

/** Shape of each verdict, so that colour is never the only sign. Paths start at the mark's upper left corner. */
const shapes: Readonly<Record<Verdict, string>> = {
  pass: 'h8v8h-8z',
  informational: 'm4 0l4 4l-4 4l-4 -4z',
  warn: 'm4 0l4 8h-8z',
  fail: 'h8v8h-8zm1.5 2.5l1.5 1.5l-1.5 1.5l1 1l1.5 -1.5l1.5 1.5l1 -1l-1.5 -1.5l1.5 -1.5l-1 -1l-1.5 1.5l-1.5 -1.5z',
  error: 'h8v8h-8zm3 1v3.5h2v-3.5zm0 4.5v1.5h2v-1.5z',
  inconclusive: 'h8v8h-8zm1 1v6h6v-6zm2 2h2v2h-2z',
  'not-run': 'h8v8h-8zm1 1v6h6v-6z',
  attested: 'h8v8h-8zm1 1v6h6v-6zm2 0.5h2v5h-2z',
  'not-applicable': 'm0 3.5h8v1h-8z',
};

/** Whether all marks of the verdict share one path. Other marks have a title, and a link that the script adds. */
const isQuiet = (verdict: Verdict): boolean => verdict === 'pass' || verdict === 'informational';

const markOrigin = (at: number): string => `M${(at % marksPerRow) * pitch} ${Math.floor(at / marksPerRow) * pitch}`;

function renderQuiet(placed: readonly { readonly rule: RuleResult; readonly at: number }[], verdict: Verdict): Markup {
  const d = placed
    .filter(({ rule }) => rule.verdict === verdict)
    .map(({ at }) => markOrigin(at) + shapes[verdict])
    .join('');
  return d === '' ? nothing : { markup: `<path class="a-${verdict}" d="${d}"/>` };
}

/** `43 pass, 2 fail`. */
const verdictCounts = (rules: readonly RuleResult[]): string =>
  countRuleVerdicts(rules)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ');

function renderMarks(rules: readonly RuleResult[]): Markup {
  const placed = rules
    .toSorted((one, other) => markOrder.indexOf(one.verdict) - markOrder.indexOf(other.verdict))
    .map((rule, at) => ({ rule, at }));
  const notable = placed
    .filter(({ rule }) => !isQuiet(rule.verdict))
    .map(
      ({ rule: { id, verdict }, at }) =>
        html`<path class="a-${verdict}" data-leads="${ruleAnchor(id)}" fill-rule="evenodd" d="${markOrigin(at)}${shapes[verdict]}"><title>${id}: ${verdict}</title></path>`,
    );
  const height = Math.max(1, Math.ceil(rules.length / marksPerRow)) * pitch - (pitch - size);
  return html`<svg class="marks" viewBox="0 0 ${marksPerRow * pitch} ${height}" role="img" aria-label="${verdictCounts(rules)}">${renderQuiet(placed, 'pass')}${renderQuiet(placed, 'informational')}${notable}</svg>`;
}

/** Legend of the marks, for the verdicts in the result; each leads to the rules that have it. */
function renderLegend(rules: readonly RuleResult[]): Markup {
  const has = new Set(rules.map(({ verdict }) => verdict));
  const keys = markOrder
    .filter((verdict) => has.has(verdict))
    .map(
      (verdict) =>
        html`<a class="mark-key" href="#rules" data-q="is:${verdict}"><svg viewBox="0 0 8 8" aria-hidden="true"><path class="a-${verdict}" fill-rule="evenodd" d="M0 0${shapes[verdict]}"/></svg> ${verdict}</a> `,
    );
  const following = rules.filter(({ verdict, standing }) => verdict === 'fail' && standing === 'follows').length;
  const counted =
    following === 0
      ? ''
      : `; ${following} of the fail marks ${following === 1 ? 'follows' : 'follow'} from a broken rule`;
  return html`<p class="mark-keys quiet">One mark for each rule${counted}: ${keys}</p>`;
}

export function renderAreas({ areas }: ResultFooter, rules: readonly RuleResult[]): Markup {
  const rows = Object.keys(areas).map((name) => {
    const own = rules.filter(({ area }) => area === name);
    const link = html`<a href="#rules" data-q="area:${name}" aria-label="${name}: ${verdictCounts(own)}">${name}</a>`;
    return html`<tr><th scope="row">${link}</th><td class="marks-of">${renderMarks(own)}</td></tr>`;
  });
  return html`<table class="areas"><caption class="unseen">The rules of each area by verdict</caption><thead class="unseen"><tr><th scope="col">area</th><th scope="col">rules</th></tr></thead><tbody>${rows}</tbody></table>${renderLegend(rules)}`;
}

function expectedRow(entry: ExpectedResult, { toRules, toCase }: Links): readonly HtmlContent[] {
  const { what, name, reason, owner, expires, position } = entry;
  const became = isStale(entry)
    ? html`<strong>${entryStateWords(entry)}</strong>; ${deleteAdvice}`
    : entryStateWords(entry);
  const link = what === 'rule' ? toRules([{ rule: name }]) : toCase(name);
  const rest = html`<span class="quiet">${owner}, until ${expires}; <code>${renderPosition(position)}</code></span>`;
  return [html`${what} ${link}`, became, html`${reason} ${rest}`];
}

/** Expected failures and their current state; entries to delete come first, because a page is read from its top. */
export function renderExpectedSection({ footer, rules }: Pick<Result, 'footer' | 'rules'>, links: Links): Markup {
  const expected = footer?.expected;
  if (expected === undefined) return nothing;
  const coverage = coverageWords(rules);
  const rows = expected
    .toSorted((one, other) => Number(isStale(other)) - Number(isStale(one)))
    .map((entry) => expectedRow(entry, links));
  const table = rows.length === 0 ? nothing : renderTable(['Entry', 'Current state', 'Reason'], rows);
  return html`<section class="expected" id="expected" aria-labelledby="expected-title"><h2 id="expected-title">Expected failures <span class="quiet">${countExpected(expected)}</span></h2>${coverage === undefined ? nothing : html`<p>${coverage}</p>`}${table}</section>`;
}

/** Behaviour that the interface leaves open, if the run measured it. */
export function renderProfile(profile: readonly ProfileValue[], { toRules, toCase }: Links): Markup {
  if (profile.length === 0) return nothing;
  const rows = profile.map((value) => {
    const words = behaviourInWords(value);
    const found = words.isSeen ? words.found : html`<span class="quiet">${words.found}</span>`;
    return [words.name, words.about, found, toRules(words.rules), toCase(value.case)];
  });
  return html`<section class="measured" id="profile" aria-labelledby="profile-title"><h2 id="profile-title">Profile <span class="quiet">${countNoun(profile.length, 'behaviour')}</span></h2><p class="quiet">What the interface leaves open, as this carrier has it. No verdict depends on it.</p>${renderTable(['Behaviour', 'Of', 'Carrier', 'Rules', 'Case'], rows)}</section>`;
}

const deliveryLimit = 200;

export function renderUnsolicitedSection(result: Pick<Result, 'unsolicited' | 'footer'>): Markup {
  const unsolicited = summarizeUnsolicited(result);
  if (unsolicited === undefined) return nothing;
  const { deliveries, words } = unsolicited;
  const rest = deliveries.length - deliveryLimit;
  const items = deliveries
    .slice(0, deliveryLimit)
    .map(
      (delivery) =>
        html`<li><span class="time">${renderClockTime(delivery.receivedAt)}</span> <code>${renderDelivery(delivery)}</code></li>`,
    );
  return html`<section class="unsolicited" id="unsolicited" aria-labelledby="unsolicited-title"><h2 id="unsolicited-title">Unsolicited deliveries</h2><p>${words}.</p><ol>${items}${moreItem(rest)}</ol></section>`;
}
