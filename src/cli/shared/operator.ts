import { basename, resolve } from 'node:path';
import process from 'node:process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import {
  type Answer,
  AnsweredElsewhere,
  type Evidence,
  type Operator,
  type Question,
} from '../../engine/context/operator.ts';
import { digestFile } from '../../lib/read-file.ts';
import { defined } from '../../lib/json.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { renderCountdown } from '../../report/shared/time.ts';
import type { Invocation } from './command.ts';

const words: Readonly<Record<Question['kind'], Readonly<Record<string, Answer['word']>>>> = {
  do: { d: 'done', done: 'done', c: 'cannot', cannot: 'cannot' },
  holds: { y: 'yes', yes: 'yes', n: 'no', no: 'no', c: 'cannot', cannot: 'cannot' },
  tell: { c: 'cannot', cannot: 'cannot' },
};

const answerHelp: Readonly<Record<Question['kind'], string>> = {
  do: 'd (done) or c (cannot), then a note if you like; @PATH names a file as evidence',
  holds: 'y (yes), n (no) or c (cannot say), then a note if you like; @PATH names a file as evidence',
  tell: 'what you see, in your words, or c (cannot say); @PATH names a file as evidence',
};

/** `@card.png`, or `@"my card.png"` where the path has blanks. */
const evidencePattern = /(?:^|\s)@(?:"([^"]+)"|(\S+))/;

function readEvidence(path: string, folder: string): Evidence | { readonly mistake: string } {
  const digested = digestFile(resolve(folder, path));
  if ('wrong' in digested) return { mistake: `${path} cannot be read: ${digested.wrong}` };
  return { name: basename(path), sha256: digested.sha256 };
}

/** The word that a line begins with, and the note behind it. A free answer that begins with `c` is no `cannot`. */
function parseWords(plain: string, kind: Question['kind']): Pick<Answer, 'word' | 'note'> | undefined {
  const [first = '', ...rest] = plain.split(/\s+/);
  const key = first.toLowerCase().replace(/[:,.]$/, '');
  const word = Object.hasOwn(words[kind], key) ? words[kind][key] : undefined;
  if (word !== undefined && (kind !== 'tell' || rest.length === 0)) return { word, note: rest.join(' ') };
  return kind === 'tell' ? { word: 'done', note: plain } : undefined;
}

/** A typed line as an answer, or what is wrong with it. Paths begin from `folder`. */
function parseAnswer(line: string, kind: Question['kind'], folder: string): Answer | { readonly mistake: string } {
  const found = evidencePattern.exec(line);
  const path = found?.[1] ?? found?.[2];
  const evidence = path === undefined ? undefined : readEvidence(path, folder);
  if (evidence !== undefined && 'mistake' in evidence) return evidence;
  const plain = line.replace(evidencePattern, ' ').trim();
  const said = parseWords(plain, kind);
  if (said === undefined) return { mistake: `"${plain.replace(/\s.*$/s, '')}" is no answer here` };
  if (kind === 'tell' && plain === '' && evidence === undefined) return { mistake: 'say what you see' };
  return { word: said.word, ...defined({ note: said.note || undefined, evidence }) };
}

interface OperatorOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Lines are edited and the countdown is drawn in place. */
  readonly terminal: boolean;
  /** Where paths of evidence begin. */
  readonly folder: string;
  /** Milliseconds of wall time. */
  readonly now: () => number;
  /** A question begins and ends: nothing else may be drawn between. */
  readonly onOpen: () => void;
  readonly onClose: () => void;
  /** Ctrl-C: a terminal that edits lines raises no signal. */
  readonly interrupt: () => void;
}

/** What is asked, of which phone, and why. Everything in it may come from outside. */
function renderQuestion(question: Question, number: number): string {
  const facts = [
    ['phone', question.phone],
    ['SP', question.sp],
    ...(question.request === undefined ? [] : [['request', question.request]]),
    ['case', `${question.case}: ${question.rationale}`],
    ['answer', `${answerHelp[question.kind]}; ? for this again`],
  ];
  const lines = facts.map(([label = '', text = '']) => `  ${label.padEnd(9)}${forTerminal(text)}`);
  return `\nQuestion ${number}: ${forTerminal(question.description)}\n${lines.join('\n')}\n`;
}

