import { describe, expect, test } from 'vitest';
import { buildCase, buildFinding, buildInvariant } from '../testing/results/result.ts';
import { settleCase, settleInvariant } from './root-cause.ts';

const reason = 'stopped: the carrier refuses the plain request of client main';
const root = { accepted: ['second'], reason };
const tokens = buildFinding({ rule: 'FLOW-006', carries: 'tokens' });

describe('a case of a run that met a refused plain request', () => {
  test.each(['fail', 'warn', 'informational'] as const)('%s, has no finding and no verdict', (verdict) => {
    const found = { verdict, findings: [buildFinding()], confirmation: { status: 'confirmed' } } as const;
    const settled = settleCase(buildCase(found), root);
    expect(settled).toMatchObject({ verdict: 'inconclusive', findings: [], reason });
    expect(settled).not.toHaveProperty('confirmation');
    expect(settleCase(settled, root)).toBe(settled);
  });

  test('that could not go on has the reason of the run, and follows from no rule', () => {
    const cause = { rule: 'FLOW-001', case: 'plain-request' };
    const open = buildCase({ verdict: 'inconclusive', reason: 'it does not hold', followsFrom: cause, findings: [] });
    const settled = settleCase(open, root);
    expect(settled).toMatchObject({ verdict: 'inconclusive', reason });
    expect(settled).not.toHaveProperty('followsFrom');
  });

  test('stands with tokens that came and must not have come (P21)', () => {
    const settled = settleCase(buildCase({ verdict: 'fail', findings: [buildFinding(), tokens] }), root);
    expect(settled).toMatchObject({ verdict: 'fail', findings: [tokens], reason });
  });

  test.each([
    [
      'is of a client with an accepted plain request',
      buildCase({ client: 'second', verdict: 'fail', findings: [buildFinding()] }),
    ],
    ['passed', buildCase({ verdict: 'pass', findings: [] })],
    ['did not run', buildCase({ verdict: 'not-run', reason: 'it needs a second key', findings: [] })],
    ['waited for a person', buildCase({ verdict: 'inconclusive', reason: 'no person was there', findings: [] })],
  ])('stays as it is if it %s', (_, ended) => {
    expect(settleCase(ended, root)).toBe(ended);
  });
});

describe('an invariant of such a run', () => {
  const broken = buildInvariant({ verdict: 'fail', judged: 5, violations: 2, findings: [buildFinding()] });

  test('judged the messages that did not break it', () => {
    const settled = settleInvariant(broken, reason, new Set());
    expect(settled).toMatchObject({
      verdict: 'inconclusive',
      judged: 3,
      unjudged: 2,
      violations: 0,
      findings: [],
      reason,
    });
  });

  test('stands with tokens that came and must not have come', () => {
    const settled = settleInvariant({ ...broken, findings: [buildFinding(), tokens] }, reason, new Set());
    expect(settled).toMatchObject({ verdict: 'fail', findings: [tokens], violations: 1 });
  });

  test.each([
    ['confirmed', 'fail'],
    ['seen-once', 'inconclusive'],
  ] as const)('%s in cases of a client with an accepted plain request is %s', (status, verdict) => {
    const findings = [buildFinding({ seenIn: 'of-second' })];
    const settled = settleInvariant({ ...broken, findings, confirmation: { status } }, reason, new Set(['of-second']));
    expect(settled.verdict).toBe(verdict);
  });
});
