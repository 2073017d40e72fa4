import { expect, test } from 'vitest';
import { suggestionHint, nearestName, findNearNames, suggestKnown } from './suggestion.ts';

const names = ['claims', 'client', 'drop', 'dropHeader', 'key', 'now'];

test.each([
  ['claim', 'claims'],
  ['clams', 'claims'],
  ['clietn', 'client'],
  ['nwo', 'now'],
  ['dropHead', 'dropHeader'],
  ['dropH', 'drop'],
  ['cl', undefined],
  ['ky', 'key'],
  ['xyz', undefined],
  ['', undefined],
])('%s', (name, expected) => expect(nearestName(name, names)).toBe(expected));

test('few names are all listed, many are not', () => {
  expect(suggestKnown('xyz', names)).toBe('known: claims, client, drop, dropHeader, key, now');
  expect(
    suggestKnown(
      'xyz',
      Array.from({ length: 26 }, (_, index) => `name${index}`),
    ),
  ).toBeUndefined();
  expect(suggestKnown('xyz', [])).toBeUndefined();
});

test('without a near name, names that contain the word are suggested', () => {
  const faults = [
    'jti-kept-2-minutes',
    'jti-never-kept',
    'iat-not-checked',
    'jti-kept-4-minutes',
    'jti-kept-5-minutes',
  ];
  expect(findNearNames('Kept minutes', faults)).toEqual([
    'jti-kept-2-minutes',
    'jti-kept-4-minutes',
    'jti-kept-5-minutes',
  ]);
  expect(findNearNames('iat-not-cheked', faults)).toEqual(['iat-not-checked']);
  expect(findNearNames('--', faults)).toEqual([]);
  const cases = ['jti-again-to-the-second', 'jti-absent', 'jti-again-after-4m30s'];
  expect(findNearNames('jti-agian', cases)).toEqual(['jti-again-to-the-second', 'jti-again-after-4m30s']);
  expect(findNearNames('jta', cases)).toEqual([]);
  const many = [...faults, ...Array.from({ length: 25 }, (_, index) => `name${index}`)];
  expect(suggestKnown('never', many)).toBe('did you mean "jti-never-kept"?');
});

test('a hint contains all given names', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(suggestionHint)).toEqual([
    undefined,
    'did you mean a?',
    'did you mean a or b?',
    'did you mean a, b or c?',
  ]);
});