/** Reads lines until one is an answer; gives `nothing` where the input ends. */
function untilAnswered(lines: Interface, question: Question, options: OperatorOptions): Promise<Answer> {
  const { output, folder } = options;
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      if (line.trim() === '?') output.write(`${answerHelp[question.kind]}\n`);
      else {
        const answer = parseAnswer(line, question.kind, folder);
        if ('word' in answer) {
          resolve(answer);
          return;
        }
        output.write(`${forTerminal(answer.mistake)}; ${answerHelp[question.kind]}\n`);
      }
      lines.prompt();
    });
    lines.once('close', () => resolve({ word: 'nothing' }));
  });
}

/** Draws how long is left, and gives `nothing` when the time is up or the signal aborts. */
function untilOver(
  lines: Interface,
  { timeout, signal }: { readonly timeout: number; readonly signal: AbortSignal },
  { now, terminal }: OperatorOptions,
): { readonly over: Promise<Answer>; readonly stop: () => void } {
  const end = now() + timeout;
  const draw = (): void => {
    lines.setPrompt(`[${renderCountdown(end - now())}] > `);
    lines.prompt(true);
  };
  let stop = (): void => undefined;
  const over = new Promise<Answer>((resolve) => {
    const give = (): void => resolve({ word: 'nothing' });
    const late = setTimeout(give, timeout);
    const tick = terminal ? setInterval(draw, 1000) : undefined;
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
    stop = () => {
      clearTimeout(late);
      clearInterval(tick);
      signal.removeEventListener('abort', give);
    };
  });
  draw();
  return { over, stop };
}

/** Milliseconds in which what was typed before the question is read, and dropped: it is no answer to it. */
const stale = 50;

async function openLines({ input, output, terminal, interrupt }: OperatorOptions): Promise<Interface> {
  const lines = createInterface({ input, output, terminal, historySize: 0, prompt: '' });
  lines.on('SIGINT', interrupt);
  await new Promise((resolve) => setTimeout(resolve, stale));
  if (terminal) lines.write(null, { ctrl: true, name: 'u' });
  return lines;
}

function whyNothing({ reason }: AbortSignal): string {
  return reason instanceof AnsweredElsewhere ? forTerminal(reason.message) : 'no answer';
}

/** The operator at a terminal: each question with a countdown, one line as the answer. */
export function createOperator(options: OperatorOptions): Operator {
  const { input, output, terminal, onOpen, onClose } = options;
  let asked = 0;
  const isGone = (): boolean => input.readableEnded || input.destroyed;
  return {
    ask: async (question, signal) => {
      if (isGone() || signal.aborted) return { word: 'nothing' };
      asked += 1;
      onOpen();
      const lines = await openLines(options);
      if (!signal.aborted) output.write(`${terminal ? '\u0007' : ''}${renderQuestion(question, asked)}`);
      const { over, stop } = untilOver(lines, { timeout: question.timeout, signal }, options);
      const answer = await Promise.race([untilAnswered(lines, question, options), over]);
      stop();
      lines.close();
      if (answer.word === 'nothing') output.write(`\n${isGone() ? 'the input has ended' : whyNothing(signal)}\n`);
      onClose();
      return answer;
    },
  };
}

/** What must not draw while a question is open. */
export interface Quiet {
  readonly pause: () => void;
  readonly resume: () => void;
}

/** The operator at a terminal; undefined where either stream is no terminal. */
export function findOperator({ stdin, stderr, env }: Invocation, quiet?: Quiet): Operator | undefined {
  if (stdin?.isTTY !== true || stderr.isTTY !== true) return undefined;
  return createOperator({
    input: stdin,
    output: stderr,
    terminal: env['TERM'] !== 'dumb',
    folder: process.cwd(),
    now: Date.now,
    onOpen: () => quiet?.pause(),
    onClose: () => quiet?.resume(),
    interrupt: () => process.kill(process.pid, 'SIGINT'),
  });
}
