import { expect, test } from 'vitest';
import { nearest, suggestion } from './suggest.ts';

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
])('%s', (name, expected) => expect(nearest(name, names)).toBe(expected));

test('few names are all listed, many are not', () => {
  expect(suggestion('xyz', names)).toBe('known: claims, client, drop, dropHeader, key, now');
  expect(
    suggestion(
      'xyz',
      Array.from({ length: 25 }, (_, index) => `name${index}`),
    ),
  ).toBeUndefined();
  expect(suggestion('xyz', [])).toBeUndefined();
});
