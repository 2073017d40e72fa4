import type { Json } from '../../model/json.ts';
import { html, type Markup, nothing } from './markup.ts';

/** Values that were written down where the interface leaves the behaviour open, as a table. */
export function renderRecorded(recorded: Readonly<Record<string, Json>>, caption = 'Recorded'): Markup {
  const rows = Object.entries(recorded);
  if (rows.length === 0) return nothing;
  const cell = (value: Json): Markup => html`<td><code>${JSON.stringify(value)}</code></td>`;
  return html`<table class="recorded"><caption>${caption}</caption><tbody>${rows.map(([name, value]) => html`<tr><th scope="row">${name}</th>${cell(value)}</tr>`)}</tbody></table>`;
}
