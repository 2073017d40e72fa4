import { expect, test } from 'vitest';
import { detailOf } from './flags.ts';

test('quiet and verbose exclude each other', () => {
  expect(detailOf({ quiet: false, verbose: false })).toBe('usual');
  expect(detailOf({ quiet: true, verbose: false })).toBe('quiet');
  expect(detailOf({ quiet: false, verbose: true })).toBe('verbose');
  expect(() => detailOf({ quiet: true, verbose: true })).toThrow('--quiet and --verbose exclude each other');
});
