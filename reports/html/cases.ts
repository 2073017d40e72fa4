import { type CaseRow, renderCase } from '../../src/report/html/case-element.ts';
import type { CaseView, PackedPlace } from '../../src/report/html/case-view.ts';
import { all, html, make } from './dom.ts';
import { renderMessage } from './message.ts';
import { canUnpack, blockLines, rowsRead, rowsReading } from './rows.ts';
import { drawTimeline } from './timeline.ts';

const renderNote = (words: string) => html`<p class="note">${words}</p>`;

/** Note in place of content that cannot be unpacked. */
const sayWhy = () =>
  renderNote(
    canUnpack
      ? 'What belongs here cannot be unpacked; result.json has it.'
      : 'This browser cannot unpack what belongs here: it has no DecompressionStream. result.json has it.',
  );

/** Link to a case that is shown under another rule. */
function renderLink({ anchor, id, title, verdict, home }: CaseRow) {
  const under = home === undefined ? '' : html` <span class="quiet">under ${home[1]}</span>`;
  return html`<p class="elsewhere"><span class="v v-${verdict}">${verdict}</span> <a href="#${anchor}">${id}</a> <span class="title">${title}</span>${under}</p>`;
}

/** Replaces the fallbacks for readers without JavaScript with places for the cases of each rule. */
export function clearPlaces() {
  for (const names of all(document, '.rule noscript', HTMLElement)) names.replaceWith(make('div', { class: 'listed' }));
}

export async function fillRule(rule: HTMLDetailsElement) {
  const [place] = all(rule, ':scope > .inside > .listed', HTMLElement);
  if (place === undefined) return;
  const { listed } = rowsRead ?? (await rowsReading);
  if (place.childElementCount > 0) return;
  const own = listed.get(rule.id) ?? [];
  const drawn = own.map((row) => (row.home?.[0] === rule.id ? renderCase(html, row) : renderLink(row)));
  place.append(...(drawn.length > 0 ? drawn : [sayWhy()]));
}

/** Returns the case with this anchor, after filling the rule that shows it. */
export async function drawCase(anchor: string) {
  const { byAnchor } = rowsRead ?? (await rowsReading);
  const rule = document.getElementById(byAnchor.get(anchor)?.home?.[0] ?? '');
  if (rule instanceof HTMLDetailsElement) await fillRule(rule);
  return document.getElementById(anchor);
}

/** Number of messages drawn at once; more are a click away. */
const messagesAtOnce = 60;

/** The report itself wrote the line: this check only guards against another version. */
const isCaseView = (value: unknown): value is CaseView =>
  typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages);

function appendMessages(place: HTMLElement, view: CaseView, from: number) {
  const anchor = place.closest('details.case')?.id ?? '';
  const drawn = view.messages
    .slice(from, from + messagesAtOnce)
    .map((message) => renderMessage(message, { view, anchor }));
  const rest = view.messages.length - from - messagesAtOnce;
  place.append(...drawn);
  if (rest <= 0) return;
  const button = make('button', { type: 'button' }, `Show ${Math.min(rest, messagesAtOnce)} more of ${rest}`);
  button.addEventListener('click', () => {
    button.remove();
    appendMessages(place, view, from + messagesAtOnce);
  });
  place.append(button);
}

/** Line with the exchanges of a case, or a promise of it if its block is not unpacked yet. */
function lineAt([block, line]: PackedPlace) {
  const lines = blockLines(block);
  return lines instanceof Promise ? lines.then((all) => all[line]) : lines[line];
}

function drawExchanges(place: HTMLElement, line: string | undefined) {
  const view: unknown = line ? JSON.parse(line) : undefined;
  if (!isCaseView(view)) {
    place.append(sayWhy());
    return;
  }
  place.append(drawTimeline(view) ?? '');
  appendMessages(place, view, 0);
}

async function drawInto(details: HTMLDetailsElement) {
  const { byAnchor } = rowsRead ?? (await rowsReading);
  const row = byAnchor.get(details.id);
  if (row !== undefined && row.place === undefined) return;
  const place = make('div', { class: 'exchanges' });
  details.querySelector(':scope > .inside')?.append(place);
  if (row?.place === null) {
    place.append(renderNote('Its exchanges are left out here; result.json has them.'));
    return;
  }
  const line = row?.place === undefined ? undefined : lineAt(row.place);
  drawExchanges(place, line instanceof Promise ? await line : line);
}

const filledCases: WeakMap<HTMLDetailsElement, Promise<void>> = new WeakMap();

/** Draws the exchanges of a case that is opened for the first time; immediately if they are unpacked already. */
export function fillCase(details: HTMLDetailsElement) {
  const filling = filledCases.get(details) ?? drawInto(details);
  filledCases.set(details, filling);
  return filling;
}

/** Unpacks everything that a printed page shows, because printing cannot wait. */
export async function readForPrint() {
  const { byAnchor } = rowsRead ?? (await rowsReading);
  for (const { verdict, place } of byAnchor.values()) {
    if ((verdict === 'fail' || verdict === 'warn') && place) await lineAt(place);
  }
}

export function showMessage(details: HTMLDetailsElement, at: string) {
  for (;;) {
    const [message] = all(details, `.message[data-at="${CSS.escape(at)}"]`, HTMLElement);
    const [more] = all(details, '.exchanges > button', HTMLButtonElement);
    if (message !== undefined || more === undefined) return message;
    more.click();
  }
}
