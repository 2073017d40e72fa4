import { basename, resolve } from 'node:path';
import process from 'node:process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import {
  type OperatorAnswer,
  AnsweredElsewhereError,
  type AnswerEvidence,
  type Operator,
  type OperatorQuestion,
} from '../../engine/context/operator.ts';
import { digestFile } from '../../files/read.ts';
import { omitUndefined } from '../../lib/json.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { renderCountdown } from '../../report/shared/time.ts';
import type { Invocation } from './command.ts';

const answerTable: Readonly<Record<OperatorQuestion['kind'], Readonly<Record<string, OperatorAnswer['word']>>>> = {
  do: { d: 'done', done: 'done', c: 'cannot', cannot: 'cannot' },
  holds: { y: 'yes', yes: 'yes', n: 'no', no: 'no', c: 'cannot', cannot: 'cannot' },
  tell: { c: 'cannot', cannot: 'cannot' },
};

const answerHelp: Readonly<Record<OperatorQuestion['kind'], string>> = {
  do: 'd (done) or c (cannot), then a note if you like; @PATH names a file as evidence',
  holds: 'y (yes), n (no) or c (cannot say), then a note if you like; @PATH names a file as evidence',
  tell: 'what you see, in your words, or c (cannot say); @PATH names a file as evidence',
};

/** `@card.png`, or `@"my card.png"` for a path with blanks. */
const evidencePattern = /(?:^|\s)@(?:"([^"]+)"|(\S+))/;

function readEvidence(path: string, folder: string): AnswerEvidence | { readonly mistake: string } {
  const digested = digestFile(resolve(folder, path));
  if ('wrong' in digested) return { mistake: `${path} cannot be read: ${digested.wrong}` };
  return { name: basename(path), sha256: digested.sha256 };
}

/** Splits a line into answer word and note. In a free answer, `c` means `cannot` only if it stands alone. */
function parseAnswerWords(
  plain: string,
  kind: OperatorQuestion['kind'],
): Pick<OperatorAnswer, 'word' | 'note'> | undefined {
  const [first = '', ...rest] = plain.split(/\s+/);
  const key = first.toLowerCase().replace(/[:,.]$/, '');
  const word = Object.hasOwn(answerTable[kind], key) ? answerTable[kind][key] : undefined;
  if (word !== undefined && (kind !== 'tell' || rest.length === 0)) return { word, note: rest.join(' ') };
  return kind === 'tell' ? { word: 'done', note: plain } : undefined;
}

/** Parses a typed line into an answer or a mistake. Paths are relative to `folder`. */
function parseAnswer(
  line: string,
  kind: OperatorQuestion['kind'],
  folder: string,
): OperatorAnswer | { readonly mistake: string } {
  const found = evidencePattern.exec(line);
  const path = found?.[1] ?? found?.[2];
  const evidence = path === undefined ? undefined : readEvidence(path, folder);
  if (evidence !== undefined && 'mistake' in evidence) return evidence;
  const plain = line.replace(evidencePattern, ' ').trim();
  const said = parseAnswerWords(plain, kind);
  if (said === undefined) return { mistake: `"${plain.replace(/\s.*$/s, '')}" is not one of the answers` };
  if (kind === 'tell' && plain === '' && evidence === undefined) return { mistake: 'say what you see' };
  return { word: said.word, ...omitUndefined({ note: said.note || undefined, evidence }) };
}

interface OperatorOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Enables line editing and redraws the countdown in place. */
  readonly terminal: boolean;
  /** Name of the person at the terminal; absent if unknown. */
  readonly by?: string | undefined;
  /** Base of relative evidence paths. */
  readonly folder: string;
  /** Milliseconds of wall time. */
  readonly now: () => number;
  /** Called around each question: nothing else may draw meanwhile. */
  readonly onOpen: () => void;
  readonly onClose: () => void;
  /** Called on Ctrl-C: a terminal in line-editing mode raises no signal. */
  readonly interrupt: () => void;
}

