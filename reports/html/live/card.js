import { make } from '../dom.js';
import { send } from './answer.js';
import { button, makeAnswers, oneAtATime, refusal, whoOf } from './answers.js';
import { countdown, timeOfDay } from './clock.js';
import { brief, tell } from './told.js';

/**
 * @import { QuestionView } from '../../../src/live/views.ts'
 * @import { Me } from './answers.js'
 * @typedef {{
 *   root: HTMLElement, title: HTMLElement, moments: readonly number[],
 *   show: (view: QuestionView) => void, showTime: (now: number, isSoon: boolean) => void,
 * }} Card
 */

/**
 * Until when it can be answered, and until when the phone can be used for the request.
 * @param {QuestionView} view
 */
function makeTimes({ due, expires }) {
  const left = make('p', { class: 'left' });
  const expiry = make('p', { class: 'expiry' });
  /** @param {number} now */
  const expiryWords = (now) => {
    if (expires === undefined) return '';
    const at = timeOfDay(expires);
    if (now >= expires) return `The request expired at ${at}: answer what the phone still lets you do.`;
    return `The request expires at ${at}, in ${countdown(expires - now)}: after that it is too late on the phone.`;
  };
  /**
   * @param {number} now
   * @param {boolean} isSoon
   */
  const showTime = (now, isSoon) => {
    left.textContent = `${countdown(due - now)} left, until ${timeOfDay(due)}`;
    left.classList.toggle('soon', isSoon);
    expiry.textContent = expiryWords(now);
  };
  return { left, expiry, showTime };
}

/**
 * Buttons that take a question and return it.
 * @param {QuestionView} view
 * @param {() => Me} me
 */
function makeTaking({ id, description }, me) {
  const take = button('I do it', 'good');
  const release = make('button', { type: 'button', class: 'plain' }, 'Give it back');
  const attend = oneAtATime([take, release]);
  /**
   * @param {'take' | 'release'} what
   * @param {string} words
   */
  const ask = (what, words) =>
    attend(async () => {
      const body = { ...whoOf(me()), question: id };
      const reply = await send(what, body, () => tell('No connection: it is tried again.'));
      tell(reply.done ? `${words}: ${brief(description)}` : refusal(reply));
      return false;
    });
  take.addEventListener('click', () => void ask('take', 'You have it'));
  release.addEventListener('click', () => void ask('release', 'Given back'));
  return { take, release };
}

/**
 * What was in focus may have gone: who goes on with the keyboard finds the first field, and nobody presses by Enter what came instead.
 * @param {HTMLElement} card
 */
function watchFocus(card) {
  const active = document.activeElement;
  const had = active instanceof HTMLElement && card.contains(active) ? active : undefined;
  const byKey = had?.matches(':focus-visible') === true;
  /** @param {{ first: HTMLElement, group: HTMLElement }} to */
  return ({ first, group }) => {
    if (had?.closest('[hidden]')) (byKey ? first : group).focus();
  };
}

/**
 * @param {QuestionView} view
 * @param {{ me: () => Me, onAnswer: (isOwn: boolean) => void }} page
 * @returns {Card}
 */
export function makeCard(view, page) {
  const { id, description, facts, due, expires } = view;
  const { left, expiry, showTime } = makeTimes(view);
  const holder = make('p', { class: 'holder' });
  const { take, release } = makeTaking(view, page.me);
  const answers = makeAnswers(view, page);
  const rows = facts.map(([label, text]) => make('div', {}, make('dt', {}, label), make('dd', {}, text)));
  const title = make('h3', { id: `title-${id}`, tabindex: -1 }, description);
  const root = make(
    'article',
    { class: 'question', id: `question-${id}`, 'aria-labelledby': `title-${id}` },
    make('header', {}, title, left, expiry),
    make('dl', { class: 'facts' }, rows),
    holder,
    make('div', { class: 'buttons' }, take),
    answers.root,
    release,
  );
  /** @param {QuestionView} now */
  const show = ({ holder: who }) => {
    const keepFocus = watchFocus(root);
    const isMine = who?.id === page.me().id;
    holder.textContent = who === undefined ? '' : isMine ? 'You have it.' : `${who.name} has it.`;
    take.hidden = who !== undefined;
    answers.root.hidden = release.hidden = !isMine;
    keepFocus(isMine ? { first: answers.note, group: answers.root } : { first: title, group: title });
  };
  return { root, title, moments: expires === undefined ? [due] : [due, expires], show, showTime };
}
