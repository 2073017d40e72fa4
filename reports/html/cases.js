import { all, make } from './dom.js';
import { renderMessage } from './message.js';
import { drawTimeline } from './timeline.js';

/** @import { CaseView } from '../../src/report/html/case-view.ts' */

/** Messages that are drawn at once; more are a click away. */
const atOnce = 60;

/**
 * A chunk is what the report wrote itself: the look at its shape only guards against another version of it.
 * @param {unknown} value
 * @returns {value is CaseView}
 */
function isCaseView(value) {
  return typeof value === 'object' && value !== null && 'messages' in value && Array.isArray(value.messages);
}

/**
 * The exchanges of the case that is shown in `place`.
 * @param {HTMLElement} place
 */
export function chunkOf(place) {
  return document.getElementById(`chunk-${place.dataset['chunk']}`)?.textContent ?? undefined;
}

/**
 * @param {HTMLElement} place
 * @param {CaseView} view
 * @param {number} from
 */
function appendMessages(place, view, from) {
  const rest = view.messages.length - from - atOnce;
  place.append(...view.messages.slice(from, from + atOnce).map((message) => renderMessage(message, view.startedAt)));
  if (rest <= 0) return;
  const button = make('button', { type: 'button' }, `Show ${Math.min(rest, atOnce)} more of ${rest}`);
  button.addEventListener('click', () => {
    button.remove();
    appendMessages(place, view, from + atOnce);
  });
  place.append(button);
}

/**
 * Draws the exchanges of a case that is opened for the first time.
 * @param {HTMLDetailsElement} details
 */
export function fillCase(details) {
  const [place] = all(details, ':scope > .inside > .exchanges', HTMLElement);
  if (place === undefined || place.childElementCount > 0) return;
  const chunk = chunkOf(place);
  /** @type {unknown} */
  const view = chunk === undefined ? undefined : JSON.parse(chunk);
  if (!isCaseView(view)) {
    place.append(make('p', { class: 'note' }, 'Its exchanges are left out here; result.json has them.'));
    return;
  }
  place.append(drawTimeline(view) ?? '');
  appendMessages(place, view, 0);
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
