import { expect, test } from 'vitest';
import type { SendResult } from '../../wire/send/send-result.ts';
import { createCircuits, describeSilence, type SilentEndpoint } from './circuit.ts';

const url = 'https://carrier.test/bc-authorize';
const late: SendResult = { noResponse: { reason: 'timeout', detail: 'no response within 30 s' } };
const reset: SendResult = { noResponse: { reason: 'reset', detail: 'socket hang up' } };
const answer: SendResult = { response: { status: 500, headers: [], body: Buffer.alloc(0), bytes: 0 } };

function open() {
  const told: SilentEndpoint[] = [];
  let now = 0;
  const circuits = createCircuits(
    (endpoint) => told.push(endpoint),
    () => now,
  );
  const note = (sent: SendResult, of = url, sentAt = now): void => circuits.note(of, sentAt, sent);
  return { circuits, told, note, pass: (milliseconds: number) => (now += milliseconds) };
}

test('four requests in a row without an answer in time: nothing more goes there', () => {
  const { circuits, note, told } = open();
  for (let at = 0; at < 3; at += 1) note(late);
  expect(circuits.silent(url)).toBeUndefined();
  note(late);
  expect(circuits.silent(`${url}?a=b`)).toEqual({ url, unanswered: 4, never: true });
  expect(circuits.silent('https://carrier.test/userinfo')).toBeUndefined();
  note(late);
  expect(told).toEqual([{ url, unanswered: 4, never: true }]);
});

test('one more request goes there after half a minute, and its answer ends the silence', () => {
  const { circuits, note, pass } = open();
  for (let at = 0; at < 4; at += 1) note(late);
  pass(29_999);
  expect(circuits.silent(url)).toBeDefined();
  pass(1);
  expect(circuits.silent(url)).toBeUndefined();
  expect(circuits.silent(url)).toBeDefined();
  note(answer);
  expect(circuits.silent(url)).toBeUndefined();
});

test('what was sent before the last answer came says nothing of the time after it', () => {
  const { circuits, note, pass } = open();
  pass(100);
  note(answer);
  for (let at = 0; at < 9; at += 1) note(late, url, 50);
  expect(circuits.silent(url)).toBeUndefined();
  pass(100);
  for (let at = 0; at < 4; at += 1) note(late);
  const silent = circuits.silent(url);
  expect(silent).toEqual({ url, unanswered: 4, never: false });
  expect(silent && describeSilence(silent)).toBe(`${url} has not answered the last 4 requests in time`);
});

test.each([
  ['a reset', reset],
  ['an answer', answer],
])('%s takes no time, and is no silence', (_, sent) => {
  const { circuits, note } = open();
  for (let at = 0; at < 3; at += 1) note(late);
  note(sent);
  note(late);
  expect(circuits.silent(url)).toBeUndefined();
});

test('each further silence doubles the pause, up to ten minutes', () => {
  const { circuits, note, pass } = open();
  for (let at = 0; at < 4; at += 1) note(late);
  for (const seconds of [30, 60, 120, 240, 480, 600, 600]) {
    pass(seconds * 1000 - 1);
    expect(circuits.silent(url)).toBeDefined();
    pass(1);
    expect(circuits.silent(url)).toBeUndefined();
    note(late);
  }
});