/** Renders the question, its phone and its reason. All of it is untrusted. */
function renderQuestion(question: OperatorQuestion, number: number): string {
  const facts = [
    ...(question.again === undefined ? [] : [['again', question.again]]),
    ['phone', question.phone],
    ['SP', question.sp],
    ...(question.request === undefined ? [] : [['request', question.request]]),
    ...(question.about === undefined ? [] : [['case', question.about]]),
    ['answer', `${answerHelp[question.kind]}; ? for this again`],
  ];
  const lines = facts.map(([label = '', text = '']) => `  ${label.padEnd(9)}${forTerminal(text)}`);
  const { place } = question;
  const head = place === undefined ? `Question ${number}` : `Task ${place.number} of ${place.of}`;
  return `\n${head}: ${forTerminal(question.description)}\n${lines.join('\n')}\n`;
}

/** Reads lines until one is a valid answer; resolves to `nothing` if the input ends. */
function readAnswer(lines: Interface, question: OperatorQuestion, options: OperatorOptions): Promise<OperatorAnswer> {
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

/** Draws the countdown; resolves to `nothing` on timeout or abort. */
function startCountdown(
  lines: Interface,
  { timeout, signal }: { readonly timeout: number; readonly signal: AbortSignal },
  { now, terminal }: OperatorOptions,
): { readonly over: Promise<OperatorAnswer>; readonly stop: () => void } {
  const end = now() + timeout;
  const draw = (): void => {
    lines.setPrompt(`[${renderCountdown(end - now())}] > `);
    lines.prompt(true);
  };
  let stop = (): void => undefined;
  const over = new Promise<OperatorAnswer>((resolve) => {
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

/** Time in which input typed before the question is read and discarded, in milliseconds. */
const staleInputTime = 50;

async function openLines({ input, output, terminal, interrupt }: OperatorOptions): Promise<Interface> {
  const lines = createInterface({ input, output, terminal, historySize: 0, prompt: '' });
  lines.on('SIGINT', interrupt);
  await new Promise((resolve) => setTimeout(resolve, staleInputTime));
  if (terminal) lines.write(null, { ctrl: true, name: 'u' });
  return lines;
}

function describeNoAnswer({ reason }: AbortSignal): string {
  return reason instanceof AnsweredElsewhereError ? forTerminal(reason.message) : 'no answer';
}

/** Asks at a terminal: each question with a countdown, answered in one line. */
export function createOperator(options: OperatorOptions): Operator {
  const { input, output, terminal, by, onOpen, onClose } = options;
  let asked = 0;
  const isGone = (): boolean => input.readableEnded || input.destroyed;
  return {
    ask: async (question, signal) => {
      if (isGone() || signal.aborted) return { word: 'nothing' };
      asked += 1;
      onOpen();
      const lines = await openLines(options);
      if (!signal.aborted) output.write(`${terminal ? '\u0007' : ''}${renderQuestion(question, asked)}`);
      const { over, stop } = startCountdown(lines, { timeout: question.timeout, signal }, options);
      const answer = await Promise.race([readAnswer(lines, question, options), over]);
      stop();
      lines.close();
      if (answer.word === 'nothing') output.write(`\n${isGone() ? 'the input has ended' : describeNoAnswer(signal)}\n`);
      onClose();
      return answer.word === 'nothing' ? answer : { ...answer, ...omitUndefined({ by }) };
    },
  };
}

/** Output to pause while a question is open. */
export interface PausableOutput {
  readonly pause: () => void;
  readonly resume: () => void;
}

/** Terminal operator; undefined unless stdin and stderr are terminals. */
export function findOperator({ stdin, stderr, env }: Invocation, quiet?: PausableOutput): Operator | undefined {
  if (stdin?.isTTY !== true || stderr.isTTY !== true) return undefined;
  return createOperator({
    input: stdin,
    output: stderr,
    terminal: env['TERM'] !== 'dumb',
    by: env['USER'] ?? env['LOGNAME'] ?? env['USERNAME'],
    folder: process.cwd(),
    now: Date.now,
    onOpen: () => quiet?.pause(),
    onClose: () => quiet?.resume(),
    interrupt: () => process.kill(process.pid, 'SIGINT'),
  });
}
