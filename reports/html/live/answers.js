import { make } from '../dom.js';
import { drawId, send } from './answer.js';
import { tell } from './told.js';

/**
 * @import { QuestionView } from '../../../src/live/views.ts'
 * @typedef {{ id: string, name: string }} Me
 */

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

/** @param {string} word */
export const button = (word, tone = '') => make('button', { type: 'button', class: `big ${tone}` }, word);

/** @param {Me} me */
export const whoOf = ({ id, name }) => ({ person: id, name });

/** @param {{ why?: string, by?: string }} reply */
export function refusal({ why, by }) {
  if (why === 'answered') return by === undefined ? 'This question is over.' : `It is answered already, by ${by}.`;
  if (why === 'unfit') return 'This is no answer to that question.';
  if (why === 'ended') return 'It is over: this did not arrive any more.';
  return why === 'held' ? `${by ?? 'Somebody'} has it.` : 'This question is over.';
}

const keptWords = 'No connection: your answer is kept, and is sent again until it has arrived.';

/**
 * One thing at a time. A button that is off for a moment keeps the focus, which `disabled` would take away.
 * @param {readonly HTMLButtonElement[]} buttons
 */
export function oneAtATime(buttons) {
  let isBusy = false;
  /** @param {() => Promise<boolean>} work True: it is done, and nothing more is to be pressed. */
  return async (work) => {
    if (isBusy) return;
    isBusy = true;
    for (const one of buttons) one.setAttribute('aria-disabled', 'true');
    if (await work()) return;
    isBusy = false;
    for (const one of buttons) one.removeAttribute('aria-disabled');
  };
}

/**
 * What somebody who has the question answers with.
 * @param {QuestionView} view
 * @param {{ me: () => Me, onAnswer: (isOwn: boolean) => void }} page
 */
export function makeAnswers({ id, kind }, { me, onAnswer }) {
  const note = make('textarea', { id: `note-${id}`, rows: kind === 'tell' ? 3 : 1, maxlength: 2000 });
  const attempt = drawId();
  /** @param {string} word */
  const answer = async (word) => {
    onAnswer(true);
    const body = { ...whoOf(me()), question: id, attempt, word, note: note.value };
    const reply = await send('answer', body, () => tell(keptWords));
    onAnswer(reply.done);
    tell(reply.done ? 'Answered.' : refusal(reply));
    return reply.done;
  };
  const buttons = choices[kind].map(([word = '', label = '']) => {
    const one = button(label, word === 'done' || word === 'yes' ? 'good' : '');
    one.addEventListener('click', () => {
      if (kind === 'tell' && word === 'done' && note.value.trim() === '') tell('Say what you see.');
      else void attend(() => answer(word));
    });
    return one;
  });
  const attend = oneAtATime(buttons);
  const label = make('label', { for: `note-${id}` }, noteLabels[kind]);
  const group = { class: 'answer', role: 'group', 'aria-label': 'Your answer', tabindex: -1 };
  return { root: make('div', group, label, note, make('div', { class: 'buttons' }, buttons)), note };
}
