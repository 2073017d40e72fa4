import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { secretEncodings } from './secret-index.ts';

const secret = fc.string({ unit: 'binary', minLength: 8, maxLength: 40 }).map((text) => text.toWellFormed());
const around = fc.string({ maxLength: 5 }).map((text) => text.toWellFormed());
const isFound = (one: string, text: string): boolean =>
  text.includes(one) || [...secretEncodings(one)].some((encoded) => text.includes(encoded));

describe('the encodings of a secret', () => {
  test.each<[string, (text: string) => string]>([
    ['base64', (text) => Buffer.from(text).toString('base64')],
    ['base64url', (text) => Buffer.from(text).toString('base64url')],
    ['percent escapes', encodeURIComponent],
    [
      'percent escapes in small letters',
      (text) => encodeURIComponent(text).replaceAll(/%../g, (one) => one.toLowerCase()),
    ],
    [
      'a form',
      (text) =>
        new URLSearchParams({ '': text })
          .toString()
          .slice(1)
          .replaceAll(/%(?:21|27|28|29|7E)/g, decodeURIComponent),
    ],
  ])('find it in %s, whatever stands beside it', (_, encode) => {
    const property = fc.property(around, secret, around, (before, one, after) => {
      expect(isFound(one, encode(`${before}${one}${after}`))).toBe(true);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('are no text that has nothing of it', () => {
    expect([...secretEncodings('hush-hush-hush')].filter((one) => !/^[\w+/-]{17,}$/.test(one))).toEqual([]);
    expect(secretEncodings('hush').size).toBe(0);
    // Six bytes are eight characters of base64, and seven at another offset.
    expect([...secretEncodings('hush-h')]).toEqual(['aHVzaC1o']);
  });
});
