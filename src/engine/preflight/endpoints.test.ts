import { expect, test } from 'vitest';
import { originNote } from './endpoints.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const days = 86_400_000;
const facts = { kind: 'tls', version: 'TLSv1.3', cipher: 'AES', subject: 'CN=op.test', issuer: 'CN=ca.test' } as const;

test.each([
  [30 * days, 'ok', '30 days left'],
  [30 * days - 1, 'warning', '29 days left'],
  [-1, 'warning', '-1 days left'],
])('a certificate that is valid for %i ms more: %s', (left, state, words) => {
  const note = originNote('https://op.test', { ...facts, validTo: now + left }, now);
  expect(note).toMatchObject({ state, description: expect.stringContaining(words) as unknown });
});
