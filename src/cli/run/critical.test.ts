import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { runCli } from '../../testing/run-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

/** Runs these with a fault, and gives the exit code and the verdicts of the rules. */
async function runWith(fault: string, what: readonly string[]) {
  const out = makeFolder();
  const { code } = await runCli(['run', ...what, '--fault', fault, '--out', out]);
  const { rules } = readResult(join(out, 'result.json')).result;
  return { code, verdicts: new Map(rules.map(({ id, verdict }) => [id, verdict])) };
}

describe('C8.1: what breaks authentication counts for the outcome in the default profile', () => {
  /** A rule of the interface, so that not the whole baseline counts. */
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
    const { code, verdicts } = await runWith(fault, [rule, ofInterface]);
    expect([verdicts.get(rule), verdicts.get(ofInterface), code]).toEqual(['fail', 'pass', 1]);
  });

  test.each([
    ['token-answer-cacheable', 'SEC-34', 'fail'],
    ['nbf-ignored', 'SEC-14', 'fail'],
    ['hint-token-of-any-client', 'SEC-45', 'warn'],
  ])('%s does not: it breaks another part of %s', async (fault, rule, verdict) => {
    const { code, verdicts } = await runWith(fault, [rule, ofInterface]);
    expect([verdicts.get(rule), code]).toEqual([verdict, 0]);
  });
});

describe('C8.1: a rule with nothing judged has no verdict', () => {
  test.each(['id-token-unsigned', 'id-token-signature-broken', 'id-token-of-an-unpublished-kid'])(
    'SEC-31 alone is red with %s',
    async (fault) => {
      const { code, verdicts } = await runWith(fault, ['SEC-31']);
      expect([verdicts.get('SEC-31'), code]).toEqual(['fail', 1]);
    },
  );
});
