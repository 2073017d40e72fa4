import { expect, test } from 'vitest';
import { buildCase, buildDelivery, buildExchange } from '../../testing/result.ts';
import { forgetLostBodies } from './same-bodies.ts';

/** A body that is said to be equal to one of another case. */
const body = (sameAs: string) => ({ headers: [], body: 'cut', bytes: 90_000, truncated: true as const, sameAs });

function sayings(replaced: readonly string[]): readonly (string | undefined)[] {
  const cases = [
    buildCase({
      id: 'a',
      messages: [buildExchange({ request: body('b#x1'), response: { status: 200, ...body('c#x1') } })],
    }),
    buildCase({
      id: 'b',
      messages: [buildDelivery({ request: body('a#d1') }), buildDelivery({ request: body('b#d1') })],
    }),
    buildCase({ id: 'c' }),
  ];
  const kept = forgetLostBodies(cases, new Set(replaced)).flatMap(({ messages }) => messages);
  return kept.flatMap((message) => [
    message.request.sameAs,
    ...(message.kind === 'exchange' ? [message.response?.sameAs] : []),
  ]);
}

test('an equal body is named where it is of the same run', () => {
  expect(sayings([])).toEqual(expect.arrayContaining(['b#x1', 'c#x1', 'a#d1', 'b#d1']));
  expect(sayings(['a', 'b', 'c'])).toEqual(sayings([]));
});

test('one that was replaced, or came from the other run, is named no more', () => {
  expect(sayings(['b']).filter((one) => one !== undefined)).toEqual(['c#x1', 'b#d1']);
  expect(sayings(['a', 'b']).filter((one) => one !== undefined)).toEqual(['b#x1', 'a#d1', 'b#d1']);
});

test('what is left of it stays', () => {
  const [first] = forgetLostBodies(
    [buildCase({ id: 'a', messages: [buildExchange({ request: body('b#x1') })] })],
    new Set(['a']),
  );
  expect(first?.messages[0]?.request).toEqual({ headers: [], body: 'cut', bytes: 90_000, truncated: true });
});
