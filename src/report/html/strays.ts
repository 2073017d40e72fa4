import type { Delivery } from '../../model/exchange.ts';
import { renderDelivery } from '../shared/facts.ts';
import { countOf, renderClockTime } from '../shared/layout.ts';
import { html, type Markup, nothing } from './markup.ts';

const shown = 200;

/** Deliveries that no case asked for. */
export function renderUnsolicited(unsolicited: readonly Delivery[]): Markup {
  if (unsolicited.length === 0) return nothing;
  const rest = unsolicited.length - shown;
  const items = unsolicited
    .slice(0, shown)
    .map(
      (unsolicitedDelivery) =>
        html`<li><span class="time">${renderClockTime(unsolicitedDelivery.receivedAt)}</span> <code>${renderDelivery(unsolicitedDelivery)}</code></li>`,
    );
  const more = rest > 0 ? html`<li>and ${rest} more</li>` : nothing;
  return html`<section class="strays" id="strays" aria-labelledby="strays-title"><h2 id="strays-title">Strays</h2><p>${countOf(unsolicited.length, 'delivery', 'deliveries')} that no case asked for.</p><ol>${items}${more}</ol></section>`;
}
