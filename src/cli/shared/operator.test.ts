import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { OperatorAnswer, OperatorQuestion } from '../../engine/context/operator.ts';
import { writeFolder } from '../../testing/program/target-file.ts';
import { createOperator } from './operator.ts';

const question: OperatorQuestion = {
  kind: 'do',
  description: 'Approve the request on the phone',
  recorded: 'Approve the request on the phone',
  phone: '+12175550101',
  sp: 'ccid-conftestclient01',
  request: 'the one that says Pay25dollars',
  case: 'approve-one',
  step: 'approval',
  action: 'approve',
  about: 'approve-one: An approval brings tokens',
  timeout: 20_000,
};

/** A person at two streams: the output, and functions to type. */
function person(folder = '.') {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const calls: string[] = [];
  let shown = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const note = (call: string) => (): void => void calls.push(call);
  const operator = createOperator({
    input,
    output,
    terminal: false,
    folder,
    now: Date.now,
    onOpen: note('open'),
    onClose: note('close'),
    interrupt: note('interrupt'),
  });
  const ask = (parts: Partial<OperatorQuestion> = {}, signal = new AbortController().signal): Promise<OperatorAnswer> =>
    operator.ask({ ...question, ...parts }, signal);
  const sees = async (text: string | RegExp): Promise<void> => {
    await expect.poll(() => shown, { timeout: 5000 }).toMatch(text);
  };
  return { input, calls, ask, sees, type: (line: string) => void input.write(`${line}\n`), shown: () => shown };
}

describe('a question', () => {
  test('that is about to be shown when the run is stopped, is not', async () => {
    const { ask, shown } = person();
    const stop = new AbortController();
    const answer = ask({}, stop.signal);
    stop.abort();
    expect(await answer).toEqual({ word: 'nothing' });
    expect(shown()).not.toContain('Question 1');
  });

  test('says what to do on which phone, in which case and why, and how long there is', async () => {
    const { ask, sees, type, shown, calls } = person();
    const answer = ask();
    await sees('> ');
    expect(shown()).toBe(`
Question 1: Approve the request on the phone
  phone    +12175550101
  SP       ccid-conftestclient01
  request  the one that says Pay25dollars
  case     approve-one: An approval brings tokens
  answer   d (done) or c (cannot), then a note if you like; @PATH names a file as evidence; ? for this again
[20s] > `);
    expect(calls).toEqual(['open']);
    type('d');
    expect(await answer).toEqual({ word: 'done' });
    expect(calls).toEqual(['open', 'close']);
  });

  test('numbers the tasks of the run', async () => {
    const { ask, sees, type } = person();
    const answer = ask({ place: { number: 5, of: 596 } });
    await sees('Task 5 of 596: Approve the request on the phone\n');
    type('d');
    expect(await answer).toEqual({ word: 'done' });
  });

  test('shows nothing that moves the cursor', async () => {
    const { ask, sees, type, shown } = person();
    const answer = ask({ description: 'Approve \u001b[2J\u202e', phone: '\u0007\n' });
    await sees('> ');
    type('d');
    await answer;
    expect(shown()).toContain('Approve \\u{1b}[2J\\u{202e}\n  phone    \\u{7}\\u{a}\n');
  });

  test('is asked again after what is no answer, and explains itself', async () => {
    const { ask, sees, type, shown } = person();
    const answer = ask();
    await sees('> ');
    for (const line of ['perhaps', '?', 'd @nowhere.png']) type(line);
    await sees('nowhere.png cannot be read: there is no such file; d (done)');
    expect(shown()).toContain('"perhaps" is not one of the answers; d (done) or c (cannot)');
    type('cannot no such card');
    expect(await answer).toEqual({ word: 'cannot', note: 'no such card' });
  });

  test('has no answer when the time is up', async () => {
    const { ask, shown, calls } = person();
    expect(await ask({ timeout: 200 })).toEqual({ word: 'nothing' });
    expect(shown()).toMatch(/no answer\n$/);
    expect(calls).toEqual(['open', 'close']);
  });

  test('has no answer when the run stops, before or meanwhile', async () => {
    const { ask, sees } = person();
    const controller = new AbortController();
    const answer = ask({}, controller.signal);
    await sees('> ');
    controller.abort();
    expect(await answer).toEqual({ word: 'nothing' });
    expect(await ask({}, controller.signal)).toEqual({ word: 'nothing' });
  });

  test('has no answer when the input has ended, nor have those after it', async () => {
    const { ask, sees, input } = person();
    const answer = ask();
    await sees('> ');
    input.end();
    expect(await answer).toEqual({ word: 'nothing' });
    await sees('the input has ended');
    expect(await ask()).toEqual({ word: 'nothing' });
  });

  test('is not answered by what was typed before it', async () => {
    const { ask, sees, type } = person();
    type('n an answer to nothing');
    const answer = ask({ kind: 'holds' });
    await sees('> ');
    type('y');
    expect(await answer).toEqual({ word: 'yes' });
  });
});

describe('answers', () => {
  const folder = writeFolder({ 'card.png': 'a photograph', 'my card.png': 'another' });
  const sha = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

  test.each<[OperatorQuestion['kind'], string, OperatorAnswer]>([
    ['do', 'd', { word: 'done' }],
    ['do', 'DONE at once', { word: 'done', note: 'at once' }],
    ['do', 'c', { word: 'cannot' }],
    ['holds', 'y', { word: 'yes' }],
    ['holds', 'no: it is light', { word: 'no', note: 'it is light' }],
    ['holds', 'cannot', { word: 'cannot' }],
    ['holds', 'y @card.png', { word: 'yes', evidence: { name: 'card.png', sha256: sha('a photograph') } }],
    [
      'holds',
      'n dark @"my card.png" as ever',
      { word: 'no', note: 'dark as ever', evidence: { name: 'my card.png', sha256: sha('another') } },
    ],
    [
      'holds',
      `y @${join(folder, 'card.png')}`,
      { word: 'yes', evidence: { name: 'card.png', sha256: sha('a photograph') } },
    ],
    ['tell', 'cannot say more than: fingerprint', { word: 'done', note: 'cannot say more than: fingerprint' }],
    ['tell', 'c', { word: 'cannot' }],
  ])('%s: %s', async (kind, line, expected) => {
    const { ask, sees, type } = person(folder);
    const answer = ask({ kind });
    await sees('> ');
    type(line);
    expect(await answer).toEqual(expected);
  });
});
