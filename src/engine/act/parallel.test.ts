import { expect, test } from 'vitest';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

const cases = `
  - id: side-by-side
    title: Steps that are parallel go out together
    rule: REQ-001
    steps:
      - as: first
        authorize: { claims: { state: one } }
        expect: accepted
      - as: second
        parallel: true
        authorize: { claims: { state: two } }
        expect: accepted
      - as: third
        authorize: { claims: { state: three } }
        expect: accepted
  - id: one-is-wrong
    title: What one of them shows is found, whichever it is
    rule: REQ-001
    steps:
      - as: first
        authorize: { claims: { state: one } }
        expect: accepted
      - as: second
        parallel: true
        authorize: { claims: { state: bad } }
        expect: accepted
`;

const id = (index: number): string => `ccid-000000000${index}`;

test('parallel steps are under way at the same time, and each is judged', async () => {
  const ran = await runYamlCases(cases, {
    conduct: ({ state }, index) =>
      state === 'bad'
        ? { status: 400, body: { error: 'invalid_request' } }
        : { body: { auth_req_id: id(index), expires_in: 300 } },
  });
  const { verdict, messages = [] } = ran.cases['side-by-side'] ?? {};
  expect(verdict).toBe('pass');
  const steps = messages.flatMap((one) => (one.kind === 'exchange' ? [one.step] : []));
  expect(steps.toSorted()).toEqual(['first', 'second', 'third']);
  expect(ran.cases['one-is-wrong']).toMatchObject({ verdict: 'fail', findings: [{ step: 'second' }] });
});
