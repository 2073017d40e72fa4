import { expect, test } from 'vitest';
import { buildQuestion } from '../testing/pages/live-page.ts';
import { createDesk, type Desk } from './desk.ts';
import { deskView } from './live.ts';

const nothing = (): void => undefined;
const viewOf = (desk: Desk) => deskView(desk, { now: 0, people: 1 });

test.each([
  ['Remove the consent (scopes: ["openid","name"])', 'Remove the consent (scopes: "openid", "name")'],
  ['is it so that the list of scopes is ["openid"]?', 'is it so that the list of scopes is "openid"?'],
  ['the list is [] and [1,2] and ["a", and ["b\\"c"]', 'the list is [] and [1,2] and ["a", and ["b\\"c"]'],
])('%s is shown as %s', (description, shown) => {
  const desk = createDesk({ now: Date.now, onChange: nothing });
  void desk.operatorWith(undefined).ask(buildQuestion({ description }), new AbortController().signal);
  expect(viewOf(desk).questions[0]?.description).toBe(shown);
});

test('a card has one deadline: what comes first, and nothing of a request that had expired when it was asked', () => {
  const desk = createDesk({ now: () => 1000, onChange: nothing });
  const ask = desk.operatorWith(undefined).ask;
  const { signal } = new AbortController();
  for (const expires of [31_000, 90_000, 1000]) void ask(buildQuestion({ timeout: 60_000, expires }), signal);
  void ask(buildQuestion({ timeout: 60_000 }), signal);
  const { questions } = viewOf(desk);
  expect(questions.map(({ due }) => due)).toEqual([31_000, 61_000, 61_000, 61_000]);
  for (const one of questions) expect(one).not.toHaveProperty('expires');
});

test('a card has the mark of its action and its number', () => {
  const desk = createDesk({ now: Date.now, onChange: nothing });
  const mark = { word: 'Deny', done: 'I denied it', tone: 'bad' } as const;
  void desk
    .operatorWith(undefined)
    .ask(buildQuestion({ mark, place: { number: 5, of: 596 } }), new AbortController().signal);
  expect(viewOf(desk).questions[0]).toMatchObject({ mark, place: '5 of 596' });
});

test('a card says why it is asked again, first, and no case where its words would mislead', () => {
  const desk = createDesk({ now: Date.now, onChange: nothing });
  const { ask } = desk.operatorWith(undefined);
  const { signal } = new AbortController();
  const { about: _, ...misleading } = buildQuestion();
  void ask(buildQuestion({ again: 'It came out \u001b[2Jotherwise' }), signal);
  void ask({ ...misleading, phone: '2' }, signal);
  const labels = viewOf(desk).questions.map(({ facts }) => facts.map(([label]) => label));
  expect(labels).toEqual([
    ['asked again', 'phone', 'SP', 'request', 'case'],
    ['phone', 'SP', 'request'],
  ]);
  expect(viewOf(desk).questions[0]?.facts[0]?.[1]).toBe('It came out \\u{1b}[2Jotherwise');
});
