import { make, need } from '../dom.js';
import { drawId, send, sendPhoto } from './answer.js';
import { countdown, serverNow, timeOfDay } from './clock.js';
import { ring } from './sound.js';

/**
 * @import { DeskView, QuestionView } from '../../../src/live/views.ts'
 * @import { Me } from './stream.js'
 * @typedef {{ root: HTMLElement, due: number, warned: boolean, show: (view: QuestionView) => void, left: HTMLElement }} Card
 */

const list = need('questions', HTMLElement);
const told = need('told', HTMLElement);

/** Milliseconds before its end at which a question rings again. */
const soon = 30_000;
const largestPhoto = 16 * 1024 * 1024;

/** The buttons of each kind of question: what is sent, and what stands on it. */
const choices = {
  do: [
    ['done', 'Done'],
    ['cannot', 'Cannot'],
  ],
  holds: [
    ['yes', 'Yes'],
    ['no', 'No'],
    ['cannot', 'Cannot say'],
  ],
  tell: [
    ['done', 'Send'],
    ['cannot', 'Cannot say'],
  ],
};

const noteLabels = { do: 'Note', holds: 'Note', tell: 'What you see' };

/** @type {Map<string, Card>} */
const cards = new Map();
/** Questions that this page has answered. */
const own = new Set();
let isFirst = true;

/** @param {string} words */
function tell(words) {
  told.textContent = words;
}

/** @param {string} word */
const button = (word, tone = '') => make('button', { type: 'button', class: `big ${tone}` }, word);

/**
 * The photo that goes with an answer.
 * @param {string} id
 */
function makePhoto(id) {
  const input = make('input', { type: 'file', id: `photo-${id}`, accept: list.dataset['photos'] ?? '' });
  const said = make('p', { class: 'quiet', role: 'status' });
  const state = { name: '', isBusy: false };
  const take = async () => {
    const file = input.files?.[0];
    state.name = '';
    said.textContent = '';
    if (file === undefined) return;
    if (file.size > largestPhoto) {
      said.textContent = 'The photo is larger than 16 MB: it is not sent.';
      return;
    }
    state.isBusy = true;
    said.textContent = 'sending the photo';
    const { done, status, name = '' } = await sendPhoto(file);
    state.isBusy = false;
    state.name = done ? name : '';
    said.textContent = done ? `The photo is there: ${name}` : photoTrouble(status);
  };
  input.addEventListener('change', () => void take());
  const label = make('label', { for: `photo-${id}` }, 'Photo as evidence');
  return { state, shown: make('div', { class: 'photo' }, label, input, said) };
}

/** @param {number} status */
function photoTrouble(status) {
  if (status === 413) return 'The photo is larger than 16 MB: it was not taken.';
  if (status === 415) return 'This is no JPEG, PNG or WebP image: it was not taken.';
  return status === 0 ? 'The photo did not arrive: choose it again.' : 'The photo was not taken.';
}

/**
 * What somebody who has the question answers with.
 * @param {QuestionView} view
 * @param {() => Me} me
 */
function makeAnswers({ id, kind }, me) {
  const note = make('textarea', { id: `note-${id}`, rows: kind === 'tell' ? 3 : 1, maxlength: 2000 });
  const { state, shown } = makePhoto(id);
  const attempt = drawId();
  /** @param {string} word */
  const answer = async (word) => {
    for (const one of buttons) one.disabled = true;
    own.add(id);
    const photo = state.name === '' ? {} : { photo: state.name };
    const body = { ...whoOf(me()), question: id, attempt, word, note: note.value, ...photo };
    const reply = await send('answer', body, () => tell('No connection: the answer is sent as soon as there is one.'));
    tell(reply.done ? 'Answered.' : refusal(reply));
    if (!reply.done) for (const one of buttons) one.disabled = false;
  };
  const buttons = choices[kind].map(([word = '', label = '']) => {
    const one = button(label, word === 'done' || word === 'yes' ? 'good' : '');
    one.addEventListener('click', () => {
      if (state.isBusy) tell('The photo is still on its way.');
      else if (kind === 'tell' && word === 'done' && note.value.trim() === '') tell('Say what you see.');
      else void answer(word);
    });
    return one;
  });
  const label = make('label', { for: `note-${id}` }, noteLabels[kind]);
  return make('div', { class: 'answer' }, label, note, shown, make('div', { class: 'buttons' }, buttons));
}

