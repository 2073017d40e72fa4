import { expect, test } from 'vitest';
import { createRandomDraws } from './random-draws.ts';

test('what was drawn is known again, wherever it stands in a value', () => {
  const { random, isDrawn } = createRandomDraws();
  const digits = random(8);
  expect(digits).toMatch(/^[\da-f]{16}$/);
  for (const value of [digits, `state-${digits}`, `0${digits}f`, `${random(8)}${random(8)}`])
    expect(isDrawn(value)).toBe(true);
  expect(isDrawn(random(20))).toBe(true);
});

test('what was not drawn, or is too short to tell, is not', () => {
  const { random, isDrawn } = createRandomDraws();
  const short = random(4);
  const other = createRandomDraws().random(8);
  for (const value of [short, other, '', '0123456789abcdef0123456789abcdef', 'x'.repeat(1024), random(8).slice(1)])
    expect(isDrawn(value)).toBe(false);
});

test('all of 16 digits have to be those that were drawn', () => {
  const { random, isDrawn } = createRandomDraws();
  const digits = random(8);
  const other = digits.endsWith('0') ? '1' : '0';
  expect([isDrawn(digits), isDrawn(`${digits.slice(0, 15)}${other}`)]).toEqual([true, false]);
});

test('the last 50,000 draws are known, and old ones are forgotten', () => {
  const { random, isDrawn } = createRandomDraws();
  const draws = Array.from({ length: 100_000 }, () => random(8));
  const known = draws.map(isDrawn);
  expect(known.slice(-50_000)).not.toContain(false);
  expect(known.slice(0, 50_000)).not.toContain(true);
});
