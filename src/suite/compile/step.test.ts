import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { describe, expect, test } from 'vitest';
import { requireAct } from '../../testing/parts/require-act.ts';
import { loadOne, oneCase, testScope } from '../../testing/parts/load-text.ts';

describe('steps', () => {
  test("the rule is the entry's, else the step's, else the case's", async () => {
    const { steps } = await loadOne(
      oneCase(`steps:
      [{ authorize: {}, expect: accepted },
       { authorize: {}, rule: "REQ-001#near", expect: [accepted, { status: [200], rule: [REQ-002, REQ-001] }] }]`),
    );
    expect(steps.flatMap(({ expectations }) => expectations.map((one) => one.rules))).toEqual([
      [{ rule: 'REQ-001' }],
      [{ rule: 'REQ-001', aspect: 'near' }],
      [{ rule: 'REQ-002' }, { rule: 'REQ-001' }],
    ]);
  });

  test('every verb', async () => {
    const { steps } = await loadOne(
      `  - id: one
    title: One
    rule: REQ-001
    steps:
      - { as: first, at: now + 5s, authorize: { again: zero, request: null, form: true, headers: { accept: null } } }
      - { trigger: { action: approve, of: first, with: { scopes: [openid] }, ifPossible: true } }
      - { trigger: deny, of: first }
      - { await: callback, of: first, until: first + first.granted - 5s, expect: completed }
      - { look: card, of: first }
      - { http: { to: token, path: "/x", form: { a: "{{ first.claims.jti }}" } } }
      - { http: { to: jwks } }
`.replace('again: zero, ', ''),
    );
    expect(steps[0]?.at?.evaluate(testScope)).toBe(1_005_000);
    const { difference } = requireAct(steps[0], 'authorize');
    expect(difference.request?.evaluate(testScope)).toBeNull();
    expect(difference.headers?.map(([name, value]) => [name, value.evaluate(testScope)])).toEqual([['accept', null]]);
    expect(difference.form).toBe(true);
    const { with: given, definition, ...approve } = requireAct(steps[1], 'trigger');
    expect(definition?.name).toBe('approve');
    expect(approve).toEqual({ verb: 'trigger', action: 'approve', of: 'first', ifPossible: true });
    expect(given.map(([name, value]) => [name, value.evaluate(testScope)])).toEqual([['scopes', ['openid']]]);
    expect(requireAct(steps[2], 'trigger')).toEqual({
      verb: 'trigger',
      action: 'deny',
      definition: testedInterface.actions.find(({ name }) => name === 'deny'),
      of: 'first',
      ifPossible: false,
      with: [],
    });
    expect(requireAct(steps[3], 'await').until?.evaluate(testScope)).toBe(345_000);
    expect(requireAct(steps[4], 'look')).toEqual({ verb: 'look', what: 'card', of: 'first' });
    expect(requireAct(steps[5], 'http').request).toMatchObject({ to: 'token', method: 'POST' });
    expect(requireAct(steps[6], 'http').request).toEqual({ to: 'jwks', method: 'GET' });
  });

  test('every key of an expectation', async () => {
    const { steps } = await loadOne(`  - id: one
    title: One
    rule: REQ-001
    steps:
      - authorize: {}
        expect:
          outcome: answered
          error: [invalid_request]
          status: [200, 4xx]
          body: { type: object, required: [a], properties: { a: { type: integer } } }
          equals: { headers.location: "{{ now }}" }
          absent: [body.code]
          echo: [state]
          check: known
      - await: callback
        expect: { count: 4, spacing: { every: 60s, early: 5s, late: 15s }, idToken: true }
`);
    const [first] = steps[0]?.expectations ?? [];
    expect(first).toMatchObject({
      outcome: 'answered',
      error: ['invalid_request'],
      status: [200, '4xx'],
      absent: ['body.code'],
      echo: ['state'],
      checks: ['known'],
    });
    expect(first?.equals?.map(([path, value]) => [path, value.evaluate(testScope)])).toEqual([
      ['headers.location', 1000],
    ]);
    expect(first?.body?.mismatches({ a: 1 })).toEqual([]);
    expect(first?.body?.mismatches({ a: 'x'.repeat(300) })).toEqual([
      { path: '/a', message: 'a whole number', actual: 'x'.repeat(300) },
    ]);
    expect(first?.body?.mismatches({})).toEqual([{ path: '/a', message: 'a whole number', actual: null }]);
    const [second] = steps[1]?.expectations ?? [];
    expect(second).toMatchObject({ count: 4, spacing: { every: 60, early: 5, late: 15 } });
    expect(second?.idToken?.mismatches(7)).toEqual([]);
  });

  test('no more than ten mismatches are reported', async () => {
    const { steps } = await loadOne(
      oneCase('steps: [{ authorize: {}, expect: { body: { items: { type: string } } } }]'),
    );
    expect(steps[0]?.expectations[0]?.body?.mismatches(Array.from({ length: 50 }, () => 1))).toHaveLength(10);
  });
});
