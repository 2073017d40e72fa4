import { describe, expect, test } from 'vitest';
import { judgeReference } from '../../testing/carriers/run-reference.ts';

describe('C8.1: what breaks authentication counts for the outcome in the default profile', () => {
  /** A rule of the interface: otherwise the whole baseline would count. */
  const ofInterface = 'REQ-014';
  test.each([
    ['id-token-unsigned', 'SEC-31'],
    ['id-token-signature-broken', 'SEC-31'],
    ['id-token-signed-with-another-key', 'SEC-31'],
    ['id-token-of-an-unpublished-kid', 'SEC-31'],
    ['id-token-expired', 'SEC-31'],
    ['id-token-of-another-user', 'SEC-31'],
    ['id-token-for-another-client', 'SEC-31'],
    ['id-token-azp-of-another-client', 'SEC-31'],
    ['id-token-of-another-issuer', 'SEC-31'],
    ['jwks-with-private-members', 'SEC-39'],
    ['exp-past-accepted', 'SEC-14'],
    ['assertion-exp-not-checked', 'SEC-14'],
    ['userinfo-all-attributes', 'SEC-34'],
    ['crit-ignored', 'SEC-08'],
    ['set-unsigned', 'EVT-025'],
    ['set-signature-broken', 'EVT-025'],
    ['set-signed-with-another-key', 'EVT-025'],
  ])('%s', async (fault, rule) => {
    const { code, rules } = await judgeReference([rule, ofInterface], { faults: [fault] });
    expect([rules.get(rule), rules.get(ofInterface), code]).toEqual(['fail', 'pass', 1]);
  });

  test.each([
    ['token-answer-cacheable', 'SEC-34', 'fail'],
    ['nbf-ignored', 'SEC-14', 'fail'],
    ['hint-token-of-any-client', 'SEC-45', 'warn'],
  ])('%s does not: it breaks another part of %s', async (fault, rule, verdict) => {
    const { code, rules } = await judgeReference([rule, ofInterface], { faults: [fault] });
    expect([rules.get(rule), code]).toEqual([verdict, 0]);
  });
});

describe('C8.1: a rule with nothing judged has no verdict', () => {
  test.each(['id-token-unsigned', 'id-token-signature-broken', 'id-token-of-an-unpublished-kid'])(
    'SEC-31 alone is red with %s',
    async (fault) => {
      const { code, rules } = await judgeReference(['SEC-31'], { faults: [fault] });
      expect([rules.get('SEC-31'), code]).toEqual(['fail', 1]);
    },
  );
});
