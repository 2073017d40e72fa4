import { countNoun, groupBy, listRanges } from '../../lib/lists.ts';
import type { AllowedLimit } from '../../model/allowed-limit.ts';
import type { LimitResult } from '../../model/limit.ts';
import { resultHeadlineLine } from '../../verdict/headline.ts';
import type { Result } from '../../model/result.ts';
import { rankBroken, type RankedRule } from '../shared/broken-rules.ts';
import { type ReportModel, type LocatedFinding, unjudgedRules } from '../shared/model.ts';
import { renderFound } from './shared-elements.ts';
import { renderClause } from '../shared/prose.ts';
import { capitalise, interfaceText } from '../shared/run-prose.ts';
import { joinedText, notCovered } from '../shared/meaning.ts';
import { cutText } from '../shared/sanitize.ts';
import { standingText } from './limits.ts';
import { html, type Markup, nothing } from './links.ts';
import { expectedMark, factList, makeFound, moreItem, renderMoment, renderTable, verdictMark } from './fragments.ts';

/** Limits of a sheet: rules with evidence, rules with a line each, reasons, limits, ids, and characters of a text. */
const maxInFull = 6;
const maxInBrief = 24;
const maxReasons = 12;
const maxLimits = 24;
const maxIds = 16;
const maxSheetText = 220;

const shorten = (text: string): string => cutText(text, maxSheetText);

/** Facts of a finding on a sheet. Long ones are cut, except the command, which is typed again. */
const sheetFacts: readonly string[] = ['expected', 'actual', 'when', 'run again'];

/** One finding of a rule, with a part of its evidence. */
function renderEvidence(found: LocatedFinding, flags: readonly string[]): Markup {
  const row = makeFound({ ...found, flags }, (text) => text);
  const facts = row.facts
    .filter(([label]) => sheetFacts.includes(label))
    .map(([label, name, text]) => [label, name, label === 'run again' ? text : shorten(text)] as const);
  return renderFound(html, { ...row, headline: shorten(row.headline), facts });
}

const rankedMark = ({ rule, isExpected }: RankedRule): Markup =>
  isExpected ? expectedMark : verdictMark(rule.verdict);

function renderBroken(ranked: RankedRule, flags: readonly string[]): Markup {
  const { rule, found } = ranked;
  const [first] = found;
  const evidence = first === undefined ? html`<p>${shorten(rule.reason ?? '')}</p>` : renderEvidence(first, flags);
  return html`<li><h3>${rankedMark(ranked)} ${rule.id} <span class="quiet">${renderClause(rule.clause)} · ${rule.area}</span></h3><p>${rule.description}</p>${evidence}</li>`;
}

/** Head of a sheet: identifies the run and its outcome even if the sheet is alone. */
function renderHead(result: Result): Markup {
  const { header } = result;
  return html`<p class="of-run"><strong>${capitalise(resultHeadlineLine(result))}</strong>: ${header.target.name}, ${interfaceText(header)}, run ${header.run} of ${renderMoment(header.startedAt)}</p>`;
}

/** Second sheet: the most important broken rules with one piece of evidence each, the others with a line. */
function renderBrokenSheet(result: Result, ranked: readonly RankedRule[]): Markup {
  const head = renderHead(result);
  if (ranked.length === 0) {
    return html`<section class="sheet">${head}<h2>Broken rules</h2><p>No rule that was judged and counts for the outcome is broken.</p></section>`;
  }
  const full = ranked.slice(0, maxInFull).map((one) => renderBroken(one, result.header.flags));
  const lines = ranked
    .slice(maxInFull, maxInFull + maxInBrief)
    .map((one) => html`<li>${rankedMark(one)} ${one.rule.id} ${shorten(one.rule.description)}</li>`);
  const rest = ranked.length - full.length - lines.length;
  const count = lines.length === 0 ? '' : `, evidence of the first ${full.length}`;
  const further = lines.length === 0 ? nothing : html`<h3>Further broken rules</h3><ul>${lines}</ul>`;
  return html`<section class="sheet">${head}<h2>Broken rules <span class="quiet">${ranked.length}${count}</span></h2><ol class="broken-list">${full}</ol>${further}${rest > 0 ? html`<p>and ${rest} more, in the report itself</p>` : nothing}</section>`;
}

