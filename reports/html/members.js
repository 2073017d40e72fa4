import { make } from './dom.js';

/**
 * @import { Child } from './dom.js'
 * @import { Row } from '../../src/report/html/message-view.ts'
 * @typedef {{ time: number, isSent: boolean }} Moment
 */

export const changeWords = { set: 'set', removed: 'removed', raw: 'raw JSON text', altered: 'altered' };
const timeClaims = ['iat', 'exp', 'nbf', 'auth_time'];
/** Milliseconds from the epoch, either way, that a date can have. */
const furthest = 8.64e15;
/** Names of events that are drawn one by one. */
const mostEvents = 50;

/**
 * Epoch seconds say nothing to a reader; their date, and their distance from the moment of the message, do.
 * @param {string} text
 * @param {Moment} moment
 */
function sayTime(text, { time, isSent }) {
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(seconds)) return undefined;
  const apart = Math.round(seconds - time / 1000);
  const when = isSent ? 'it was sent' : 'it came in';
  const words = apart === 0 ? `when ${when}` : `${Math.abs(apart)} s ${apart < 0 ? 'before' : 'after'} ${when}`;
  const date = Math.abs(seconds * 1000) <= furthest ? new Date(Math.floor(seconds) * 1000).toISOString() : undefined;
  return date === undefined ? words : `${date.slice(0, -5).replace('T', ' ')} UTC, ${words}`;
}

/**
 * What stands beside the value of a member: of a time what it is.
 * @param {string} name
 * @param {string} text
 * @param {Moment} moment
 */
export function besideTime(name, text, moment) {
  const words = timeClaims.includes(name) ? sayTime(text, moment) : undefined;
  return words === undefined ? undefined : [' ', make('span', { class: 'quiet' }, words)];
}

/**
 * The names in `events`: a list of them, or an object that has one for each event (RFC 8417 §2.2).
 * @param {string} text
 * @returns {readonly string[] | undefined}
 */
function eventNames(text) {
  try {
    /** @type {unknown} */
    const value = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const names = Array.isArray(value) ? value.map(String) : Object.keys(value);
    return names.length > 0 && names.length <= mostEvents ? names : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} text
 * @returns {Child}
 */
function renderEvents(text) {
  const names = eventNames(text);
  if (names === undefined) return make('code', {}, text);
  const items = names.map((name) => make('li', {}, make('code', {}, name)));
  const whole = text.startsWith('[') ? undefined : make('code', {}, text);
  return [make('ul', { class: 'events' }, items), whole];
}

/**
 * @param {Row} row
 * @param {Moment} moment
 */
function renderRow([name, text, change], moment) {
  const shown = name === 'events' ? renderEvents(text) : [make('code', {}, text), besideTime(name, text, moment)];
  const value = change === 'removed' ? make('del', {}, 'not sent') : shown;
  const mark = change === undefined ? undefined : [' ', make('strong', { class: 'changed' }, changeWords[change])];
  const attributes = change === undefined ? undefined : { class: 'different' };
  return make('tr', attributes, make('th', { scope: 'row' }, name), make('td', {}, value, mark));
}

/**
 * A decoded JWT, one row a member.
 * @param {string} caption
 * @param {{ header: readonly Row[], claims: readonly Row[] }} object
 * @param {Moment} moment
 */
export function renderObject(caption, { header, claims }, moment) {
  const groups = Object.entries({ header, claims }).filter(([, rows]) => rows.length > 0);
  const bodies = groups.map(([name, rows]) => {
    const head = make('th', { colspan: 2, scope: 'rowgroup', class: 'group' }, name);
    const drawn = rows.map((row) => renderRow(row, moment));
    return make('tbody', {}, make('tr', {}, head), drawn);
  });
  return make('table', { class: 'object' }, make('caption', {}, caption), bodies);
}