/** @param {Me} me */
const whoOf = ({ id, name }) => ({ person: id, name });

/** @param {{ why?: string, by?: string }} reply */
function refusal({ why, by = 'somebody' }) {
  if (why === 'answered') return `It is answered already, by ${by}.`;
  if (why === 'unfit') return 'This is no answer to that question.';
  return why === 'held' ? `${by} has it.` : 'This question is over.';
}

/**
 * @param {QuestionView} view
 * @param {() => Me} me
 * @returns {Card}
 */
function makeCard(view, me) {
  const { id, description, facts } = view;
  const left = make('p', { class: 'left' });
  const holder = make('p', { class: 'holder' });
  const take = button('I do it', 'good');
  const over = button('Take it over');
  const release = make('button', { type: 'button' }, 'Give it back');
  const answers = makeAnswers(view, me);
  /** @param {'take' | 'release'} what */
  const ask = async (what, isOver = false) => {
    const body = { ...whoOf(me()), question: id, over: isOver };
    const reply = await send(what, body, () => tell('No connection.'));
    if (!reply.done) tell(refusal(reply));
  };
  take.addEventListener('click', () => void ask('take'));
  over.addEventListener('click', () => void ask('take', true));
  release.addEventListener('click', () => void ask('release'));
  const rows = facts.map(([label, text]) => make('div', {}, make('dt', {}, label), make('dd', {}, text)));
  const title = make('h3', { id: `title-${id}` }, description);
  const root = make(
    'article',
    { class: 'question', id: `question-${id}`, 'aria-labelledby': `title-${id}` },
    make('header', {}, title, left),
    make('dl', { class: 'facts' }, rows),
    holder,
    make('div', { class: 'buttons' }, take, over),
    answers,
    release,
  );
  /** @param {QuestionView} now */
  const show = ({ holder: who }) => {
    const isMine = who?.id === me().id;
    holder.textContent = who === undefined ? '' : isMine ? 'You have it.' : `${who.name} has it.`;
    take.hidden = who !== undefined;
    over.hidden = who === undefined || isMine;
    answers.hidden = release.hidden = !isMine;
  };
  return { root, due: view.due, warned: false, show, left };
}

/** @param {string} id */
function removeCard(id) {
  const root = cards.get(id)?.root;
  const hadFocus = root?.contains(document.activeElement) ?? false;
  root?.remove();
  cards.delete(id);
  if (hadFocus) need('due-title', HTMLElement).focus();
}

/** @param {DeskView} view */
function tellEnded({ ended }) {
  for (const id of cards.keys()) {
    const over = ended.find((one) => one.id === id);
    if (over === undefined || own.has(id)) continue;
    const who = over.by === undefined ? 'nobody answered in time' : `${over.by} answered ${over.word}`;
    tell(`${over.description}: ${who}.`);
  }
}

/**
 * Shows the questions as they are; what somebody is writing stays.
 * @param {DeskView} view
 * @param {() => Me} me
 */
export function showQuestions(view, me) {
  const open = new Set(view.questions.map(({ id }) => id));
  if ([...cards.keys()].some((id) => !open.has(id))) tellEnded(view);
  for (const id of cards.keys()) if (!open.has(id)) removeCard(id);
  const fresh = view.questions.filter(({ id }) => !cards.has(id));
  for (const one of fresh) {
    const card = makeCard(one, me);
    cards.set(one.id, card);
    list.append(card.root);
  }
  for (const one of view.questions) cards.get(one.id)?.show(one);
  if (fresh.length > 0 && !isFirst) ring(2);
  isFirst = false;
  need('nothing', HTMLElement).hidden = view.questions.length > 0;
  showLeft();
}

/** Draws how long is left, and gives the shortest; undefined where nothing is asked. */
export function showLeft() {
  const now = serverNow();
  for (const card of cards.values()) {
    const rest = card.due - now;
    card.left.textContent = `${countdown(rest)} left, until ${timeOfDay(card.due)}`;
    card.left.classList.toggle('soon', rest < soon);
    if (rest < soon && !card.warned) ring(3);
    card.warned ||= rest < soon;
  }
  const first = Math.min(...[...cards.values()].map(({ due }) => due));
  return cards.size === 0 ? undefined : { count: cards.size, words: countdown(first - now) };
}
