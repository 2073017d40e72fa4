import {
  type OperatorAnswer,
  AnsweredElsewhereError,
  type Operator,
  type OperatorQuestion,
  queueQuestions,
} from '../engine/context/operator.ts';
import { omitUndefined } from '../lib/json.ts';

/** Name of a person who has not typed one. */
export const unnamedPerson = 'somebody';

export interface Person {
  /** Generated and kept by the browser, so that it survives a lost connection. */
  readonly id: string;
  readonly name: string;
}

/** A question awaiting its answer. Times are milliseconds of wall time. */
export interface OpenQuestion {
  readonly id: string;
  readonly question: OperatorQuestion;
  readonly askedAt: number;
  /** Person who has taken it. */
  readonly holder: Person | undefined;
}

/** A closed question, without the note of its answer, which may be a credential. */
export interface ClosedQuestion {
  readonly id: string;
  readonly question: OperatorQuestion;
  readonly word: OperatorAnswer['word'];
  /** A person's name or `the terminal`; absent without an answer. */
  readonly by?: string;
  /** The run stopped before there was an answer. */
  readonly stopped?: true;
  readonly at: number;
}

/** Outcome of a page's request. The same answer sent again is accepted again. */
export type DeskOutcome =
  | { readonly done: true }
  | { readonly done: false; readonly why: 'held' | 'answered' | 'unknown' | 'unfit'; readonly by?: string };

export interface AnswerAttempt {
  readonly person: Person;
  /** Chosen by the page; an answer that is sent again repeats it. */
  readonly attempt: string;
  readonly answer: OperatorAnswer;
}

/** Questions of the run and the people who answer them; the first answer counts. */
export interface Desk {
  /** Asks people at pages, and at the terminal if there is one. */
  readonly operatorWith: (terminal: Operator | undefined) => Operator;
  readonly open: () => readonly OpenQuestion[];
  readonly ended: () => readonly ClosedQuestion[];
  /** Gives a question to a person, unless another person has it. */
  readonly take: (id: string, person: Person) => DeskOutcome;
  readonly release: (id: string, person: Person) => DeskOutcome;
  readonly answer: (id: string, given: AnswerAttempt) => DeskOutcome;
}

/** Maximum number of closed questions shown. */
const maxClosed = 50;

interface DeskEntry extends OpenQuestion {
  holder: Person | undefined;
  readonly settle: (answer: OperatorAnswer, from: AnswerSource) => void;
}

interface AnswerSource {
  readonly by?: string;
  readonly attempt?: string;
  readonly stopped?: true;
}

export interface DeskOptions {
  readonly now: () => number;
  readonly onChange: () => void;
  /** Called when a person takes a question they did not hold. */
  readonly onTaken?: (by: Person, question: OperatorQuestion) => void;
}

const unknownQuestion: DeskOutcome = { done: false, why: 'unknown' };
const doneOutcome: DeskOutcome = { done: true };
const atTerminal = 'the terminal';

/** Open questions, and the latest closed ones. */
function createShelf({ now, onChange }: Pick<DeskOptions, 'now' | 'onChange'>) {
  const open = new Map<string, DeskEntry>();
  const ended: (ClosedQuestion & AnswerSource)[] = [];
  let asked = 0;
  return {
    open,
    ended,
    put(question: OperatorQuestion, settle: (answer: OperatorAnswer) => void): DeskEntry {
      asked += 1;
      const id = `q${asked}`;
      const close = (answer: OperatorAnswer, from: AnswerSource): void => {
        if (!open.delete(id)) return;
        ended.push({ id, question, word: answer.word, at: now(), ...from });
        if (ended.length > maxClosed) ended.shift();
        settle(answer);
        onChange();
      };
      const entry: DeskEntry = { id, question, askedAt: now(), holder: undefined, settle: close };
      open.set(id, entry);
      onChange();
      return entry;
    },
  };
}

