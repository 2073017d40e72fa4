import { make } from './dom.js';
import { besideTime, changeWords } from './members.js';
import { rowsRead } from './rows.js';

/**
 * What stands side by side: what was sent against the valid request, and what came against what was expected.
 * @import { Child } from './dom.js'
 * @import { CaseView } from '../../src/report/html/case-view.ts'
 * @import { Mark, MessageView, Row } from '../../src/report/html/message-view.ts'
 * @import { ValidView } from '../../src/report/html/valid-view.ts'
 * @typedef {{ name: string, mark?: string, left: Child, right: Child, tone?: string }} Pair
 */

/** How much of two texts has to be alike for the rest to be marked. */
const alike = 0.3;

/**
 * How many units two texts have in common at their beginnings.
 * @param {string} one
 * @param {string} other
 */
function commonStart(one, other) {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}

/**
 * A text with the part marked that another does not have at that place.
 * @param {string} text
 * @param {string} other
 */
function renderApart(text, other) {
  if (other === '') return make('code', {}, text);
  const start = commonStart(text, other);
  const most = Math.min(text.length, other.length) - start;
  let end = 0;
  while (end < most && text.at(-1 - end) === other.at(-1 - end)) end += 1;
  const isAlike = start + end >= alike * Math.min(text.length, other.length);
  const last = text.length - end;
  if (!isAlike || start === last) return make('code', {}, text);
  return make('code', {}, text.slice(0, start), make('mark', {}, text.slice(start, last)), text.slice(last));
}

/**
 * @param {string} label
 * @param {Child} value
 */
const renderSide = (label, value) => make('dd', {}, make('span', { class: 'label' }, label), ' ', value);

/**
 * @param {string} title
 * @param {readonly [left: string, right: string]} labels
 * @param {readonly Pair[]} pairs
 */
function renderPairs(title, [left, right], pairs) {
  const rows = pairs.map(({ name, mark, tone = '', ...sides }) => {
    const word = mark === undefined ? undefined : [' ', make('strong', { class: 'changed' }, mark)];
    const head = make('dt', {}, name, word);
    return make('div', { class: `pair ${tone}` }, head, renderSide(left, sides.left), renderSide(right, sides.right));
  });
  return make('div', { class: 'difference' }, make('p', {}, title), make('dl', { class: 'pairs' }, rows));
}

/**
 * The members of an exchange by the names that differences have.
 * @param {MessageView} message
 * @returns {readonly (readonly [name: string, text: string])[]}
 */
function membersOf({ object }) {
  const parts = Object.entries({ header: object?.header ?? [], claims: object?.claims ?? [] });
  return parts.flatMap(([part, rows]) => rows.map(([name, text]) => /** @type {const} */ ([`${part}.${name}`, text])));
}

/**
 * The valid request that one is compared with: one of the same case, or else the first of the run.
 * @param {MessageView} message
 * @param {CaseView} view
 * @returns {ValidView | undefined}
 */
function validFor({ purpose, at }, { messages }) {
  const plain = messages.find(
    (other) =>
      other.purpose === purpose && other.at !== at && other.differences?.length === 0 && other.object?.claims.length,
  );
  if (plain === undefined) return rowsRead?.valid.find((one) => one.purpose === purpose);
  return {
    id: plain.at,
    anchor: '',
    at: plain.at,
    time: plain.time,
    purpose: purpose ?? '',
    members: membersOf(plain),
  };
}

/** What the valid request never has. */
const added = /^http\.(?:query|beside)\./;

/** @param {string} what */
const lastName = (what) => what.slice(what.lastIndexOf('.') + 1);

/**
 * What the valid request has in the place of a difference.
 * @param {Row} difference
 * @param {ValidView | undefined} valid
 */
function renderValid([what, text], valid) {
  const [, found] = valid?.members.find(([name]) => name === what) ?? [];
  if (valid !== undefined && found !== undefined) {
    const beside = besideTime(lastName(what), found, { time: valid.time, isSent: true });
    return [renderApart(found, text), beside];
  }
  const part = what.slice(0, what.indexOf('.') + 1);
  const isKnown = part !== 'http.' && valid?.members.some(([name]) => name.startsWith(part)) === true;
  const isAbsent = added.test(what) || (part !== '' && isKnown && what.split('.').length === 2);
  return make('span', { class: 'quiet' }, isAbsent ? 'not there' : 'as usual');
}

/**
 * @param {Row} difference
 * @param {ValidView | undefined} valid
 * @param {number} time
 */
function renderSent([what, text, change], valid, time) {
  if (change === 'removed') return make('del', {}, 'not sent');
  if (change === 'altered') return text === '' ? 'altered' : text;
  const [, found = ''] = valid?.members.find(([name]) => name === what) ?? [];
  return [renderApart(text, found), besideTime(lastName(what), text, { time, isSent: true })];
}

/** @param {ValidView} valid */
function renderSource({ anchor, at, id }) {
  const link = anchor === '' ? id : make('a', { href: `#${anchor}`, 'data-at': at }, id);
  return make('p', { class: 'quiet' }, 'The valid request is that of ', link, '; values made anew for each differ.');
}

/**
 * What was deliberately different, beside what the valid request has there.
 * @param {MessageView} message
 * @param {CaseView} view
 */
export function renderDifferences(message, view) {
  const { differences = [], object, time } = message;
  if (differences.length === 0) {
    return object === undefined ? undefined : make('p', { class: 'quiet' }, 'The valid request, nothing different.');
  }
  const valid = validFor(message, view);
  const pairs = differences.map((difference) => ({
    name: difference[0],
    ...(difference[2] === undefined ? {} : { mark: changeWords[difference[2]] }),
    left: renderValid(difference, valid),
    right: renderSent(difference, valid, time),
  }));
  const drawn = renderPairs('Deliberately different:', ['the valid request', 'sent'], pairs);
  if (valid !== undefined) drawn.append(renderSource(valid));
  return drawn;
}

/** What a finding of each level looks like. */
const tones = { required: 't-fail', recommended: 't-warn', informational: 't-informational' };

/**
 * What a finding expected beside what came.
 * @param {Mark} mark
 */
export function renderMark({ level, rule, description, path, expected, actual }) {
  const sentence = make('p', { class: `finding ${tones[level]}` }, make('strong', {}, rule), ` ${description}`);
  if (expected === undefined || actual === undefined) return [sentence];
  const pair = {
    name: path ?? 'the response',
    left: renderApart(expected, actual),
    right: renderApart(actual, expected),
  };
  return [sentence, renderPairs('Expected against what came:', ['expected', 'came'], [pair])];
}
