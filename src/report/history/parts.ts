import type { CarrierHistory, HistoryRun, Turn, TurnCause } from '../../compare/history/lines.ts';
import type { Verdict } from '../../model/verdict.ts';
import { ruleAnchor } from '../html/links.ts';
import { type Content, html, type Markup, nothing } from '../html/markup.ts';
import { openPage, historyStyle } from '../html/page.ts';
import { momentOf, verdictMark } from '../html/parts.ts';

/** Where the report of a run is: a path from the folder of the page; undefined where there is none. */
export type ReportOf = (run: HistoryRun) => string | undefined;

/** What the carrier of a history is, in words; empty where it is an operator's as it is. */
export function kindWords({ kind, faults }: Pick<CarrierHistory, 'kind' | 'faults'>): string {
  if (kind === 'carrier') return '';
  if (kind === 'test carrier') return 'a test carrier';
  if (kind === 'reference carrier') return 'the embedded reference carrier';
  return `the embedded reference carrier with faults injected: ${faults.join(', ')}`;
}

/** `Reference carrier, with faults injected: iat-not-checked`. */
export function titleOf(carrier: CarrierHistory): string {
  const words = kindWords(carrier);
  return words === '' ? carrier.name : `${carrier.name}, ${words}`;
}

/** `2026-01-01 00:00:00 UTC`. */
export const whenOf = ({ startedAt }: HistoryRun): string => momentOf(startedAt);

export const dayOf = ({ startedAt }: HistoryRun): string => startedAt.slice(0, 10);

/** A table that is wider than a phone: it scrolls in a box of its own, which the keyboard reaches. */
export const box = (name: string, table: Content): Markup =>
  html`<div class="box" role="region" aria-label="${name}" tabindex="0">${table}</div>`;

/** Every shape that a page has, beside its word: no shape but the tick is a pass. */
export const legend = (verdicts: Iterable<Verdict>): Markup =>
  html`<p class="legend">${[...new Set(verdicts)].map((verdict) => html`${verdictMark(verdict)} `)}<span class="v-none">·</span> not selected</p>`;

export const notSelected: Markup = html`<span class="v-none" aria-hidden="true">·</span><span class="unseen">not selected</span>`;

/** A rule, as a link into the report of the run where there is one. */
export function ruleIn(id: string, run: HistoryRun, reportOf: ReportOf): Markup {
  const report = reportOf(run);
  return report === undefined ? html`<b>${id}</b>` : html`<a href="${report}#${ruleAnchor(id)}"><b>${id}</b></a>`;
}

const causes: Readonly<Record<TurnCause, string>> = {
  carrier: '',
  rule: 'the rule has other words than before',
  suites: 'other suites judged it than before',
  selection: 'the cases in which it was found did not run in the other run',
};

export const causeWords = ({ cause }: Turn): string => causes[cause];

/** `from → to` of a turn. */
export const turnMarks = ({ from, to }: Turn): Markup =>
  html`${verdictMark(from)} <span class="unseen">became</span><span aria-hidden="true">→</span> ${verdictMark(to)}`;

interface Sheet {
  readonly title: string;
  readonly head: Content;
  readonly main: Content;
}

/** The page: it needs no network and runs nothing. */
export function pageText({ title, head, main }: Sheet): string {
  const body = html`<a class="skip" href="#main">To the content</a><header>${head}</header><main id="main">${main}</main>`;
  return `${openPage({ title, style: historyStyle })}${body.markup}\n</body>\n</html>\n`;
}

export const section = (title: string, parts: readonly Content[]): Content =>
  parts.every((part) => part === nothing) ? nothing : html`<section><h2>${title}</h2>${parts}</section>\n`;