/** Also asks at the terminal until the question is closed; returns a function that withdraws it there. */
function askAt(terminal: Operator, { question, settle }: DeskEntry): (by: string | undefined) => void {
  const withdrawn = new AbortController();
  void terminal.ask(question, withdrawn.signal).then((answer) => {
    if (answer.word !== 'nothing') settle(answer, { by: atTerminal });
  });
  return (by) => withdrawn.abort(by === undefined ? undefined : new AnsweredElsewhereError(`${by} has answered`));
}

function createDeskOperator(shelf: ReturnType<typeof createShelf>, terminal: Operator | undefined): Operator {
  const queued = terminal === undefined ? undefined : queueQuestions(terminal);
  return {
    several: true,
    ask: (question, signal) =>
      new Promise((resolve) => {
        const nobody = (): void => entry.settle({ word: 'nothing' }, {});
        const onStop = (): void => entry.settle({ word: 'nothing' }, { stopped: true });
        const late = setTimeout(nobody, question.timeout);
        const entry = shelf.put(question, (answer) => {
          clearTimeout(late);
          signal.removeEventListener('abort', onStop);
          withdraw?.(shelf.ended.at(-1)?.by);
          resolve(answer);
        });
        const withdraw = queued === undefined ? undefined : askAt(queued, entry);
        signal.addEventListener('abort', onStop, { once: true });
        if (signal.aborted) onStop();
      }),
  };
}

const heldOutcome = ({ holder }: DeskEntry, { id }: Person): DeskOutcome | undefined =>
  holder === undefined || holder.id === id ? undefined : { done: false, why: 'held', by: holder.name };

/** Accepted answers for each kind of question. */
const fittingWords: Readonly<Record<OperatorQuestion['kind'], readonly OperatorAnswer['word'][]>> = {
  do: ['done', 'cannot'],
  holds: ['yes', 'no', 'cannot'],
  tell: ['done', 'cannot'],
};

/** Whether the answer fits the question; `doneOutcome` for `tell` needs a note. */
function isFit({ kind }: OperatorQuestion, { word, note }: OperatorAnswer): boolean {
  const saysNothing = kind === 'tell' && word === 'done' && note === undefined;
  return fittingWords[kind].includes(word) && !saysNothing;
}

export function createDesk(options: DeskOptions): Desk {
  const shelf = createShelf(options);
  const { open, ended } = shelf;
  const over = (id: string): DeskOutcome => {
    const found = ended.find((one) => one.id === id);
    return found === undefined ? unknownQuestion : { done: false, why: 'answered', ...omitUndefined({ by: found.by }) };
  };
  /** Assigns a question to `holder`, or releases it if undefined, at the request of `person`. */
  const hold = (id: string, person: Person, holder: Person | undefined): DeskOutcome => {
    const entry = open.get(id);
    if (entry === undefined) return over(id);
    const held = heldOutcome(entry, person);
    if (held !== undefined) return held;
    const isNew = holder !== undefined && holder.id !== entry.holder?.id;
    entry.holder = holder;
    options.onChange();
    if (isNew) options.onTaken?.(holder, entry.question);
    return doneOutcome;
  };
  return {
    operatorWith: (terminal) => createDeskOperator(shelf, terminal),
    open: () => [...open.values()],
    ended: () => ended,
    take: (id, person) => hold(id, person, person),
    release: (id, person) => hold(id, person, undefined),
    answer: (id, { person, attempt, answer }) => {
      const entry = open.get(id);
      if (entry === undefined)
        return ended.some((one) => one.id === id && one.attempt === attempt) ? doneOutcome : over(id);
      const held = heldOutcome(entry, person);
      if (held !== undefined) return held;
      if (!isFit(entry.question, answer)) return { done: false, why: 'unfit' };
      const named = person.name === unnamedPerson ? answer : { ...answer, by: person.name };
      entry.settle(named, { by: person.name, attempt });
      return doneOutcome;
    },
  };
}
