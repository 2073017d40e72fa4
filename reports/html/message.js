import { indentJson } from './body.js';
import { make } from './dom.js';
import { hasCase } from './rows.js';

/**
 * @import { MessageView } from '../../src/report/html/message-view.ts'
 * @import { Row } from '../../src/report/html/message-view.ts'
 */

const changeWords = { set: 'set', removed: 'removed', raw: 'raw JSON text', altered: 'altered' };
/** What a finding of each level looks like. */
const tones = { required: 't-fail', recommended: 't-warn', informational: 't-informational' };
const timeClaims = ['iat', 'exp', 'nbf', 'auth_time'];

/**
 * Epoch seconds say nothing to a reader; their distance from the moment of the message does.
 * @param {string} name
 * @param {string} text
 * @param {number} time
 */
function besideTime(name, text, time) {
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  if (!timeClaims.includes(name) || !Number.isFinite(seconds)) return undefined;
  const apart = Math.round(seconds - time / 1000);
  const words = apart === 0 ? 'now' : `${Math.abs(apart)} s ${apart < 0 ? 'before' : 'after'}`;
  return [' ', make('span', { class: 'quiet' }, words)];
}

/**
 * @param {Row} row
 * @param {number} time
 */
function renderRow([name, text, change], time) {
  const isGone = change === 'removed';
  const value = isGone ? make('del', {}, 'not sent') : [make('code', {}, text), besideTime(name, text, time)];
  const mark = change === undefined ? undefined : [' ', make('strong', { class: 'changed' }, changeWords[change])];
  const attributes = change === undefined ? undefined : { class: 'different' };
  return make('tr', attributes, make('th', { scope: 'row' }, name), make('td', {}, value, mark));
}

/**
 * @param {string} caption
 * @param {{ header: readonly Row[], claims: readonly Row[] }} object
 * @param {number} time
 */
function renderObject(caption, { header, claims }, time) {
  const groups = Object.entries({ header, claims }).filter(([, rows]) => rows.length > 0);
  const bodies = groups.map(([name, rows]) => {
    const head = make('th', { colspan: 2, scope: 'rowgroup', class: 'group' }, name);
    return make(
      'tbody',
      {},
      make('tr', {}, head),
      rows.map((row) => renderRow(row, time)),
    );
  });
  return make('table', { class: 'object' }, make('caption', {}, caption), bodies);
}

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
 * @param {number} startedAt
 */
function renderHead({ kind, at, step, purpose, time, took }, startedAt) {
  const parts = [
    make('span', { class: `way way-${kind}` }, kind === 'exchange' ? 'sent' : 'came in'),
    make('strong', {}, step === undefined ? 'no step' : `step ${step}`),
    purpose === undefined ? undefined : make('span', { class: 'quiet' }, purpose),
    make('span', { class: 'when' }, `+${((time - startedAt) / 1000).toFixed(3)} s`),
    make('span', { class: 'quiet' }, `${new Date(time).toISOString().slice(11, 23)} UTC`),
    took === undefined ? undefined : make('span', { class: 'quiet' }, `took ${took} ms`),
    make('span', { class: 'quiet' }, at),
  ];
  const shown = parts.filter((part) => part !== undefined);
  return make(
    'header',
    {},
    shown.map((part, index) => (index === 0 ? part : [' · ', part])),
  );
}

/** @param {MessageView} message */
function renderDifferences({ differences = [], object }) {
  if (differences.length > 0) {
    const items = differences.map((text) => make('li', {}, text));
    return make('div', { class: 'difference' }, make('p', {}, 'Deliberately different:'), make('ul', {}, items));
  }
  return object === undefined ? undefined : make('p', { class: 'quiet' }, 'The valid request, nothing different.');
}

/** @param {MessageView} message */
function renderExchange(message) {
  const { time, line, object, sent, status = '', came } = message;
  const decoded = object === undefined ? undefined : renderObject('Request object, decoded', object, time);
  return [
    make(
      'div',
      { class: 'side' },
      make('h5', {}, 'Sent'),
      make('p', { class: 'line' }, line),
      renderDifferences(message),
      decoded,
      renderPart(sent),
    ),
    make('div', { class: 'side' }, make('h5', {}, 'Came back'), make('p', { class: 'line' }, status), renderPart(came)),
  ];
}

/** @param {MessageView} message */
function renderDelivery({ time, line, status = '', came, token }) {
  const decoded =
    token === undefined ? undefined : make('div', { class: 'side' }, renderObject('Token, decoded', token, time));
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
 * @param {number} startedAt
 */
export function renderMessage(message, startedAt) {
  const { kind, purpose = '', line, status = '', marks = [], at } = message;
  const sides = make(
    'div',
    { class: 'sides' },
    kind === 'delivery' ? renderDelivery(message) : renderExchange(message),
  );
  const isAside = purpose.startsWith('driver') && marks.length === 0;
  const shown = isAside
    ? make('details', { class: 'headers' }, make('summary', {}, `${line} ${status}`), sides)
    : sides;
  const found = marks.map(({ level, rule, description }) =>
    make('p', { class: `finding ${tones[level]}` }, make('strong', {}, rule), ` ${description}`),
  );
  const worst = marks.some(({ level }) => level === 'required') ? 'marked t-fail' : 'marked t-warn';
  const attributes = { class: marks.length > 0 ? `message ${worst}` : 'message', 'data-at': at, tabindex: -1 };
  return make('article', attributes, renderHead(message, startedAt), found, shown);
}
