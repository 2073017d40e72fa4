import { describe, expect, test } from 'vitest';
import type { PlannedAct, ProgressEvent } from '../../model/progress.ts';
import { countAnswered, createActCount } from './act-count.ts';

const act = (id: string, step: string, at = 0): PlannedAct => ({ case: id, step, action: 'approve', at });

function planned(acts: readonly PlannedAct[], answered = 0) {
  const said: ProgressEvent[] = [];
  const count = createActCount();
  count.plan(acts, answered, (event) => said.push(event));
  return { count, last: () => said.at(-1), said };
}

describe('the acts of people', () => {
  test('are numbered as they begin; one that is asked again keeps its number', () => {
    const { count, last } = planned([act('a', 'one', 5), act('b', 'one', 9), act('b', 'two', 12)]);
    expect(last()).toEqual({ kind: 'acts', begun: 0, of: 3, before: 0, next: act('a', 'one', 5) });
    expect(count.begin(act('b', 'one'))).toEqual({ number: 1, of: 3 });
    expect(count.begin(act('a', 'one'))).toEqual({ number: 2, of: 3 });
    expect(count.begin(act('b', 'one'))).toEqual({ number: 1, of: 3 });
    expect(last()).toEqual({ kind: 'acts', begun: 2, of: 3, before: 0, next: act('b', 'two', 12) });
    count.begin(act('b', 'two'));
    expect(last()).toEqual({ kind: 'acts', begun: 3, of: 3, before: 0 });
  });

  test('of a step that is repeated count as often as they are planned', () => {
    const { count } = planned([act('a', 'one', 1), act('a', 'one', 2)]);
    expect([1, 2, 3].map(() => count.begin(act('a', 'one')).number)).toEqual([1, 2, 2]);
  });

  test('that an ended case did not need are dropped, and those that no plan has are added', () => {
    const { count, last } = planned([act('a', 'one'), act('a', 'two'), act('b', 'one')]);
    count.begin(act('a', 'one'));
    count.end('a');
    expect(last()).toMatchObject({ begun: 1, of: 2, next: { case: 'b' } });
    expect(count.begin(act('c', 'undo'))).toEqual({ number: 2, of: 3 });
  });

  test('go on from those that a run that was cut off has answered', () => {
    const { count, last } = planned([act('b', 'one')], 4);
    expect(last()).toMatchObject({ begun: 4, of: 5, before: 4 });
    expect(count.begin(act('b', 'one'))).toEqual({ number: 5, of: 5 });
  });

  test('are not told of where the run has none', () => {
    const { count, said } = planned([]);
    count.end('a');
    expect(said).toEqual([]);
  });

  test('that were answered count once each, and without an answer not at all', () => {
    const answered = (step: string, word = 'done', again = false) =>
      ({ step, action: 'deny', asked: '', answered: word, at: 0, try: again ? 'again' : 'first' }) as const;
    const cases = [{ acts: [answered('one'), answered('one', 'done', true), answered('two', 'cannot')] }, {}];
    expect(countAnswered([...cases, { acts: [answered('one', 'nothing'), answered('two', 'yes: it is')] }])).toBe(3);
  });
});
