import { describe, expect, test } from 'vitest';
import { outcomes } from '../../../model/outcome.ts';
import {
  acceptedStep,
  suiteHead,
  loadCases,
  loadText,
  oneCase,
  standingInvariant,
} from '../../../testing/parts/load-text.ts';
import { expectationKeys } from '../../../suite/expectations/expectations.ts';
import { neutralVerbs } from '../../../engine/neutral-verbs.ts';
import { serverInitiated } from '../interface.ts';
import { describeAct } from '../../../suite/verbs/verb.ts';

const verbTable = serverInitiated.verbs;

describe.each(verbTable.map((definition) => [definition.verb, definition] as const))('%s', (_verb, definition) => {
  test('names outcomes and keys of expect that exist', () => {
    expect(definition.outcomes.filter((outcome) => !outcomes.includes(outcome))).toEqual([]);
    expect(definition.expectations.filter((key) => !Object.hasOwn(expectationKeys, key))).toEqual([]);
  });

  test('shares a key with another verb only where it is the same key', () => {
    for (const other of verbTable) {
      for (const [key, shape] of Object.entries(definition.keys)) expect(other.keys[key] ?? shape).toBe(shape);
    }
  });

  test('leaves its words to later steps, and has no others', () => {
    expect(definition.members).toContain('summary');
    expect(new Set(definition.members).size).toBe(definition.members.length);
  });
});

test('every outcome belongs to a verb', () => {
  const named = new Set(verbTable.flatMap((definition) => definition.outcomes));
  expect(outcomes.filter((outcome) => !named.has(outcome))).toEqual([]);
});

test('acts are described by their own verb', async () => {
  const [found] = await loadCases(`  - { id: one, title: One, rule: REQ-001, steps: [
      { as: first, authorize: { claims: { jti: "{{ now }}", n: [1] }, drop: [sub], key: second }, expect: accepted },
      { look: card, of: first }, { trigger: { action: approve, of: first, with: { scopes: [openid] }, ifPossible: true } },
      { await: callback, until: first + 4m, of: first }, { sign: { base: client-assertion, alg: none } },
      { usertrait: { proof: { absent: true } } }, { http: { to: token, form: { code: x } } }] }
`);
  const show = (value: unknown) => JSON.stringify(value);
  expect(found?.steps.map(({ act }) => describeAct(act, verbTable, show))).toEqual([
    {
      act: 'a request object is sent',
      details: ['claims.jti = "{{ now }}"', 'claims.n = [1]', 'without claims.sub', 'signed with the key second'],
    },
    { act: 'the tester looks at the card on the phone (of step first)', details: [] },
    {
      act: 'the subscriber approves the request on the phone (of step first), if that is possible',
      details: ['with scopes = ["openid"]'],
    },
    { act: 'callbacks are awaited (of step first) until first + 4m', details: [] },
    { act: 'a client assertion is signed, and not sent', details: ['signed with the algorithm none'] },
    { act: 'a usertrait request is sent', details: ['the proof of possession: left out'] },
    { act: 'POST to the token endpoint', details: ['form: code = "x"'] },
  ]);
});

test('a suite has the verbs of the table it is loaded with', async () => {
  const { problems } = await loadText(
    { 'area/a.suite.yaml': suiteHead + oneCase(acceptedStep) + standingInvariant },
    neutralVerbs(serverInitiated),
  );
  expect(problems.map(({ message, hint }) => [message, hint])).toEqual([
    ['this step has no verb', 'a step has exactly one of trigger, rest, await, http'],
    [
      'unknown key "authorize" in a step',
      'known: as, at, by, trigger, rest, await, http, of, until, client, subscriber, event, times, together, interleave, near, over, expect, rule, record, control, parallel',
    ],
    ['REQ-001 is said to be judged by cases, yet no case judges it', undefined],
  ]);
});
