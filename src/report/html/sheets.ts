import { countOf, groupBy, listFolded } from '../../lib/lists.ts';
import type { AllowedLimit } from '../../model/allowed.ts';
import type { LimitResult } from '../../model/limit.ts';
import type { Result, RuleResult } from '../../model/result.ts';
import { shortOf } from '../shared/broken.ts';
import { type Collected, type FoundBy, unjudgedRules } from '../shared/collect.ts';
import { findingFacts } from '../shared/facts.ts';
import { clauseOf } from '../shared/prose.ts';
import { interfaceText, selectionText } from '../shared/run-prose.ts';
import { cutText } from '../shared/sanitize.ts';
import { standingText } from './limits.ts';
import { html, type Markup, nothing } from './markup.ts';
import { factList, momentOf, renderTable, verdictMark } from './parts.ts';
import { groupsOf } from './problems.ts';

/** What fits on a sheet: rules with their evidence, further ones with a line each, reasons, limits. */
const inFull = 7;
const inOneLine = 24;
const reasonCount = 12;
const limitCount = 24;
const longest = 220;

const shorten = (text: string): string => cutText(text, longest);

const evidence: ReadonlySet<string> = new Set(['expected', 'actual', 'when', 'run again']);

/** One piece of evidence: what was expected and came, when, and the command that shows it again. */
function renderEvidence(found: FoundBy, flags: readonly string[]): Markup {
  const facts = findingFacts(found, flags).filter(({ label }) => evidence.has(label));
  const where = found.invariant === undefined ? `case ${found.id}` : `invariant ${found.id}`;
  return factList([['where', where], ...facts.map(({ label, text }) => [label, shorten(text)] as const)]);
}

type Broken = readonly [RuleResult, readonly { readonly found: readonly FoundBy[] }[]];

function renderBroken([rule, groups]: Broken, flags: readonly string[]): Markup {
  const first = groups[0]?.found[0];
  const summary = first === undefined ? (rule.reason ?? '') : shortOf(first);
  return html`<li><h3>${verdictMark(rule.verdict)} ${rule.id} <span class="quiet">${clauseOf(rule.clause)} · ${rule.area}</span></h3><p>${rule.description}</p><p class="summary">${shorten(summary)}</p>${first === undefined ? nothing : renderEvidence(first, flags)}</li>`;
}

/** The second sheet: each broken rule with one piece of evidence. */
function renderBrokenSheet({ rules, header }: Result, collected: Collected): Markup {
  const broken = (['failures', 'expected'] as const).flatMap((which) => groupsOf(rules, collected, which));
  if (broken.length === 0) {
    return html`<section class="sheet"><h2>Broken rules</h2><p>No rule that was judged and counts for the outcome is broken.</p></section>`;
  }
  const full = broken.slice(0, inFull).map((one) => renderBroken(one, header.flags));
  const lines = broken
    .slice(inFull, inFull + inOneLine)
    .map(([{ id, description }]) => html`<li>${id} ${description}</li>`);
  const rest = broken.length - inFull - lines.length;
  const further = lines.length === 0 ? nothing : html`<h3>Further broken rules</h3><ul>${lines}</ul>`;
  return html`<section class="sheet"><h2>Broken rules <span class="quiet">${broken.length}, each with one piece of evidence</span></h2><ol class="broken-list">${full}</ol>${further}${rest > 0 ? html`<p>and ${rest} more, in the report itself</p>` : nothing}</section>`;
}

type AllowedFor = (limit: string) => AllowedLimit | undefined;

function renderLimitTable(limits: readonly LimitResult[], allowedFor: AllowedFor): Markup {
  if (limits.length === 0) return html`<h2>Measured limits</h2><p>None was measured.</p>`;
  const rows = limits
    .slice(0, limitCount)
    .map((limit) => [limit.title, shorten(limit.words), standingText(limit, allowedFor(limit.name)).words]);
  return html`<h2>Measured limits</h2>${renderTable(['Limit', 'Carrier', 'Interface'], rows)}`;
}

/** What a certificate of this run does not cover. */
function renderUncovered({ header, rules }: Result): Markup {
  const groups = [
    ...groupBy(unjudgedRules(rules), ({ verdict, reason }) => `${verdict}: ${reason.split(': ')[0] ?? ''}`),
  ];
  const shown = groups.slice(0, reasonCount).map(
    ([reason, same]) =>
      html`<li>${shorten(reason)}: ${countOf(same.length, 'rule')} <span class="quiet">${listFolded(
        same.map(({ id }) => id),
        8,
      )}</span></li>`,
  );
  const partial =
    header.selection.length === 0 ? nothing : html`<li>everything beside the selection: ${selectionText(header)}</li>`;
  const driven =
    header.clock.kind === 'virtual' ? html`<li>a production carrier: the clocks of this run were driven</li>` : nothing;
  const list = [partial, driven, ...shown];
  const isAll = list.every(({ markup }) => markup === '');
  return html`<h2>Not certified</h2>${isAll ? html`<p>Every rule that was selected has a verdict.</p>` : html`<ul>${list}</ul>`}`;
}

const signatures = ['Tested by', 'For the carrier', 'Certified by'];

function renderSignatures({ header }: Result): Markup {
  const { run, tool, target, suites, startedAt } = header;
  const lines = signatures.map(
    (who) =>
      html`<div class="sign"><p>${who}</p><p class="quiet">name</p><p class="quiet">date</p><p class="quiet">signature</p></div>`,
  );
  const facts = factList([
    ['Run', `${run}, ${momentOf(startedAt)}, ${interfaceText(header)}, ${tool.name} ${tool.version}`],
    ['Program', tool.digest],
    ['Target', target.fingerprint],
    ['Rules', suites.rules],
    ['Suites', suites.suites],
  ]);
  return html`<h2>Signatures</h2><div class="digest">${facts}</div>${lines}`;
}

/** What paper has behind the first screen: the broken rules, then limits, what is not certified, and signatures; no screen shows it. */
export function renderSheets(result: Result, collected: Collected, allowedFor: AllowedFor): Markup {
  const { limits = [] } = result.footer ?? {};
  return html`<div class="sheets">${renderBrokenSheet(result, collected)}<section class="sheet">${renderLimitTable(limits, allowedFor)}${renderUncovered(result)}${renderSignatures(result)}</section></div>`;
}
