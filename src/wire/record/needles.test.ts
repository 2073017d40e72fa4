import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceMatches } from './redaction-marks.ts';
import { createNeedles, findSecrets, minNeedleLength } from './secret-index.ts';

/** Index with a function that removes its secrets from a text. */
function open() {
  const needles = createNeedles();
  const replaceIn = (text: string): string | undefined => {
    const found = findSecrets(text, [needles, createNeedles()], { left: 1_000_000 });
    return found && replaceMatches(text, found);
  };
  return { ...needles, replaceIn };
}

function looking(...secrets: readonly string[]) {
  const needles = open();
  for (const [at, secret] of secrets.entries()) needles.add(secret, `[${at}]`);
  return needles;
}

/** Whether each character belongs to a secret, or to the beginning of one at the end, computed position by position. */
function covered(text: string, secrets: readonly string[]): readonly boolean[] {
  const is = Array.from({ length: text.length }, () => false);
  for (const secret of secrets)
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1))
      is.fill(true, at, at + secret.length);
  for (const secret of secrets)
    for (let length = minNeedleLength; length < secret.length; length += 1)
      if (text.endsWith(secret.slice(0, length))) is.fill(true, text.length - length);
  return is;
}

describe('what is looked for', () => {
  test('of those that begin alike the longest goes, and what overlaps goes with it', () => {
    const needles = looking('hush-hush', 'hush-hush-hush', 'overlapping');
    expect(needles.replaceIn('a hush-hush-hush b')).toBe('a [1] b');
    expect(needles.replaceIn('a hush-hush-overlapping b')).toBe('a [0]-[2] b');
    expect(looking('abcdefgh', 'efghijklmn').replaceIn('_abcdefghijklmn_')).toBe('_[0]_');
    expect(looking('hush-hush').replaceIn('hush-hush-hush')).toBe('[0]');
  });

  test('at the start, at the end, beside each other, and nowhere else', () => {
    const needles = looking('hush-hush');
    expect(needles.replaceIn('hush-hushhush-hush')).toBe('[0][0]');
    expect(needles.replaceIn('hush-hu')).toBe('hush-hu');
    expect(needles.replaceIn('hush-hus, and more')).toBe('hush-hus, and more');
    expect(needles.replaceIn('')).toBe('');
    expect(looking('hush-hush\0\0').replaceIn('hush-hush.')).toBe('hush-hush.');
  });

  test('nothing of a secret stays, and nothing else goes', () => {
    const letters = fc.constantFrom('a', 'b', '\u{1F600}', '\0');
    const secret = fc.string({ unit: letters, minLength: minNeedleLength, maxLength: 12 });
    const text = fc.string({ unit: letters, maxLength: 80 });
    const property = fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), fc.array(text), (secrets, texts) => {
      const whole = texts.join(secrets[0]);
      const known = covered(whole, secrets);
      const kept = [...Array(whole.length).keys()].filter((at) => known[at] === false).map((at) => whole.charAt(at));
      expect((looking(...secrets).replaceIn(whole) ?? '').replaceAll(/\[\d\]/g, '')).toBe(kept.join(''));
    });
    fc.assert(property, { numRuns: 300 });
  });
});

test('a text that ends in the beginning of one may have been cut', () => {
  const needles = looking('hush-hush-hush');
  expect(needles.replaceIn('a hush-hush-')).toBe('a [0]');
  expect(needles.replaceIn('a hush-hus')).toBe('a [0]');
  expect(needles.replaceIn('a hush-hu')).toBe('a hush-hu');
});

test('one that is removed is looked for no more, and leaves those that begin alike', () => {
  const needles = looking('hush-hush', 'hush-hush-hush');
  needles.remove('hush-hush');
  needles.remove('never added');
  expect(needles.replaceIn('hush-hush hush-hush-hush')).toBe('hush-hush [1]');
  needles.remove('hush-hush-hush');
  expect(needles.replaceIn('hush-hush hush-hush-hush')).toBe('hush-hush hush-hush-hush');
  expect(needles.add('hush-hush', '[2]')).toBe(true);
  expect(needles.replaceIn('a hush-hush b')).toBe('a [2] b');
});

describe('what is not looked for', () => {
  test('a short one, one that is known, and one too many, after which no text can be told from a secret', () => {
    const needles = open();
    expect([needles.add('7 chars', '[]'), looking().add('8 chars.', '[]')]).toEqual([false, true]);
    for (let at = 0; at < 5000; at += 1) expect(needles.add(`a secret ${at}`, '[]')).toBe(true);
    expect(needles.add('a secret 0', '[]')).toBe(false);
    expect(needles.replaceIn('innocent text')).toBe('innocent text');
    expect(needles.add('one too many', '[]')).toBe(false);
    expect(needles.replaceIn('innocent text')).toBeUndefined();
    expect(needles.replaceIn('short')).toBe('short');
  });

  test('a text in which each place nearly is each of many secrets', () => {
    const needles = looking(...Array.from({ length: 900 }, (_, at) => `${'a'.repeat(500)}${at}`));
    expect(needles.replaceIn('a'.repeat(100_000))).toBeUndefined();
    expect(needles.replaceIn('innocent text')).toBe('innocent text');
  });
});
