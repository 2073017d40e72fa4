import type { DeskView, QuestionView } from '../../../src/live/views.ts';
import { html, make, need } from '../dom.ts';
import { countdown, serverNow, timeOfDay, brief, tell } from './strip.ts';
import { hasEnded } from './stream.ts';

export type Reply = { done: boolean; why?: string; by?: string };

/** Milliseconds between tries to reach the run, and the time limit of one try. */
const retryDelay = 1500;
const sendTimeout = 10_000;

const ids = new Uint32Array(4);

export const drawId = () => [...crypto.getRandomValues(ids)].map((part) => part.toString(36)).join('-');

const isReply = (value: unknown): value is Omit<Reply, 'done'> => typeof value === 'object' && value !== null;

async function readReply(response: Response): Promise<Reply> {
  const value: unknown = await response.json().catch(() => ({}));
  return { done: response.ok, ...(isReply(value) ? value : {}) };
}

/** Sends the same text until the run has received it; each try has its own time limit. */
export async function send(what: 'take' | 'release' | 'answer', body: object, onTrouble: () => void): Promise<Reply> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  for (;;) {
    try {
      const signal = AbortSignal.timeout(sendTimeout);
      return await readReply(await fetch(what, { method: 'POST', headers, body: text, signal }));
    } catch {
      if (hasEnded()) return { done: false, why: 'ended' };
      onTrouble();
      await new Promise((resolve) => setTimeout(resolve, retryDelay));
    }
  }
}

export type Me = { id: string; name: string };

/** Buttons for each kind of question: the word sent, and the label. */
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

export const button = (word: string, tone = '') => make('button', { type: 'button', class: `big ${tone}` }, word);

const personFields = ({ id, name }: Me) => ({ person: id, name });

export function refusal({ why, by }: { why?: string; by?: string }) {
  if (why === 'answered') return by === undefined ? 'This question is over.' : `It is answered already, by ${by}.`;
  if (why === 'unfit') return 'This is no answer to that question.';
  if (why === 'ended') return 'It is over: this did not arrive any more.';
  return why === 'held' ? `${by ?? 'Somebody'} has it.` : 'This question is over.';
}

const keptWords = 'No connection: your answer is kept, and is sent again until it has arrived.';

/** Runs one task at a time. Busy buttons keep the focus, which `disabled` would take away. */
function oneAtATime(buttons: readonly HTMLButtonElement[]) {
  let isBusy = false;
  return async (work: () => Promise<boolean>) => {
    if (isBusy) return;
    isBusy = true;
    for (const one of buttons) one.setAttribute('aria-disabled', 'true');
    if (await work()) return;
    isBusy = false;
    for (const one of buttons) one.removeAttribute('aria-disabled');
  };
}

