import { expect, test } from 'vitest';
import { runReference } from '../../testing/run-reference.ts';

test('a query whose control has a refused value is red for the rule that allows the value', async () => {
  const { 'proof-used-before': found } = await runReference({
    cases: ['proof-used-before'],
    faults: ['trait-correlation-id-hyphen-refused'],
  });
  expect(found).toMatchObject({
    verdict: 'fail',
    confirmation: { status: 'confirmed' },
    findings: [{ rule: 'UT-012', code: 'refused', path: 'members.correlation_id' }],
  });
});
