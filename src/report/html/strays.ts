import type { Delivery } from '../../model/exchange.ts';
import { renderDelivery } from '../facts.ts';
import { countOf, renderClockTime } from '../layout.ts';
import { html, type Markup, nothing } from './markup.ts';

const shown = 200;

/** Deliveries that no case asked for. */
export function renderStrays(strays: readonly Delivery[]): Markup {
  if (strays.length === 0) return nothing;
  const rest = strays.length - shown;
  const items = strays
    .slice(0, shown)
    .map(
      (stray) =>
        html`<li><span class="time">${renderClockTime(stray.receivedAt)}</span> <code>${renderDelivery(stray)}</code></li>`,
    );
  const more = rest > 0 ? html`<li>and ${rest} more</li>` : nothing;
  return html`<section class="strays" id="strays" aria-labelledby="strays-title"><h2 id="strays-title">Strays</h2><p>${countOf(strays.length, 'delivery', 'deliveries')} that no case asked for.</p><ol>${items}${more}</ol></section>`;
}