function makeAnswers(
  { id, kind, mark }: QuestionView,
  { me, onAnswer }: { me: () => Me; onAnswer: (isOwn: boolean) => void },
) {
  const note = make('textarea', { id: `note-${id}`, rows: kind === 'tell' ? 3 : 1, maxlength: 2000 });
  const attempt = drawId();
  const answer = async (word: string) => {
    onAnswer(true);
    const body = { ...personFields(me()), question: id, attempt, word, note: note.value };
    const reply = await send('answer', body, () => tell(keptWords));
    onAnswer(reply.done);
    tell(reply.done ? 'Answered.' : refusal(reply));
    return reply.done;
  };
  const tone = mark?.tone ?? 'good';
  const labels = choices[kind].map(([word = '', label = '']) => {
    const isDone = word === 'done' || word === 'yes';
    return [word, word === 'done' ? (mark?.done ?? label) : label, isDone ? tone : ''] as const;
  });
  // The button of a task that is easily taken for another stands at the other side.
  const buttons = (tone === 'bad' ? labels.toReversed() : labels).map(([word, label, colour]) => {
    const one = button(label, colour);
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

type Card = {
  root: HTMLElement;
  title: HTMLElement;
  due: number;
  show: (view: QuestionView, isAlone: boolean) => void;
  showTime: (now: number, isSoon: boolean) => void;
};

/** A card has one deadline. Once it has passed, an open card is of a request that has expired. */
function makeTime({ due, kind }: QuestionView) {
  const left = make('p', { class: 'left' });
  const late = `The request has expired, so it is too late on the phone: press ${kind === 'do' ? 'Cannot' : 'Cannot say'}.`;
  const showTime = (now: number, isSoon: boolean) => {
    left.textContent = now >= due ? late : `${countdown(due - now)} left, until ${timeOfDay(due)}`;
    left.classList.toggle('soon', isSoon || now >= due);
  };
  return { left, showTime };
}

/** Number of the act, and the word of an action that is easily taken for another. */
function makeMark({ mark, place }: QuestionView) {
  const number = make('span', { class: 'quiet' }, place === undefined ? '' : `task ${place}`);
  return make(
    'p',
    { class: 'mark-line' },
    mark === undefined ? '' : make('strong', { class: 'mark' }, mark.word),
    number,
  );
}

function makeTaking({ id, description }: QuestionView, me: () => Me) {
  const take = button('I do it', 'good');
  const release = make('button', { type: 'button', class: 'plain' }, 'Give it back');
  const attend = oneAtATime([take, release]);
  const ask = (what: 'take' | 'release', words: string) =>
    attend(async () => {
      const body = { ...personFields(me()), question: id };
      const reply = await send(what, body, () => tell('No connection: it is tried again.'));
      tell(reply.done ? `${words}: ${brief(description)}` : refusal(reply));
      return false;
    });
  take.addEventListener('click', () => void ask('take', 'You have it'));
  release.addEventListener('click', () => void ask('release', 'Given back'));
  return { take, release };
}

/** Moves the focus if its element gets hidden: to the first field for keyboard users, else to the group. */
function watchFocus(card: HTMLElement) {
  const active = document.activeElement;
  const had = active instanceof HTMLElement && card.contains(active) ? active : undefined;
  const byKey = had?.matches(':focus-visible') === true;
  return ({ first, group }: { first: HTMLElement; group: HTMLElement }) => {
    if (had?.closest('[hidden]')) (byKey ? first : group).focus();
  };
}

function makeCard(view: QuestionView, page: { me: () => Me; onAnswer: (isOwn: boolean) => void }): Card {
  const { id, description, facts, due, mark } = view;
  const { left, showTime } = makeTime(view);
  const holder = make('p', { class: 'holder' });
  const { take, release } = makeTaking(view, page.me);
  const answers = makeAnswers(view, page);
  const rows = facts.map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`);
  const title = make('h3', { id: `title-${id}`, tabindex: -1 }, description);
  const root = make(
    'article',
    { class: `question ${mark?.tone ?? ''}`, id: `question-${id}`, 'aria-labelledby': `title-${id}` },
    make('header', {}, makeMark(view), title, left),
    html`<dl class="facts">${rows}</dl>`,
    holder,
    make('div', { class: 'buttons' }, take),
    answers.root,
    release,
  );
  let isFree = false;
  const show = ({ holder: who }: QuestionView, isAlone: boolean) => {
    const keepFocus = watchFocus(root);
    const isMine = who?.id === page.me().id;
    // A person who is alone answers without taking it first, and finishes a note that was begun before others came.
    isFree = who === undefined && (isAlone || (isFree && answers.note.value !== ''));
    holder.textContent =
      who === undefined || (isMine && isAlone) ? '' : isMine ? 'You have it.' : `${who.name} has it.`;
    take.hidden = who !== undefined || isFree;
    answers.root.hidden = !isMine && !isFree;
    release.hidden = !isMine || isAlone;
    keepFocus(isMine || isFree ? { first: answers.note, group: answers.root } : { first: title, group: title });
  };
  return { root, title, due, show, showTime };
}

const list = need('questions', HTMLElement);

/** Milliseconds before a deadline from which the page shows it as soon. */
const soonLimit = 30_000;

const cards: Map<string, Card> = new Map();
/** Questions answered on this page. */
const ownAnswers = new Set();

function removeCard(id: string) {
  const root = cards.get(id)?.root;
  const hadFocus = root?.contains(document.activeElement) ?? false;
  const next = root?.nextElementSibling ?? root?.previousElementSibling;
  root?.remove();
  cards.delete(id);
  if (!hadFocus) return;
  const card = [...cards.values()].find((one) => one.root === next);
  (card?.title ?? need('due-title', HTMLElement)).focus();
}

export function endWords({ word, by, stopped }: DeskView['ended'][number]) {
  if (by !== undefined) return `${by} answered ${word}`;
  return stopped === true ? 'the run was interrupted' : 'there was no answer in time';
}

function tellEnded({ ended }: DeskView) {
  const words = [...cards.keys()].flatMap((id) => {
    const over = ended.find((one) => one.id === id);
    return over === undefined || ownAnswers.has(id) ? [] : [`${brief(over.description)}: ${endWords(over)}.`];
  });
  if (words.length > 0) tell(words.slice(0, 3).join(' '));
}

/** Shows the current questions; a note that is being written stays. */
export function showQuestions(view: DeskView, me: () => Me) {
  const open = new Set(view.questions.map(({ id }) => id));
  const gone = [...cards.keys()].filter((id) => !open.has(id));
  if (gone.length > 0) tellEnded(view);
  const fresh = view.questions.filter(({ id }) => !cards.has(id));
  for (const one of fresh) {
    const card = makeCard(one, {
      me,
      onAnswer: (isOwn) => (isOwn ? ownAnswers.add(one.id) : ownAnswers.delete(one.id)),
    });
    cards.set(one.id, card);
    list.append(card.root);
  }
  for (const id of gone) removeCard(id);
  for (const one of view.questions) cards.get(one.id)?.show(one, view.people <= 1);
  need('nothing', HTMLElement).hidden = view.questions.length > 0;
  showLeft();
}

/** Draws the time left, and returns the shortest; undefined without questions. */
export function showLeft() {
  const now = serverNow();
  for (const { due, showTime } of cards.values()) showTime(now, due > now && due - now < soonLimit);
  const ahead = [...cards.values()].flatMap(({ due }) => (due > now ? [due] : []));
  const first = ahead.length === 0 ? now : Math.min(...ahead);
  return cards.size === 0 ? undefined : { count: cards.size, words: countdown(first - now) };
}
