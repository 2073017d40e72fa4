import { describe, expect, test } from 'vitest';
import { readSuites } from '../../setup/read-files.ts';
import { createPairComparison } from '../../testing/program/selection-pairs.ts';

/** Twenty pairs of every area, among them recommended, baseline and invariant rules, and faults that break several. */
const pairs = [
  ['callback-to-first-uri', 'CB-024'],
  ['callback-without-auth-req-id', 'CB-007'],
  ['id-token-without-openid', 'CB-018'],
  ['id-token-of-another-issuer', 'DSC-012'],
  ['discovery-fails-for-the-unknown', 'DSC-014'],
  ['discovery-without-authorization-endpoint', 'DSC-005'],
  ['discovery-jwks-uri-relative', 'DSC-007'],
  ['code-of-any-client', 'TOK-001'],
  ['hint-token-tag-not-checked', 'LHT-009'],
  ['set-signature-broken', 'EVT-025'],
  ['event-confirmed-by-any-answer', 'EVT-013'],
  ['ial-as-text', 'UI-026'],
  ['ial-as-text', 'UI-039'],
  ['postal-code-as-number', 'UI-010'],
  ['trait-without-sim-tenure', 'UT-013'],
  ['trait-client-by-the-proof', 'UT-019'],
  ['card-stays-after-approval', 'FLOW-016'],
  ['options-required', 'FLOW-001'],
  ['set-iss-of-the-platform', 'SEC-40'],
  ['context-above-200-dropped', 'REQ-075'],
] as const;

const comparison = createPairComparison(await readSuites([]));

describe('a rule comes to the same alone, in its area and in a whole run', () => {
  test.each(pairs)('%s %s', { timeout: 240_000 }, async (fault, rule) => {
    expect(await comparison.compare({ fault, rule }, { strict: true })).toEqual({ contradictions: [], changes: [] });
  });
});
