import { expect, test } from 'vitest';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildTemplate } from '../../testing/parts/templates.ts';
import { withoutAttendedDrivers } from '../drive/drive.ts';
import { type OperatorAnswer, type Operator, type OperatorQuestion, queueQuestions } from './operator.ts';

const question = (id: string): OperatorQuestion => ({
  kind: 'do',
  description: id,
  recorded: id,
  phone: 'p',
  sp: 's',
  case: id,
  step: 'approval',
  action: 'approve',
  about: 'b',
  timeout: 1000,
});

test('the question whose request expires first is the next, else the first that came', async () => {
  const order: string[] = [];
  const operator: Operator = {
    ask: async ({ case: id }) => {
      order.push(id);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { word: 'done' };
    },
  };
  const waiting: number[] = [];
  const queue = queueQuestions(operator, (count) => waiting.push(count));
  const { signal } = new AbortController();
  const ask = (id: string, until?: number): Promise<OperatorAnswer> => queue.ask(question(id), signal, until);
  await Promise.all([
    ask('first'),
    ask('late', 900),
    ask('never'),
    ask('soon', 100),
    ask('never either'),
    ask('as soon', 100),
  ]);
  expect(order).toEqual(['first', 'soon', 'as soon', 'late', 'never', 'never either']);
  expect(waiting).toEqual([1, 2, 3, 4, 5, 4, 3, 2, 1, 0]);
  await ask('afterwards');
  expect(order.at(-1)).toBe('afterwards');
});

test('where several people answer, only questions about one phone wait for each other', async () => {
  const open = new Set<string>();
  const most: string[] = [];
  const operator: Operator = {
    several: true,
    ask: async ({ case: id }) => {
      open.add(id);
      most.push([...open].join(' '));
      await new Promise((resolve) => setTimeout(resolve, 5));
      open.delete(id);
      return { word: 'done' };
    },
  };
  const waiting: number[] = [];
  const queue = queueQuestions(operator, (count) => waiting.push(count));
  const { signal } = new AbortController();
  const ask = (id: string, phone: string): Promise<OperatorAnswer> => queue.ask({ ...question(id), phone }, signal);
  await Promise.all([ask('one', 'a'), ask('two', 'a'), ask('three', 'b')]);
  expect(most).toContain('one three');
  expect(most.filter((ids) => ids.includes('one') && ids.includes('two'))).toEqual([]);
  expect(waiting).toEqual([1, 0]);
});

test('a run that stops asks nothing more', async () => {
  const asked: string[] = [];
  const controller = new AbortController();
  const queue = queueQuestions({
    ask: ({ case: id }) => {
      asked.push(id);
      controller.abort();
      return Promise.resolve({ word: 'done' });
    },
  });
  const answers = await Promise.all(['one', 'two'].map((id) => queue.ask(question(id), controller.signal)));
  expect(asked).toEqual(['one']);
  expect(answers).toEqual([{ word: 'done' }, { word: 'nothing' }]);
});

test('without an operator, a target has no ask drivers', () => {
  const approve = { kind: 'ask', timeout: 1, env: {} } as const;
  const deny = { kind: 'http', method: 'POST', url: buildTemplate('x'), done: [200], impossible: [], env: {} } as const;
  const target = buildTarget({ drivers: { approve, deny } });
  expect(withoutAttendedDrivers(target, undefined)).toEqual({ ...target, drivers: { deny }, unattended: ['approve'] });
  expect(withoutAttendedDrivers(target, { ask: () => Promise.resolve({ word: 'nothing' }) })).toBe(target);
});
