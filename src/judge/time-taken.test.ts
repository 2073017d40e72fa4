import { expect, test } from 'vitest';
import { buildResponse } from '../testing/seen.ts';
import { judgeTime } from './time-taken.ts';

test.each([
  ['in time', 10, 0, []],
  ['in time to a tenth', 10.04, 0, []],
  ['in time whatever our lag', 9.9, 3, []],
  ['late', 10.1, 0, [{ expected: 'an answer within 10 s', actual: '10.1 s' }]],
  ['late whatever our lag', 10.9, 0.5, [{ expected: 'an answer within 10 s', actual: '10.9 s' }]],
])('an answer that came %s', (_, took, lag, found) => {
  expect(judgeTime(took, buildResponse({ lag }), 10)).toEqual(found);
});

test('our own lag decides: nothing is said', () => {
  const judge = (): unknown => judgeTime(10.3, buildResponse({ lag: 0.4 }), 10);
  expect(judge).toThrow('the answer took 10.3 s, of which our own lag may be up to 0.40 s');
});
