import { html, make, need } from '../dom.ts';
import { renderMessage } from '../message.ts';
import { timeOfDay } from './strip.ts';
import { endWords } from './questions.ts';
import type { DeskView, NumberedItem } from '../../../src/live/views.ts';

const findings = need('finding-rows', HTMLElement);
const messages = need('message-rows', HTMLElement);
const answers = need('answer-rows', HTMLElement);

const maxListRows = 200;

function addOnTop(list: HTMLElement, rows: readonly HTMLElement[]) {
  list.prepend(...rows.toReversed());
  while (list.childElementCount > maxListRows) list.lastElementChild?.remove();
}

function renderLine(item: NumberedItem) {
  const when = html`<span class="quiet">${timeOfDay(item.at)} </span>`;
  if (item.kind === 'note') return make('li', {}, when, item.text);
  if (item.kind !== 'finding') return make('li');
  const { verdict, rule, where, text } = item;
  const parts = [rule, where === '' ? '' : `in ${where}`].filter((part) => part !== '').join(' ');
  const words = text === '' ? '' : `: ${text}`;
  return make('li', {}, when, html`<span class="v v-${verdict}">${verdict}</span> <strong>${parts}</strong>${words}`);
}

/** Line for an exchange, which is drawn when it is opened. */
function renderExchange({ case: id, message, at }: Extract<NumberedItem, { kind: 'message' }>) {
  const { line, status = '', kind } = message;
  const facts = [id, line, status].filter((part) => part !== '').join(' · ');
  const way = html`<span class="way way-${kind}">${kind === 'exchange' ? 'sent' : 'came in'}</span>`;
  const summary = html`<summary><span class="quiet">${timeOfDay(at)} </span>${way} · ${facts}</summary>`;
  const whole = make('details', {}, summary);
  const draw = () =>
    whole.append(html`<h4 class="unseen">${facts}</h4>${renderMessage(message, caselessPlace(message))}`);
  whole.addEventListener('toggle', draw, { once: true });
  return make('li', {}, whole);
}

/** Context of a message without a case: times count from the message itself. */
const caselessPlace = ({ time }: { time: number }) => ({
  view: { startedAt: time, messages: [], windows: [], pending: [] },
  anchor: '',
});

export function addItems(items: readonly NumberedItem[]) {
  const lines = items.filter(({ kind }) => kind !== 'message');
  addOnTop(findings, lines.map(renderLine));
  addOnTop(
    messages,
    items.flatMap((item) => (item.kind === 'message' ? [renderExchange(item)] : [])),
  );
}

export function showEnded({ ended }: DeskView) {
  const rows = ended.map((one) => {
    const { description, phone, word, by, at } = one;
    const who = by === undefined ? endWords(one) : `${word}, by ${by}`;
    return html`<li><span class="quiet">${timeOfDay(at)} ${phone} </span>${description}: <strong>${who}</strong></li>`;
  });
  answers.replaceChildren(...rows);
}
