import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { createQuiet } from '../../report/progress/lines.ts';
import { buildQuestion, closeLive, openEvents, openTestLive, postLive } from '../../testing/pages/live-page.ts';
import { createNotePrinter, parseLive } from './live.ts';
import { createOperator } from './operator.ts';

afterEach(closeLive);

const { signal } = new AbortController();
const ann = { person: 'ann-1', name: 'Ann' };

test.each([
  ['8700', { host: '127.0.0.1', port: 8700 }],
  ['0.0.0.0:0', { host: '0.0.0.0', port: 0 }],
  ['Phone-Desk.test:8700', { host: 'phone-desk.test', port: 8700 }],
  ['[::1]:8700', { host: '::1', port: 8700 }],
  ['[0:0:0:0:0:0:0:1]:8700', { host: '::1', port: 8700 }],
  ['127.1:8700', { host: '127.0.0.1', port: 8700 }],
])('--live %s', (given, address) => expect(parseLive(given)).toEqual(address));

test.each(['REQ-015', '65536', ':8700', '::1:8700', 'http://127.0.0.1:8700', ''])('--live %s is refused', (given) => {
  expect(() => parseLive(given)).toThrow(
    `--live: "${given}" is no [HOST:]PORT; without one, write --live behind the names`,
  );
});

describe('with somebody at the terminal as well', () => {
  function terminal() {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let shown = '';
    output.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    const nothing = (): void => undefined;
    const common = { input, output, terminal: false, folder: '.', now: Date.now };
    const operator = createOperator({ ...common, onOpen: nothing, onClose: nothing, interrupt: nothing });
    const sees = async (text: string): Promise<void> => {
      await expect.poll(() => shown, { timeout: 5000 }).toContain(text);
    };
    return { operator, sees, input };
  }

  test('who answers at the terminal first has answered, and the page is told', async () => {
    const { operator, sees, input } = terminal();
    const live = await openTestLive();
    const stream = await openEvents(live.url, 'person=ann-1');
    const answer = live.operatorWith(operator).ask(buildQuestion(), signal);
    await sees('> ');
    input.write('d by hand\n');
    expect(await answer).toEqual({ word: 'done', note: 'by hand' });
    await expect
      .poll(() => stream.last('desk'))
      .toMatchObject({ questions: [], ended: [{ id: 'q1', word: 'done', by: 'the terminal' }] });
    const late = await postLive(live.url, 'answer', { ...ann, question: 'q1', attempt: 'x', word: 'cannot' });
    expect([late.status, JSON.parse(late.text)]).toEqual([409, { done: false, why: 'answered', by: 'the terminal' }]);
    stream.close();
  });

  test('who answers at the page first has answered, and the terminal is told, and asks the next', async () => {
    const { operator, sees, input } = terminal();
    const live = await openTestLive();
    const people = live.operatorWith(operator);
    const answer = people.ask(buildQuestion(), signal);
    const next = people.ask(buildQuestion({ phone: '+12175550102', description: 'Deny it' }), signal);
    await sees('Question 1');
    await postLive(live.url, 'answer', { ...ann, question: 'q1', attempt: 'x', word: 'cannot' });
    expect(await answer).toEqual({ word: 'cannot', by: 'Ann' });
    await sees('Ann has answered');
    await sees('Question 2: Deny it');
    input.write('d\n');
    expect(await next).toEqual({ word: 'done' });
  });

  test('a terminal whose input has ended leaves the page to answer', async () => {
    const { operator, input } = terminal();
    input.end();
    const live = await openTestLive();
    const answer = live.operatorWith(operator).ask(buildQuestion(), signal);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await postLive(live.url, 'answer', { ...ann, question: 'q1', attempt: 'x', word: 'done' });
    expect(await answer).toEqual({ word: 'done', by: 'Ann' });
  });
});

test('a line is said at once while a question is open, and goes with the progress otherwise', () => {
  const stderr = new PassThrough();
  const events: unknown[] = [];
  const progress = { ...createQuiet({ stream: stderr }), event: (event: unknown) => void events.push(event) };
  const { say, quiet } = createNotePrinter(progress, stderr);
  quiet.pause();
  say('Ben has taken: Deny it');
  quiet.resume();
  say('Ann has taken: Approve it');
  expect(String(stderr.read())).toBe('\nBen has taken: Deny it\n');
  expect(events).toEqual([{ kind: 'note', text: 'Ann has taken: Approve it' }]);
});
