import { describe, expect, test } from 'vitest';
import { loadShipped } from '../../testing/parts/shipped-suites.ts';
import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { loadCases } from '../../testing/parts/load-text.ts';
import { caseRisks } from './risks.ts';

const risksOf = caseRisks(testedInterface.verbs);

const own = '{ client: main }';
const step = (act: string, rest = 'expect: answered'): string =>
  `  - { id: one, title: It sends, rule: REQ-001, steps: [{ ${act}, ${rest} }] }\n`;
const authorize = (difference: string, rest?: string): string => step(`authorize: ${difference}`, rest);
const triggered = (action: string): string => authorize(own, `expect: answered }, { trigger: ${action}`);
const hint = (value: string): string => authorize(`{ claims: { login_hint: ${value} } }`);

describe('risks of a case come from what it sends and triggers', () => {
  test.each<[string, yaml: string, risks: readonly string[]]>([
    ['a plain request', authorize(own), []],
    ['a hint of the target file', hint('"{{ subscriber.phone }}"'), []],
    ['one of another subscriber', hint('"{{ subscribers.second.subs.second }}"'), []],
    ['an empty one, and one of another type', hint('""') + hint('5').replace('one', 'two'), []],
    ['a phone number', hint('"+12025550143"'), ['strangers']],
    ['a subscriber changed', hint('"{{ subscriber.phone }}0"'), ['strangers']],
    ['a subscriber cut', hint('"{{ cut(subscriber.phone, 1) }}"'), ['strangers']],
    ['a hint as raw JSON', authorize(`{ raw: { login_hint: '"+12025550143"' } }`), ['strangers']],
    ['a hint in a text', authorize(`{ append: '"login_hint":"{{ subscriber.sub }}0"' }`), ['strangers']],
    ['a token beside it', authorize('{ drop: [login_hint], claims: { login_hint_token: x } }'), []],
    ['a query about a stranger', step('usertrait: { members: { sub: "{{ target.mccmnc }}-1" } }'), ['strangers']],
    ['one about a subscriber', step('usertrait: { members: { sub: "{{ subscriber.sub }}" } }'), []],
    ['19 in turn', authorize(own, 'times: 19, expect: answered'), []],
    ['20 in turn', authorize(own, 'times: 20, expect: answered'), ['floods']],
    ['two at once', authorize(own, 'times: 2, together: true, expect: answered'), ['floods']],
    ['a value of 8,190 characters', authorize(`{ claims: { x: "{{ repeat('a', 8190) }}" } }`), []],
    ['one of 8,191 in quotes', authorize(`{ claims: { x: "{{ repeat('a', 8191) }}" } }`), ['floods']],
    ['a long one around the object', authorize(`{ text: "{{ jws }}{{ repeat('[', 9000) }}" }`), ['floods']],
    ['a stalled body', authorize('{ writing: body-stalled }'), ['floods']],
    ['another writing', authorize('{ writing: host-twice }'), []],
    [
      'a long value in a row',
      authorize('{}').replace('steps', `each: { a: { with: { x: "{{ repeat('a', 9000) }}" } } }, steps`),
      ['floods'],
    ],
    ['a flag', triggered('{ action: set-flag, with: { flag: ial, on: true } }'), ['changes']],
    ['a key of the carrier', triggered('rotate-keys'), ['changes']],
    ['a subscriber, whose phone the testers have', triggered('move-sim'), []],
  ])('%s', async (_, yaml, risks) => {
    const cases = await loadCases(yaml);
    expect([...new Set(cases.flatMap(risksOf))]).toEqual(risks);
  });
});

test('shipped cases of each kind are found, and none that only asks for what a user may', async () => {
  const { cases } = (await loadShipped()).suites;
  const byId = new Map(cases.map((given) => [given.id, risksOf(given)]));
  expect(byId.get('phone-number-almost-of-a-subscriber/shorter')).toEqual(['strangers']);
  expect(byId.get('phone-numbers-alike')).toEqual(['strangers', 'floods']);
  expect(byId.get('hundred-pending-requests')).toEqual(['floods']);
  expect(byId.get('other-form-than-a-compact-jws/compressed')).toEqual(['floods']);
  expect(byId.get('body-that-inflates')).toEqual(['floods']);
  expect(byId.get('key-set-through-a-rotation')).toEqual(['changes']);
  expect(byId.get('success-callback-members')).toEqual([]);
});
