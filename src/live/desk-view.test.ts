import { expect, test } from 'vitest';
import { buildQuestion } from '../testing/pages/live-page.ts';
import { createDesk } from './desk.ts';
import { deskView } from './live.ts';

const nothing = (): void => undefined;

test.each([
  ['Remove the consent (scopes: ["openid","name"])', 'Remove the consent (scopes: "openid", "name")'],
  ['is it so that the list of scopes is ["openid"]?', 'is it so that the list of scopes is "openid"?'],
  ['the list is [] and [1,2] and ["a", and ["b\\"c"]', 'the list is [] and [1,2] and ["a", and ["b\\"c"]'],
])('%s is shown as %s', (description, shown) => {
  const desk = createDesk({ now: Date.now, onChange: nothing });
  void desk.operatorWith(undefined).ask(buildQuestion({ description }), new AbortController().signal);
  expect(deskView(desk, 0).questions[0]?.description).toBe(shown);
});

test('a view says until when an answer is taken, and when the request expires', () => {
  const desk = createDesk({ now: () => 1000, onChange: nothing });
  const ask = desk.operatorWith(undefined).ask;
  const { signal } = new AbortController();
  void ask(buildQuestion({ timeout: 60_000, expires: 31_000 }), signal);
  void ask(buildQuestion({ timeout: 60_000, phone: '2' }), signal);
  const [first, second] = deskView(desk, 0).questions;
  expect([first?.due, first?.expires, second?.due, second?.expires]).toEqual([61_000, 31_000, 61_000, undefined]);
});

test('a card says why it is asked again, first, and no case where its words would mislead', () => {
  const desk = createDesk({ now: Date.now, onChange: nothing });
  const { ask } = desk.operatorWith(undefined);
  const { signal } = new AbortController();
  const { about: _, ...misleading } = buildQuestion();
  void ask(buildQuestion({ again: 'It came out \u001b[2Jotherwise' }), signal);
  void ask({ ...misleading, phone: '2' }, signal);
  const labels = deskView(desk, 0).questions.map(({ facts }) => facts.map(([label]) => label));
  expect(labels).toEqual([
    ['asked again', 'phone', 'SP', 'request', 'case'],
    ['phone', 'SP', 'request'],
  ]);
  expect(deskView(desk, 0).questions[0]?.facts[0]?.[1]).toBe('It came out \\u{1b}[2Jotherwise');
});
