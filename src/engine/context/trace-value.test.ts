import { expect, test } from 'vitest';
import { createDraws } from './drawn.ts';
import { traceValue } from './exchange.ts';

const { random } = createDraws();
const twice = (header: string) => [traceValue(header, random), traceValue(header, random)];

test('a random value for each request', () => {
  const [one, other] = twice('X-Request-ID');
  expect(one).toMatch(/^[\da-f]{16}$/);
  expect(other).not.toBe(one);
});

test('a header of the W3C has the form of the W3C', () => {
  const [one, other] = twice('Traceparent');
  expect(one).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  expect(other?.slice(3, 35)).not.toBe(one?.slice(3, 35));
});
