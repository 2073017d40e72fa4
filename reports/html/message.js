import { indentJson } from './body.js';
import { curlButton, linkButton } from './copy.js';
import { make } from './dom.js';
import { renderObject } from './members.js';
import { renderDifferences, renderMark } from './pairs.js';
import { hasCase } from './rows.js';

/**
 * @import { CaseView } from '../../src/report/html/case-view.ts'
 * @import { MessageView } from '../../src/report/html/message-view.ts'
 * @typedef {{ view: CaseView, anchor: string }} Place
 */

/**
 * What the record has in place of a body that it does not have in full.
 * @param {NonNullable<MessageView['sent']>} part
 */
function renderInPlace({ sha256, same }) {
  const isThere = same !== undefined && hasCase(same.anchor);
  const name = !isThere ? same?.id : make('a', { href: `#${same.anchor}`, 'data-at': same.at }, same.id);
  return [
    name === undefined ? undefined : make('p', { class: 'quiet' }, 'the same body as that of ', name),
    sha256 === undefined
      ? undefined
      : make('p', { class: 'quiet' }, 'sha256 of the whole text: ', make('code', {}, sha256)),
  ];
}

/** @param {MessageView['sent']} part */
function renderPart(part) {
  if (part === undefined) return [];
  const { headers, body, bytes, cut } = part;
  const rest = renderInPlace(part);
  const size = `${bytes.toLocaleString('en-GB')} bytes${cut ? ', cut' : ''}`;
  const shown =
    body === ''
      ? make('p', { class: 'quiet' }, 'no body')
      : make('pre', { tabindex: 0, role: 'group', 'aria-label': `body, ${size}` }, indentJson(body));
  if (headers === undefined) return [shown, make('p', { class: 'quiet' }, size), rest];
  const summary = make('summary', {}, `${headers.split('\n').length} header lines, ${size}`);
  const lines = make('pre', { tabindex: 0, role: 'group', 'aria-label': 'header lines' }, headers);
  return [shown, make('details', { class: 'headers' }, summary, lines), rest];
}

/**
 * @param {MessageView} message
 * @param {Place} place
 */
function renderHead(message, { view, anchor }) {
  const { kind, at, step, purpose, time, took } = message;
  const parts = [
    make('span', { class: `way way-${kind}` }, kind === 'exchange' ? 'sent' : 'came in'),
    make('strong', {}, step === undefined ? 'no step' : `step ${step}`),
    purpose === undefined ? undefined : make('span', { class: 'quiet' }, purpose),
    make('span', { class: 'when' }, `+${((time - view.startedAt) / 1000).toFixed(3)} s`),
    make('span', { class: 'quiet' }, `${new Date(time).toISOString().slice(11, 23)} UTC`),
    took === undefined ? undefined : make('span', { class: 'quiet' }, `took ${took} ms`),
    make('span', { class: 'quiet' }, at),
  ];
  const shown = parts.filter((part) => part !== undefined);
  const line = shown.map((part, index) => (index === 0 ? part : [' · ', part]));
  return make(
    'header',
    {},
    line,
    hasCase(anchor) ? [' ', linkButton(anchor, at), ' ', curlButton(message, anchor)] : '',
  );
}

/**
 * @param {MessageView} message
 * @param {CaseView} view
 */
function renderExchange(message, view) {
  const { time, line, object, sent, status = '', came } = message;
  const moment = { time, isSent: true };
  const decoded = object === undefined ? undefined : renderObject('Request object, decoded', object, moment);
  return [
    make(
      'div',
      { class: 'side' },
      make('h5', {}, 'Sent'),
      make('p', { class: 'line' }, line),
      renderDifferences(message, view),
      decoded,
      renderPart(sent),
    ),
    make('div', { class: 'side' }, make('h5', {}, 'Came back'), make('p', { class: 'line' }, status), renderPart(came)),
  ];
}

/** @param {MessageView} message */
function renderDelivery({ time, line, status = '', came, token }) {
  const isEvent = token?.claims.some(([name]) => name === 'events') ?? false;
  const caption = isEvent ? 'Event (SET), decoded' : 'Token, decoded';
  const moment = { time, isSent: false };
  const decoded =
    token === undefined ? undefined : make('div', { class: 'side' }, renderObject(caption, token, moment));
  const response = make('p', { class: 'quiet' }, status);
  return [
    make(
      'div',
      { class: 'side' },
      make('h5', {}, 'Came in'),
      make('p', { class: 'line' }, line),
      renderPart(came),
      response,
    ),
    decoded,
  ];
}

/**
 * One exchange or delivery: what was sent, what came, when, and what of it broke a rule.
 * @param {MessageView} message
 * @param {Place} place the case it is of, and its anchor
 */
export function renderMessage(message, place) {
  const { kind, purpose = '', line, status = '', marks = [], at } = message;
  const sides = make(
    'div',
    { class: 'sides' },
    kind === 'delivery' ? renderDelivery(message) : renderExchange(message, place.view),
  );
  const isAside = purpose.startsWith('driver') && marks.length === 0;
  const shown = isAside
    ? make('details', { class: 'headers' }, make('summary', {}, `${line} ${status}`), sides)
    : sides;
  const found = marks.map(renderMark);
  const worst = marks.some(({ level }) => level === 'required') ? 'marked t-fail' : 'marked t-warn';
  const attributes = { class: marks.length > 0 ? `message ${worst}` : 'message', 'data-at': at, tabindex: -1 };
  return make('article', attributes, renderHead(message, place), found, shown);
}
