import { type ExpectedResult, isStale } from '../../model/expected.ts';
import { renderPosition } from '../../model/position.ts';
import type { Result } from '../../model/result.ts';
import { answeredWords, becameWords, countExpected, deleteWords } from '../shared/expected-prose.ts';
import { renderColumns } from './columns.ts';
import type { Links } from './links.ts';
import { type Content, html, type Markup, nothing } from './markup.ts';

function rowOf(entry: ExpectedResult, { toRules, toCase }: Links): readonly Content[] {
  const { what, name, reason, owner, expires, position } = entry;
  const became = isStale(entry) ? html`<strong>${becameWords(entry)}</strong>; ${deleteWords}` : becameWords(entry);
  const link = what === 'rule' ? toRules([{ rule: name }]) : toCase(name);
  const rest = html`<span class="quiet">${owner}, until ${expires}; <code>${renderPosition(position)}</code></span>`;
  return [html`${what} ${link}`, became, html`${reason} ${rest}`];
}

/** The failures that are known, and what became of each; what has to be deleted comes first, because a page is read from there. */
export function renderExpected({ footer, rules }: Pick<Result, 'footer' | 'rules'>, links: Links): Markup {
  const expected = footer?.expected;
  if (expected === undefined) return nothing;
  const rest = answeredWords(rules, expected);
  const rows = expected
    .toSorted((one, other) => Number(isStale(other)) - Number(isStale(one)))
    .map((entry) => rowOf(entry, links));
  const table = rows.length === 0 ? nothing : renderColumns(['Entry', 'What became of it', 'Reason'], rows);
  return html`<section class="expected" id="expected" aria-labelledby="expected-title"><h2 id="expected-title">Expected failures <span class="quiet">${countExpected(expected)}</span></h2>${rest === undefined ? nothing : html`<p>${rest}</p>`}${table}</section>`;
}
