import { countOf } from '../../lib/lists.ts';
import { type ExpectedResult, isStale } from '../../model/expected.ts';
import { renderPosition } from '../../model/position.ts';
import type { Result } from '../../model/result.ts';
import { renderDelivery } from '../shared/facts.ts';
import {
  becameWords,
  behaviourInWords,
  countExpected,
  coverageWords,
  deleteWords,
  type Measured,
} from '../shared/notes.ts';
import { renderClockTime } from '../shared/time.ts';
import type { Links } from './links.ts';
import { type Content, html, type Markup, nothing } from './markup.ts';
import { moreItem, renderTable } from './parts.ts';
import { unsolicitedOf } from '../shared/unsolicited.ts';
import type { ProfileValue } from '../../model/limit.ts';

function rowOf(entry: ExpectedResult, { toRules, toCase }: Links): readonly Content[] {
  const { what, name, reason, owner, expires, position } = entry;
  const became = isStale(entry) ? html`<strong>${becameWords(entry)}</strong>; ${deleteWords}` : becameWords(entry);
  const link = what === 'rule' ? toRules([{ rule: name }]) : toCase(name);
  const rest = html`<span class="quiet">${owner}, until ${expires}; <code>${renderPosition(position)}</code></span>`;
  return [html`${what} ${link}`, became, html`${reason} ${rest}`];
}

/** The failures that are expected, and what became of each; those to delete come first, because a page is read from its top. */
export function renderExpected({ footer, rules }: Pick<Result, 'footer' | 'rules'>, links: Links): Markup {
  const expected = footer?.expected;
  if (expected === undefined) return nothing;
  const coverage = coverageWords(rules, expected);
  const rows = expected
    .toSorted((one, other) => Number(isStale(other)) - Number(isStale(one)))
    .map((entry) => rowOf(entry, links));
  const table = rows.length === 0 ? nothing : renderTable(['Entry', 'What became of it', 'Reason'], rows);
  return html`<section class="expected" id="expected" aria-labelledby="expected-title"><h2 id="expected-title">Expected failures <span class="quiet">${countExpected(expected)}</span></h2>${coverage === undefined ? nothing : html`<p>${coverage}</p>`}${table}</section>`;
}

const foundCell = ({ found, isSeen }: Measured): Content =>
  isSeen ? found : html`<span class="quiet">${found}</span>`;

/** What the interface leaves open, of a run that measured. */
export function renderProfile(profile: readonly ProfileValue[], { toRules, toCase }: Links): Markup {
  if (profile.length === 0) return nothing;
  const rows = profile.map((value) => {
    const words = behaviourInWords(value);
    return [words.name, words.about, foundCell(words), toRules(words.rules), toCase(value.case)];
  });
  return html`<section class="measured" id="profile" aria-labelledby="profile-title"><h2 id="profile-title">Profile <span class="quiet">${countOf(profile.length, 'behaviour')}</span></h2><p class="quiet">What the interface leaves open, as this carrier has it. No verdict depends on it.</p>${renderTable(['Behaviour', 'Of', 'Carrier', 'Rules', 'Case'], rows)}</section>`;
}

/** Deliveries that are shown. */
const deliveryLimit = 200;

/** Deliveries that no case asked for. */
export function renderUnsolicited(result: Pick<Result, 'unsolicited' | 'footer'>): Markup {
  const unsolicited = unsolicitedOf(result);
  if (unsolicited === undefined) return nothing;
  const { deliveries, words } = unsolicited;
  const rest = deliveries.length - deliveryLimit;
  const items = deliveries
    .slice(0, deliveryLimit)
    .map(
      (delivery) =>
        html`<li><span class="time">${renderClockTime(delivery.receivedAt)}</span> <code>${renderDelivery(delivery)}</code></li>`,
    );
  return html`<section class="unsolicited" id="unsolicited" aria-labelledby="unsolicited-title"><h2 id="unsolicited-title">Unsolicited deliveries</h2><p>${words}.</p><ol>${items}${moreItem(rest)}</ol></section>`;
}
