import { need } from '../dom.js';
import { makeCard } from './card.js';
import { countdown, serverNow } from './clock.js';
import { brief, tell } from './told.js';

/**
 * @import { DeskView } from '../../../src/live/views.ts'
 * @import { Me } from './answers.js'
 * @import { Card } from './card.js'
 */

const list = need('questions', HTMLElement);

/** Milliseconds before a moment of a question from which the page says that it is soon. */
const soon = 30_000;

/** @type {Map<string, Card>} */
const cards = new Map();
/** Questions that this page has answered. */
const own = new Set();

/** @param {string} id */
function removeCard(id) {
  const root = cards.get(id)?.root;
  const hadFocus = root?.contains(document.activeElement) ?? false;
  const next = root?.nextElementSibling ?? root?.previousElementSibling;
  root?.remove();
  cards.delete(id);
  if (!hadFocus) return;
  const card = [...cards.values()].find((one) => one.root === next);
  (card?.title ?? need('due-title', HTMLElement)).focus();
}

/** @param {DeskView['ended'][number]} ended */
export function endWords({ word, by, stopped }) {
  if (by !== undefined) return `${by} answered ${word}`;
  return stopped === true ? 'the run was interrupted' : 'nobody answered in time';
}

/** @param {DeskView} view */
function tellEnded({ ended }) {
  const words = [...cards.keys()].flatMap((id) => {
    const over = ended.find((one) => one.id === id);
    return over === undefined || own.has(id) ? [] : [`${brief(over.description)}: ${endWords(over)}.`];
  });
  if (words.length > 0) tell(words.slice(0, 3).join(' '));
}

/**
 * Shows the questions as they are; what somebody is writing stays.
 * @param {DeskView} view
 * @param {() => Me} me
 */
export function showQuestions(view, me) {
  const open = new Set(view.questions.map(({ id }) => id));
  const gone = [...cards.keys()].filter((id) => !open.has(id));
  if (gone.length > 0) tellEnded(view);
  const fresh = view.questions.filter(({ id }) => !cards.has(id));
  for (const one of fresh) {
    const card = makeCard(one, { me, onAnswer: (isOwn) => (isOwn ? own.add(one.id) : own.delete(one.id)) });
    cards.set(one.id, card);
    list.append(card.root);
  }
  for (const id of gone) removeCard(id);
  for (const one of view.questions) cards.get(one.id)?.show(one);
  need('nothing', HTMLElement).hidden = view.questions.length > 0;
  showLeft();
}

/** Draws how long is left, and gives the shortest; undefined where nothing is asked. */
export function showLeft() {
  const now = serverNow();
  for (const { moments, showTime } of cards.values())
    showTime(
      now,
      moments.some((moment) => moment > now && moment - now < soon),
    );
  const ahead = [...cards.values()].flatMap(({ moments }) => moments.filter((moment) => moment > now));
  const first = ahead.length === 0 ? now : Math.min(...ahead);
  return cards.size === 0 ? undefined : { count: cards.size, words: countdown(first - now) };
}
