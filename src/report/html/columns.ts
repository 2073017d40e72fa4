import { type Content, html, type Markup } from './markup.ts';

/** A table whose first column names the rows. */
export function renderColumns(heads: readonly string[], rows: readonly (readonly Content[])[]): Markup {
  const renderRow = ([name = '', ...cells]: readonly Content[]): Markup =>
    html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  return html`<table class="recorded"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map(renderRow)}</tbody></table>`;
}
