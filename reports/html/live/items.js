import { make, need } from '../dom.js';
import { renderMessage } from '../message.js';
import { timeOfDay } from './clock.js';
import { endWords } from './questions.js';

/** @import { DeskView, NumberedItem } from '../../../src/live/views.ts' */

const findings = need('finding-rows', HTMLElement);
const messages = need('message-rows', HTMLElement);
const answers = need('answer-rows', HTMLElement);

/** Rows that stay in the page. */
const mostRows = 200;

/**
 * @param {HTMLElement} list
 * @param {readonly HTMLElement[]} rows
 */
function addOnTop(list, rows) {
  list.prepend(...rows.toReversed());
  while (list.childElementCount > mostRows) list.lastElementChild?.remove();
}

/** @param {NumberedItem} item */
function renderLine(item) {
  const when = make('span', { class: 'quiet' }, `${timeOfDay(item.at)} `);
  if (item.kind === 'note') return make('li', {}, when, item.text);
  if (item.kind !== 'finding') return make('li');
  const { verdict, rule, where, text } = item;
  const mark = make('span', { class: `v v-${verdict}` }, verdict);
  const parts = [rule, where === '' ? '' : `in ${where}`].filter((part) => part !== '').join(' ');
  return make('li', {}, when, mark, ' ', make('strong', {}, parts), text === '' ? '' : `: ${text}`);
}

/**
 * The exchange is drawn when somebody opens it.
 * @param {Extract<NumberedItem, { kind: 'message' }>} item
 */
function renderExchange({ case: id, message, at }) {
  const { line, status = '', kind } = message;
  const way = make('span', { class: `way way-${kind}` }, kind === 'exchange' ? 'sent' : 'came in');
  const facts = [id, line, status].filter((part) => part !== '').join(' · ');
  const summary = make('summary', {}, make('span', { class: 'quiet' }, `${timeOfDay(at)} `), way, ` · ${facts}`);
  const whole = make('details', {}, summary);
  const draw = () => whole.append(make('h4', { class: 'unseen' }, facts), renderMessage(message, alone(message)));
  whole.addEventListener('toggle', draw, { once: true });
  return make('li', {}, whole);
}

/**
 * A message that stands in no case of a report: its times count from itself.
 * @param {{ time: number }} message
 */
const alone = ({ time }) => ({ view: { startedAt: time, messages: [], windows: [], pending: [] }, anchor: '' });

/** @param {readonly NumberedItem[]} items */
export function addItems(items) {
  const lines = items.filter(({ kind }) => kind !== 'message');
  addOnTop(findings, lines.map(renderLine));
  addOnTop(
    messages,
    items.flatMap((item) => (item.kind === 'message' ? [renderExchange(item)] : [])),
  );
}

/** @param {DeskView} view */
export function showEnded({ ended }) {
  const rows = ended.map((one) => {
    const { description, phone, word, by, at } = one;
    const who = by === undefined ? endWords(one) : `${word}, by ${by}`;
    const when = make('span', { class: 'quiet' }, `${timeOfDay(at)} ${phone} `);
    return make('li', {}, when, `${description}: `, make('strong', {}, who));
  });
  answers.replaceChildren(...rows);
}
