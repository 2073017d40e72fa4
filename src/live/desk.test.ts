import { describe, expect, test } from 'vitest';
import type { OperatorAnswer } from '../engine/context/operator.ts';
import { buildQuestion } from '../testing/pages/live-page.ts';
import { createDesk } from './desk.ts';

const ann = { id: 'a', name: 'Ann' };
const ben = { id: 'b', name: 'Ben' };
const say = (word: OperatorAnswer['word'], note?: string) => ({ word, ...(note === undefined ? {} : { note }) });

function open() {
  const desk = createDesk({ now: Date.now, onChange: () => undefined });
  const operator = desk.operatorWith(undefined);
  const { signal } = new AbortController();
  return { desk, ask: (parts = {}, until = signal) => operator.ask(buildQuestion(parts), until) };
}

describe('a question', () => {
  test('is answered by a person', async () => {
    const { desk, ask } = open();
    const answer = ask();
    expect(desk.open()).toMatchObject([{ id: 'q1', question: buildQuestion(), holder: undefined }]);
    expect(desk.answer('q1', { person: ann, attempt: 'x', answer: say('done', 'at once') })).toEqual({ done: true });
    expect(await answer).toEqual({ word: 'done', note: 'at once', by: 'Ann' });
    expect(desk.open()).toEqual([]);
    // The text may be a credential, so it is shown to no other person.
    expect(desk.ended()).toMatchObject([{ id: 'q1', word: 'done', by: 'Ann' }]);
    expect(JSON.stringify(desk.ended())).not.toContain('at once');
  });

  test('is of who took it until it is given back', () => {
    const { desk, ask } = open();
    void ask();
    const held = { done: false, why: 'held', by: 'Ann' };
    expect(desk.take('q1', ann)).toEqual({ done: true });
    expect(desk.take('q1', ann)).toEqual({ done: true });
    expect(desk.take('q1', ben)).toEqual(held);
    expect(desk.release('q1', ben)).toEqual(held);
    expect(desk.answer('q1', { person: ben, attempt: 'x', answer: say('done') })).toEqual(held);
    expect(desk.open()[0]?.holder).toEqual(ann);
    expect(desk.release('q1', ann)).toEqual({ done: true });
    expect(desk.open()[0]?.holder).toBeUndefined();
    expect(desk.take('q1', ben)).toEqual({ done: true });
    expect(desk.take('q9', ben)).toEqual({ done: false, why: 'unknown' });
  });

  test('that is answered again with the same attempt is answered once, and another is told who was first', async () => {
    const { desk, ask } = open();
    const answer = ask({ kind: 'holds' });
    const first = { person: ann, attempt: 'first', answer: say('yes') };
    expect([desk.answer('q1', first), desk.answer('q1', first)]).toEqual([{ done: true }, { done: true }]);
    const late = desk.answer('q1', { person: ben, attempt: 'late', answer: say('no') });
    expect(late).toEqual({ done: false, why: 'answered', by: 'Ann' });
    expect(await answer).toEqual({ word: 'yes', by: 'Ann' });
    expect(desk.ended()).toHaveLength(1);
  });

  test('is over when its time is up, when the run stops, and when it had stopped before', async () => {
    const { desk, ask } = open();
    expect(await ask({ timeout: 20 })).toEqual({ word: 'nothing' });
    const stop = new AbortController();
    const answer = ask({}, stop.signal);
    stop.abort();
    expect([await answer, await ask({}, stop.signal)]).toEqual([{ word: 'nothing' }, { word: 'nothing' }]);
    expect(desk.open()).toEqual([]);
    expect(desk.ended().map(({ by, stopped }) => [by, stopped])).toEqual([
      [undefined, undefined],
      [undefined, true],
      [undefined, true],
    ]);
  });

  test('takes only what answers it', () => {
    const { desk, ask } = open();
    for (const kind of ['do', 'holds', 'tell'] as const) void ask({ kind });
    const tries = [
      ['q1', say('yes')],
      ['q2', say('done')],
      ['q3', say('no')],
      ['q3', say('done')],
      ['q1', say('nothing')],
    ] as const;
    for (const [id, answer] of tries) {
      expect(desk.answer(id, { person: ann, attempt: 'x', answer })).toEqual({ done: false, why: 'unfit' });
    }
    expect(desk.answer('q3', { person: ann, attempt: 'x', answer: say('done', 'a card') })).toEqual({ done: true });
    expect(desk.open()).toHaveLength(2);
  });

  test('is answered until its time is up, also where its request has expired before', async () => {
    const { desk, ask } = open();
    const answer = ask({ expires: Date.now() - 1, timeout: 60_000 });
    expect(desk.answer('q1', { person: ann, attempt: 'x', answer: say('cannot') })).toEqual({ done: true });
    expect(await answer).toEqual({ word: 'cannot', by: 'Ann' });
  });

  test('is remembered for a while, and not for ever', () => {
    const { desk, ask } = open();
    for (let at = 1; at <= 60; at += 1) {
      void ask();
      desk.answer(`q${at}`, { person: ann, attempt: `a${at}`, answer: say('done') });
    }
    expect(desk.ended().map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `q${at + 11}`));
  });
});
