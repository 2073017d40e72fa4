import { createHash } from 'node:crypto';
import type { Comparison, Row } from '../../compare/comparison.ts';
import { renderMeasuredHtml, splitMeasured } from './measured.ts';
import { clauseText, columnFacts, summaryOf, valueText, verdictText } from './prose.ts';
import { type Content, html, type Markup, nothing } from '../html/markup.ts';
import { foldIds, listIds, countOf } from '../../lib/lists.ts';
import { comparisonStyle } from '../html/page.ts';

const idLimit = 200;

/** Nothing is fetched, sent, framed or run: there is one style sheet, and no script at all. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(comparisonStyle).digest('base64')}'; base-uri 'none'; form-action 'none'`;

function renderCells(row: Row): readonly Markup[] {
  return row.verdicts.map((verdict, at) => {
    const text = verdictText(verdict);
    const reason = row.reasons[at];
    const values = row.values.map((value) => {
      const shown = html`<dt>${value.name}</dt><dd>${valueText(value.values[at])}</dd>`;
      return value.differs ? html`<div class="differs">${shown}</div>` : html`<div>${shown}</div>`;
    });
    const list: Content = values.length === 0 ? nothing : html`<dl>${values}</dl>`;
    const why: Content = reason === undefined ? nothing : html`<p class="reason">${reason}</p>`;
    return html`<td><span class="v v-${text.replace(' ', '-')}">${text}</span>${list}${why}</td>`;
  });
}

function renderRow(row: Row): Markup {
  return html`<tr><th scope="row"><b>${row.id}</b> <span class="level">${row.level}</span> ${clauseText(row)}<p>${row.description}</p></th>${renderCells(row)}</tr>\n`;
}

function renderTable(rows: readonly Row[], { columns }: Comparison, caption: string): Markup {
  const head = columns.map(({ letter, title }) => html`<th scope="col">${letter} ${title}</th>`);
  return html`<table><caption>${caption}</caption><thead><tr><th scope="col">Rule</th>${head}</tr></thead><tbody>${rows.map(renderRow)}</tbody></table>`;
}

function renderHead(comparison: Comparison): Markup {
  const columns = comparison.columns.map(
    (column) => html`<li><b>${column.letter}</b> ${columnFacts(column).join(' · ')}</li>`,
  );
  const notes = comparison.notes.map((note) => html`<li>${note}</li>`);
  return html`<header><h1>Comparison</h1><p>${summaryOf(comparison)}.</p><ul class="columns">${columns}</ul>${notes.length === 0 ? nothing : html`<ul class="notes">${notes}</ul>`}</header>`;
}

/** The comparison as one HTML file that needs no network and runs nothing: what differs, then the rest folded away. */
export function renderComparisonHtml(comparison: Comparison): string {
  const { rows, columns, leftOut } = comparison;
  const different = rows.filter(({ differs }) => differs);
  const same = rows.filter(({ differs }) => !differs);
  const title = html`${columns.map((column) => column.title).join(' / ')} – carrierspec`;
  const left = leftOut.map(
    ({ rationale, rules }) => html`<p>Left out, ${rationale}: ${listIds(foldIds(rules), idLimit)}</p>`,
  );
  const first =
    different.length === 0 ? html`<p>No rule differs.</p>` : renderTable(different, comparison, 'Rules that differ');
  const measured = splitMeasured(comparison);
  const apart = renderMeasuredHtml(measured.different, comparison, 'Limits and profile that differ');
  const alike = renderMeasuredHtml(measured.same, comparison, 'Limits and profile that do not differ');
  const body = html`${renderHead(comparison)}<main><h2>Different: ${countOf(different.length, 'rule')}</h2>${first}${apart}<details><summary>The same in all: ${countOf(same.length, 'rule')}</summary>${renderTable(same, comparison, 'Rules that are the same in all')}${alike}</details>${left}</main>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title.markup}</title>
<style>${comparisonStyle}</style>
</head>
<body>
${body.markup}
</body>
</html>
`;
}
