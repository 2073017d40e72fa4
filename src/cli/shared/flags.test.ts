import { expect, test } from 'vitest';
import { chooseDetail } from './flags.ts';

test('quiet and verbose exclude each other', () => {
  expect(chooseDetail({ quiet: false, verbose: false })).toBe('brief');
  expect(chooseDetail({ quiet: true, verbose: false })).toBe('quiet');
  expect(chooseDetail({ quiet: false, verbose: true })).toBe('whole');
  expect(() => chooseDetail({ quiet: true, verbose: true })).toThrow('--quiet and --verbose exclude each other');
});
