import { expect, test } from 'vitest';
import { createDraws } from './drawn.ts';
import { traceValue } from './trace-value.ts';

const { random } = createDraws();
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const twice = (given: Parameters<typeof traceValue>[0]) => [traceValue(given, random), traceValue(given, random)];

test('without a trace, a random value for each request', () => {
  const [one, other] = twice({ header: 'X-Request-ID', traceId: undefined });
  expect(one).toMatch(/^[\da-f]{16}$/);
  expect(other).not.toBe(one);
});

test('in a trace, a span of it for each request, whatever the name of the header', () => {
  const [one, other] = twice({ header: 'X-Request-ID', traceId });
  expect(one).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-01$/);
  expect(other).not.toBe(one);
});

test('a header of the W3C has the form of the W3C without a trace too', () => {
  const [one, other] = twice({ header: 'Traceparent', traceId: undefined });
  expect(one).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  expect(other?.slice(3, 35)).not.toBe(one?.slice(3, 35));
});
