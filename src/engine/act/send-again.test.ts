import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { Message } from '../../model/exchange.ts';
import type { Conduct } from '../../testing/carriers/hand-carrier.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { retryAfter } from './repeat.ts';

test.each<[string, Record<string, string>, number]>([
  ['seconds', { 'retry-after': '7' }, 7],
  ['none', { 'retry-after': '0' }, 0],
  ['a date', { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30],
  ['a date that has passed', { 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
  ['no text that means a time', { 'retry-after': 'soon' }, 1],
  ['no header', {}, 1],
])('when a throttled request may go again: %s', (_, headers, seconds) =>
  expect(retryAfter({ headers, receivedAt: Date.parse('2026-03-01T12:00:00Z') / 1000 })).toBe(seconds),
);

const asked = `
  - { id: asked, title: A request is accepted, rule: REQ-001, steps: [{ as: request, authorize: {}, expect: accepted }] }
`;
const onTime = `
  - { id: on-time, title: A request is accepted at its moment, rule: REQ-001, steps: [
      { as: first, authorize: {}, expect: accepted }, { as: request, at: first + 1m, authorize: {}, expect: accepted }] }
`;

const throttled: Conduct = { status: 429, body: { error: 'temporarily_unavailable' } };
/** Throttles the request of this index. */
const throttling =
  (at: number) =>
  (_: JsonObject, index: number): Conduct =>
    index === at ? throttled : { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } };

/** Throttles the request of this index, which may come again seconds later. */
const throttlingFor =
  (seconds: string, when: (index: number) => boolean) =>
  (claims: JsonObject, index: number): Conduct =>
    when(index) ? { ...throttled, headers: { 'retry-after': seconds } } : throttling(-1)(claims, index);

const sends = (messages: readonly Message[] = []): readonly number[] =>
  messages.flatMap((one) => (one.kind === 'exchange' && one.step === 'request' ? [one.sentAt] : []));

/** Messages of the first attempt. */
const firstOf = (messages: readonly Message[] = []): readonly Message[] =>
  messages.filter(({ attempt }) => attempt === undefined);

/** Times between the requests of a step, in seconds. */
const gaps = (times: readonly number[]): readonly number[] =>
  times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 1000);

test('a throttled request goes again when the carrier wants it', async () => {
  const { cases } = await runYamlCases(asked, { conduct: throttling(0) });
  expect(cases['asked']?.verdict).toBe('pass');
  const [first = 0, second = 0] = sends(cases['asked']?.messages);
  expect(second - first).toBe(1000);
});

test('a request that is always throttled goes again six times, later and later, and says nothing', async () => {
  const { cases } = await runYamlCases(asked, { conduct: () => throttled });
  expect(cases['asked']?.verdict).toBe('inconclusive');
  const times = sends(firstOf(cases['asked']?.messages));
  expect(gaps(times)).toEqual([1, 1, 1, 4, 15, 40]);
});

test.each([
  ['60', [60]],
  ['61', []],
])('a throttled request waits for a Retry-After of %s s: %j', async (seconds, expected) => {
  const { cases } = await runYamlCases(asked, { conduct: throttlingFor(seconds, (index) => index === 0) });
  expect(gaps(sends(firstOf(cases['asked']?.messages)))).toEqual(expected);
});

test('a throttled request that has its moment goes again while it is in time', async () => {
  const { cases } = await runYamlCases(onTime, { conduct: throttling(1) });
  expect(cases['on-time']?.verdict).toBe('pass');
  expect(gaps(sends(cases['on-time']?.messages))).toEqual([1]);
});

test('a throttled request that has its moment does not go later, and the case runs a second time', async () => {
  const late = throttlingFor('3', (index) => index === 1);
  const { cases: twice } = await runYamlCases(onTime, { conduct: late });
  expect(twice['on-time']?.verdict).toBe('pass');
  expect(sends(twice['on-time']?.messages)).toHaveLength(2);
  expect(twice['on-time']?.messages.map(({ attempt }) => attempt)).toEqual([undefined, undefined, 'later', 'later']);
});

test('on a virtual clock a case whose moment is throttled each time runs again twenty times, and each message has its own id', async () => {
  const late = (heard: number) => throttlingFor('3', (index) => index % 2 === 1 && index < heard);
  const { cases } = await runYamlCases(onTime, { conduct: late(11) });
  expect(cases['on-time']?.verdict).toBe('pass');
  const ids = cases['on-time']?.messages.map(({ id }) => id) ?? [];
  expect(ids).toHaveLength(12);
  expect(new Set(ids).size).toBe(12);
  expect(ids.at(-1)).toBe('on-time#later-5-x2');
  const { cases: never } = await runYamlCases(onTime, { conduct: late(100) });
  expect(never['on-time']?.verdict).toBe('inconclusive');
  expect(never['on-time']?.messages).toHaveLength(42);
});

test.each([
  ['600', 'pass', 2],
  ['3601', 'inconclusive', 2],
])(
  'on a virtual clock a case runs again after a Retry-After of %s s, of an hour at most',
  async (seconds, verdict, sent) => {
    // Its limiter is one of the carrier's clock: what comes earlier than asked is throttled too.
    let first: number | undefined;
    const conduct = (claims: JsonObject, index: number): Conduct => {
      const issued = Number(claims['iat']);
      first ??= issued;
      return issued < first + Number(seconds)
        ? { ...throttled, headers: { 'retry-after': seconds } }
        : throttling(-1)(claims, index);
    };
    const { cases } = await runYamlCases(asked, { conduct });
    expect(cases['asked']?.verdict).toBe(verdict);
    expect(sends(cases['asked']?.messages)).toHaveLength(sent);
  },
);

test('a case that waits a minute for another step runs again once', async () => {
  const { cases } = await runYamlCases(asked, { conduct: () => throttled });
  expect(cases['asked']?.verdict).toBe('inconclusive');
  expect(sends(cases['asked']?.messages)).toHaveLength(14);
});

test('what an earlier step sent is not sent again when it was throttled, and the case runs again', async () => {
  const replayed = `
  - { id: replayed, title: A request object is refused the second time, rule: REQ-001, steps: [
      { as: first, control: true, authorize: {} }, { as: request, authorize: { again: first }, expect: denied }] }
`;
  const refused: Conduct = { status: 400, body: { error: 'invalid_request_object' } };
  const conduct = (claims: JsonObject, index: number): Conduct => {
    if (index === 1) return throttled;
    return index === 3 ? refused : throttling(-1)(claims, index);
  };
  const { cases } = await runYamlCases(replayed, { conduct, confirm: false });
  expect(cases['replayed']?.verdict).toBe('pass');
  expect(sends(firstOf(cases['replayed']?.messages))).toHaveLength(1);
  expect(cases['replayed']?.messages.map(({ id }) => id)).toEqual([
    'replayed#x1',
    'replayed#x2',
    'replayed#later-x1',
    'replayed#later-x2',
  ]);
});

test('a throttled request that is exact to the second goes again at once', async () => {
  const exact = onTime.replace('rule:', 'requires: [virtual-clock], rule:');
  const { cases } = await runYamlCases(exact, { conduct: throttlingFor('1', (index) => index === 1) });
  expect(cases['on-time']?.verdict).toBe('pass');
  expect(gaps(sends(cases['on-time']?.messages))).toEqual([0]);
});

const atOnce = `
  - { id: at-once, title: Four requests at once are accepted, rule: REQ-001, steps: [
      { as: request, authorize: {}, times: 4, together: true, expect: accepted }] }
`;

test.each([
  ['two of four are always throttled: the others are judged', 2, 'pass'],
  ['three of four are: one alone says nothing of all at once', 1, 'inconclusive'],
])('%s', async (_, heard, verdict) => {
  const conduct = (claims: JsonObject, index: number): Conduct =>
    index < heard ? throttling(-1)(claims, index) : throttled;
  const { cases } = await runYamlCases(atOnce, { conduct });
  expect(cases['at-once']).toMatchObject({ verdict });
  expect(sends(firstOf(cases['at-once']?.messages))).toHaveLength(heard + 7 * (4 - heard));
});

describe('a step that has a last moment', () => {
  const soon = (by: string): string => `
  - { id: soon, title: A request is accepted soon after another, rule: REQ-001, steps: [
      { as: first, authorize: {}, expect: accepted }, { at: first + 1m, authorize: {}, expect: accepted },
      { as: request, by: first + ${by}, authorize: {}, expect: accepted }] }
`;

  test('means something while it is in time', async () => {
    const { cases } = await runYamlCases(soon('1m5s'));
    expect(cases['soon']?.verdict).toBe('pass');
  });

  test('means nothing when it goes out later', async () => {
    const { cases } = await runYamlCases(soon('59s'));
    expect(cases['soon']).toMatchObject({
      verdict: 'inconclusive',
      reason: 'step request went out 1.0 s after the last moment for it',
    });
  });

  test('does not go again when it was throttled for longer, and the case runs a second time', async () => {
    const late = throttlingFor('30', (index) => index === 2);
    const { cases } = await runYamlCases(soon('1m5s'), { conduct: late });
    expect(cases['soon']?.verdict).toBe('pass');
    expect(sends(firstOf(cases['soon']?.messages))).toHaveLength(1);
    expect(sends(cases['soon']?.messages)).toHaveLength(2);
  });
});

const undetermined = `
  - { id: undetermined, title: A request of one subscriber gets 503 each time, rule: REQ-001, steps: [
      { as: request, authorize: {}, expect: { status: [4xx, 503] } }] }
`;

test('a 503 that comes each time is an answer where the step names its number, and one that passes is none', async () => {
  const unable: Conduct = { status: 503, headers: { 'retry-after': '1' }, body: { error: 'server_error' } };
  const { cases: always } = await runYamlCases(undetermined, { conduct: () => unable });
  expect(always['undetermined']?.verdict).toBe('pass');
  expect(sends(always['undetermined']?.messages)).toHaveLength(7);
  const passes = (claims: JsonObject, index: number): Conduct => (index === 0 ? unable : throttling(-1)(claims, index));
  const { cases: once } = await runYamlCases(undetermined, { conduct: passes });
  expect(once['undetermined']?.verdict).not.toBe('pass');
});
