import { expect, test } from 'vitest';
import { runYamlCases } from '../testing/parts/run-cases.ts';

const steps =
  'steps: [{ as: plain, control: true, authorize: {} }, { authorize: { claims: { prompt: login } }, expect: accepted }]';
const yaml = `  - { id: one, title: A case, rule: REQ-001, requires: [long-values, phone-hints, virtual-clock], ${steps} }\n`;

test.each([
  ['if the target file does not name them', {}, ['long-values', 'phone-hints']],
  ['but none that it declares', { 'long-values': true }, ['phone-hints']],
] as const)('a case with a finding names the features that it needs, %s', async (_, supports, assumes) => {
  const { cases } = await runYamlCases(yaml, {
    change: (target) => ({ ...target, supports: { ...target.supports, ...supports } }),
    conduct: ({ prompt }) =>
      prompt === 'login'
        ? { status: 400, body: { error: 'invalid_request' } }
        : { body: { auth_req_id: 'ccid-000000000001', expires_in: 300 } },
  });
  expect(cases['one']).toMatchObject({ verdict: 'fail', assumes });
});
