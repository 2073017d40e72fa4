import { countNoun, listRanges } from '../../lib/lists.ts';
import type { Comparison, MeasuredRow, ComparisonRow } from '../../compare/comparison.ts';
import { type HtmlContent, html, type Markup, nothing } from '../html/links.ts';
import { comparisonStyle, renderPageStart } from '../html/page.ts';
import { renderClause } from '../shared/prose.ts';
import { columnFacts, measuredText, differingRows, comparisonSummary, valueText, verdictText } from './prose.ts';

const idLimit = 200;

function renderCells(row: ComparisonRow): readonly Markup[] {
  return row.verdicts.map((verdict, at) => {
    const text = verdictText(verdict);
    const reason = row.reasons[at];
    const values = row.values.map((value) => {
      const shown = html`<dt>${value.name}</dt><dd>${valueText(value.values[at])}</dd>`;
      return value.differs ? html`<div class="differs">${shown}</div>` : html`<div>${shown}</div>`;
    });
    const list: HtmlContent = values.length === 0 ? nothing : html`<dl>${values}</dl>`;
    const why: HtmlContent = reason === undefined ? nothing : html`<p class="reason">${reason}</p>`;
    return html`<td><span class="v v-${text.replace(' ', '-')}">${text}</span>${list}${why}</td>`;
  });
}

function renderRow(row: ComparisonRow): Markup {
  return html`<tr><th scope="row"><b>${row.id}</b> <span class="level">${row.level}</span> ${renderClause(row.clause)}<p>${row.description}</p></th>${renderCells(row)}</tr>\n`;
}

function renderMeasured(row: MeasuredRow): Markup {
  const cells = row.cells.map((one) => {
    const text = measuredText(one);
    return row.differs ? html`<td class="differs">${text}</td>` : html`<td>${text}</td>`;
  });
  return html`<tr><th scope="row"><b>${row.name}</b> <span class="level">${row.kind}</span> ${row.rules.join(', ')}<p>${row.description}</p></th>${cells}</tr>\n`;
}

interface Table<T> {
  readonly caption: string;
  readonly head: string;
  readonly rows: readonly T[];
  readonly render: (row: T) => Markup;
}

function renderTable<T>({ caption, head, rows, render }: Table<T>, { columns }: Comparison): HtmlContent {
  if (rows.length === 0) return nothing;
  const heads = columns.map(({ letter, title }) => html`<th scope="col">${letter} ${title}</th>`);
  return html`<div class="box" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption><thead><tr><th scope="col">${head}</th>${heads}</tr></thead><tbody>${rows.map(render)}</tbody></table></div>`;
}

function renderHead(comparison: Comparison): Markup {
  const columns = comparison.columns.map(
    (column) => html`<li><b>${column.letter}</b> ${columnFacts(column).join(' · ')}</li>`,
  );
  const notes = comparison.notes.map((note) => html`<li>${note}</li>`);
  return html`<header><h1>Comparison</h1><p>${comparisonSummary(comparison)}.</p><ul class="columns">${columns}</ul>${notes.length === 0 ? nothing : html`<ul class="notes">${notes}</ul>`}</header>`;
}

/** The comparison as one HTML file that needs no network and runs nothing: the differences. */
export function renderComparisonHtml(comparison: Comparison): string {
  const { columns, leftOut } = comparison;
  const rules = differingRows(comparison.rows);
  const measured = differingRows(comparison.measured);
  const rulesTable =
    rules.length === 0
      ? html`<p>No rule differs.</p>`
      : renderTable({ caption: 'Rules that differ', head: 'Rule', rows: rules, render: renderRow }, comparison);
  const measuredTable = renderTable(
    { caption: 'Limits and profile that differ', head: 'Measured', rows: measured, render: renderMeasured },
    comparison,
  );
  const left = leftOut.map(({ reason, rules: ids }) => html`<p>Left out, ${reason}: ${listRanges(ids, idLimit)}</p>`);
  const body = html`${renderHead(comparison)}<main><h2>Different: ${countNoun(rules.length, 'rule')}</h2>${rulesTable}${measuredTable}${left}</main>`;
  const title = columns.map((column) => column.title).join(' / ');
  return `${renderPageStart({ title, style: comparisonStyle })}${body.markup}\n</body>\n</html>\n`;
}
