import { all, make } from './dom.js';
import { sayWhy } from './list.js';
import { renderMessage } from './message.js';
import { rowsRead, rowsReading } from './rows.js';
import { drawTimeline } from './timeline.js';
import { linesOf } from './unpack.js';

/** @import { CaseView } from '../../src/report/html/case-view.ts' */

/** Messages that are drawn at once; more are a click away. */
const atOnce = 60;

/**
 * A line is what the report wrote itself: the look at its shape only guards against another version of it.
 * @param {unknown} value
 * @returns {value is CaseView}
 */
function isCaseView(value) {
  return typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages);
}

/**
 * @param {HTMLElement} place
 * @param {CaseView} view
 * @param {number} from
 */
function appendMessages(place, view, from) {
  const anchor = place.closest('details.case')?.id ?? '';
  const drawn = view.messages.slice(from, from + atOnce).map((message) => renderMessage(message, { view, anchor }));
  const rest = view.messages.length - from - atOnce;
  place.append(...drawn);
  if (rest <= 0) return;
  const button = make('button', { type: 'button' }, `Show ${Math.min(rest, atOnce)} more of ${rest}`);
  button.addEventListener('click', () => {
    button.remove();
    appendMessages(place, view, from + atOnce);
  });
  place.append(button);
}

/**
 * The line that has the exchanges of a case, if it is unpacked, or else the promise of it.
 * @param {import('../../src/report/html/pack.ts').Place} place
 */
function lineAt([block, line]) {
  const lines = linesOf(block);
  return lines instanceof Promise ? lines.then((all) => all[line]) : lines[line];
}

/**
 * @param {HTMLElement} place
 * @param {string | undefined} line
 */
function drawExchanges(place, line) {
  /** @type {unknown} */
  const view = line ? JSON.parse(line) : undefined;
  if (!isCaseView(view)) {
    place.append(make('p', { class: 'note' }, sayWhy()));
    return;
  }
  place.append(drawTimeline(view) ?? '');
  appendMessages(place, view, 0);
}

/** @param {HTMLDetailsElement} details */
async function drawInto(details) {
  const { byAnchor } = rowsRead ?? (await rowsReading);
  const row = byAnchor.get(details.id);
  if (row !== undefined && row.place === undefined) return;
  const place = make('div', { class: 'exchanges' });
  details.querySelector(':scope > .inside')?.append(place);
  if (row?.place === null) {
    place.append(make('p', { class: 'note' }, 'Its exchanges are left out here; result.json has them.'));
    return;
  }
  const line = row?.place === undefined ? undefined : lineAt(row.place);
  drawExchanges(place, line instanceof Promise ? await line : line);
}

/** @type {WeakMap<HTMLDetailsElement, Promise<void>>} */
const filled = new WeakMap();

/**
 * Draws the exchanges of a case that is opened for the first time: at once where they are unpacked already.
 * @param {HTMLDetailsElement} details
 */
export function fillCase(details) {
  const filling = filled.get(details) ?? drawInto(details);
  filled.set(details, filling);
  return filling;
}

/** Unpacks what a printed page shows: a page that is about to be printed waits for nothing. */
export async function readForPrint() {
  const { byAnchor } = rowsRead ?? (await rowsReading);
  for (const { verdict, place } of byAnchor.values()) {
    if ((verdict === 'fail' || verdict === 'warn') && place) await lineAt(place);
  }
}

/**
 * Shows one message of a case, however far down it stands.
 * @param {HTMLDetailsElement} details
 * @param {string} at
 */
export function showMessage(details, at) {
  for (;;) {
    const [message] = all(details, `.message[data-at="${CSS.escape(at)}"]`, HTMLElement);
    const [more] = all(details, '.exchanges > button', HTMLButtonElement);
    if (message !== undefined || more === undefined) return message;
    more.click();
  }
}
