import { expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { runReference } from '../../testing/carriers/run-reference.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

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

test('the rule that allows the value counts though no case that was selected names it', async () => {
  const flags = ['--fault', 'trait-correlation-id-hyphen-refused', '--out', makeFolder()];
  const { code, stdout } = await runCli(['run', 'proof-used-before', ...flags]);
  expect(code).toBe(1);
  expect(stdout).toContain('Not conformant: 1 required rule is broken');
});

/** A carrier may grant a shorter lifetime than requested (§2.3). */
test.each([30, 10])('a life of %s seconds leaves no case about it without a verdict', async (maxGrant) => {
  const found = await runReference({
    cases: ['jti-again-after-a-time-out', 'timeout-reported-by-callback', 'granted-life-then-ends'],
    policy: { maxGrant },
  });
  expect(found).toMatchObject({
    'jti-again-after-a-time-out': { verdict: 'pass' },
    'timeout-reported-by-callback': { verdict: 'pass' },
    'granted-life-then-ends': { verdict: 'informational' },
  });
});
