import type { Comparison, MeasuredCell, MeasuredRow } from '../../compare/comparison.ts';
import { absent, valueLimit, valueText } from './prose.ts';
import { type Content, html, type Markup, nothing } from '../html/markup.ts';
import { plainMarkdown } from '../markdown/escape.ts';

/** What one result has of a limit or of the profile, as a reader sees it. */
export function measuredText(cell: MeasuredCell | undefined): string {
  if (cell === undefined) return absent;
  if (cell.words !== undefined) return cell.words;
  return cell.value === undefined ? `not seen: ${cell.reason ?? 'no reason is given'}` : valueText(cell.value);
}

export const measuredName = ({ kind, name }: MeasuredRow): string => `${kind} ${name}`;

/** Those that differ, and the others. */
export function splitMeasured({ measured }: Comparison) {
  return { different: measured.filter(({ differs }) => differs), same: measured.filter(({ differs }) => !differs) };
}

function renderHtmlRow(row: MeasuredRow): Markup {
  const cells = row.cells.map((one) => {
    const text = measuredText(one);
    return row.differs ? html`<td class="differs">${text}</td>` : html`<td>${text}</td>`;
  });
  return html`<tr><th scope="row"><b>${row.name}</b> <span class="level">${row.kind}</span> ${row.rules.join(', ')}<p>${row.description}</p></th>${cells}</tr>\n`;
}

/** Limits and profile as a table of HTML; nothing where there are none. */
export function renderMeasuredHtml(rows: readonly MeasuredRow[], { columns }: Comparison, caption: string): Content {
  if (rows.length === 0) return nothing;
  const head = columns.map(({ letter, title }) => html`<th scope="col">${letter} ${title}</th>`);
  return html`<table><caption>${caption}</caption><thead><tr><th scope="col">Measured</th>${head}</tr></thead><tbody>${rows.map(renderHtmlRow)}</tbody></table>`;
}

const cell = (text: string): string => plainMarkdown(text, valueLimit) || '(empty)';

/** A limit, or an entry of the profile, as a line of a table in Markdown. */
export function renderMeasuredLine(row: MeasuredRow): string {
  const head = `**${cell(row.name)}** ${row.kind}<br>${cell(row.rules.join(', ') || absent)}<br>${cell(row.description)}`;
  const cells = row.cells.map((one) => {
    const text = cell(measuredText(one));
    return row.differs ? `**${text}**` : text;
  });
  return `| ${[head, ...cells].join(' | ')} |`;
}
