import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { Conduct } from '../../testing/carriers/hand-carrier.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

const copies = `
  - { id: copies, title: At most one of five copies is taken up, rule: REQ-001, steps: [
      { as: object, sign: { base: request-object } },
      { as: copies, authorize: { again: object }, times: 5, together: true, expect: at-most-one },
      { as: after, authorize: {}, expect: accepted }] }
`;

/** Accepts one of the copies, and all later requests. */
const accepting =
  (taken: number) =>
  (_: JsonObject, index: number): Conduct => {
    const id = `ccid-0000000000${index}`;
    const body = { auth_req_id: id, expires_in: 300 };
    if (index >= 5) return { body };
    if (index !== taken) return { status: 400, body: { error: 'invalid_request', correlation_id: id } };
    const tokens = { auth_req_id: id, access_token: 'a', id_token: 'b', token_type: 'bearer' };
    return { body, callbacks: [{ after: 1, body: tokens }] };
  };

test.each([0, 2, 4])('of copies sent together, the tokens of any one end the wait: of %i', async (taken) => {
  const { cases } = await runYamlCases(copies, { conduct: accepting(taken) });
  const { verdict, startedAt = 0, messages = [] } = cases['copies'] ?? {};
  expect(verdict).toBe('pass');
  const sent = messages.flatMap((one) => (one.kind === 'exchange' && one.step === 'after' ? [one.sentAt] : []));
  expect(sent).toEqual([startedAt + 1000]);
});

test('a repetition reads what came of an earlier repeated step the same time', async () => {
  const yaml = `
  - { id: each-its-own, title: Each request has the state that was made for it, rule: REQ-001, steps: [
      { as: made, sign: { claims: { state: "{{ fresh() }}" } }, times: 3 },
      { as: requests, authorize: { claims: { state: "{{ made.claims.state }}" } }, times: 3, expect: accepted },
      { authorize: { claims: { state: "{{ made.claims.state }}" } }, expect: accepted }] }
`;
  const states: unknown[] = [];
  const conduct = ({ state }: JsonObject, index: number): Conduct => {
    states.push(state);
    return { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } };
  };
  const { cases } = await runYamlCases(yaml, { conduct });
  expect(cases['each-its-own']?.verdict).toBe('pass');
  const [first, second, third, after] = states;
  expect(new Set([first, second, third]).size).toBe(3);
  expect(after).toBe(third);
});

test.each([
  [0, 'fail'],
  [1, 'fail'],
  [2, 'fail'],
  [5, 'pass'],
] as const)(
  'of repetitions that must be denied or dropped, the one at %i brings tokens: %s',
  async (taken, verdict) => {
    const yaml = `
  - { id: repeated, title: A request is denied or dropped three times, rule: REQ-001, steps: [
      { authorize: {}, times: 3, expect: denied-or-dropped }, { control: true, authorize: {}, expect: accepted }] }
`;
    const conduct = (claims: JsonObject, index: number): Conduct =>
      index === 3 ? { body: { auth_req_id: 'ccid-00000000003', expires_in: 300 } } : accepting(taken)(claims, index);
    const { cases } = await runYamlCases(yaml, { conduct, confirm: false });
    expect(cases['repeated']?.verdict).toBe(verdict);
  },
);

test('each exchange of two interleaved steps has values of its own: none is a replay of another (C7.16)', async () => {
  const yaml = `
  - { id: beside-each-other, title: Two requests are made in turn, rule: REQ-001, steps: [
      { as: one, authorize: { claims: { jti: "{{ fresh() }}" } }, expect: accepted },
      { as: other, authorize: { claims: { jti: "{{ fresh() }}" } }, times: 5, interleave: one, expect: accepted }] }
`;
  const seen: unknown[] = [];
  const conduct = ({ jti }: JsonObject, index: number): Conduct => {
    seen.push(jti);
    return { body: { auth_req_id: `ccid-0000000000${index}`, expires_in: 300 } };
  };
  const { cases } = await runYamlCases(yaml, { conduct });
  expect(cases['beside-each-other']?.verdict).toBe('pass');
  expect(seen).toHaveLength(13);
  expect(new Set(seen).size).toBe(seen.length);
});