type AllowedFor = (limit: string) => AllowedLimit | undefined;

function renderLimitTable(limits: readonly LimitResult[], allowedFor: AllowedFor): Markup {
  if (limits.length === 0) return html`<h2>Measured limits</h2><p>None was measured.</p>`;
  const rest = limits.length - maxLimits;
  const rows = limits
    .slice(0, maxLimits)
    .map((limit) => [limit.title, shorten(limit.words), standingText(limit, allowedFor(limit.name)).words]);
  return html`<h2>Measured limits</h2>${renderTable(['Limit', 'Carrier', 'Interface'], rows)}${rest > 0 ? html`<p>and ${rest} more, in the report itself</p>` : nothing}`;
}

/** List of everything that a certificate of this run does not cover: broken rules first, unjudged ones last. */
function renderUncovered(result: Result, ranked: readonly RankedRule[]): Markup {
  const { header } = result;
  const groups = [
    ...groupBy(unjudgedRules(result), ({ verdict, reason }) => `${verdict}: ${reason.split(': ')[0] ?? ''}`),
  ];
  const shown = groups.slice(0, maxReasons).map(
    ([reason, same]) =>
      html`<li>${shorten(reason)}: ${countNoun(same.length, 'rule')} <span class="quiet">${listRanges(
        same.map(({ id }) => id),
        8,
      )}</span></li>`,
  );
  const broken = ranked.map(({ rule }) => rule.id);
  const list = [
    ...(broken.length === 0
      ? []
      : [html`<li><strong>broken: ${countNoun(broken.length, 'rule')}</strong> ${listRanges(broken, maxIds)}</li>`]),
    ...notCovered(header).map((words) => html`<li>${words}</li>`),
    ...(header.clock.kind === 'virtual'
      ? [html`<li>behaviour in real time: the clock of this run was virtual</li>`]
      : []),
    ...(header.target.testCarrier === true ? [html`<li>a production carrier: this is a test carrier</li>`] : []),
    ...shown,
    moreItem(groups.length - maxReasons, ' reasons, in the report itself'),
  ];
  return html`<h2>Not certified</h2>${list.every((one) => one === nothing) ? html`<p>Every rule that was selected has a verdict.</p>` : html`<ul>${list}</ul>`}`;
}

const signatures = ['Tested by', 'For the carrier', 'Certified by'];

function renderSignatures({ header }: Result): Markup {
  const { run, tool, startedAt } = header;
  const lines = signatures.map(
    (who) =>
      html`<div class="sign"><p>${who}</p><p class="quiet">name</p><p class="quiet">date</p><p class="quiet">signature</p></div>`,
  );
  const facts = factList([
    ['Run', `${run}, ${renderMoment(startedAt)}, ${interfaceText(header)}, ${tool.name} ${tool.version}`],
    ['Joined', joinedText(header)],
  ]);
  return html`<h2>Signatures</h2>${facts}${lines}`;
}

/** Printed sheets after the first screen: broken rules, limits, what is not certified, and signatures. Not shown on screen. */
export function renderSheets(result: Result, model: ReportModel, allowedFor: AllowedFor): Markup {
  const { limits = [] } = result.footer ?? {};
  const ranked = rankBroken(result, model);
  return html`<div class="sheets">${renderBrokenSheet(result, ranked)}<section class="sheet">${renderHead(result)}${renderLimitTable(limits, allowedFor)}${renderUncovered(result, ranked)}${renderSignatures(result)}</section></div>`;
}
