import { expect, test } from 'vitest';
import { faultCatalogue, variants } from './catalogue.ts';
import { changedParts } from './changed-parts.ts';

const byName = new Map([...faultCatalogue, ...variants].map((one) => [one.name, one]));

test.each([
  ['aud-not-checked', [{ kind: 'check', name: 'aud-is-the-issuer' }]],
  ['iss-in-any-case', [{ kind: 'check', name: 'iss-is-the-client' }]],
  ['iat-window-10-minutes', [{ kind: 'policy', name: 'iatMaxAge' }]],
  ['phone-without-enum', [{ kind: 'reader', name: 'login-hint-names-a-subscriber' }]],
  ['slow-answers', [{ kind: 'reader', name: 'kid-selects-the-key' }]],
  ['callback-state-missing', [{ kind: 'builder', name: 'builders.success' }]],
  ['context-by-its-pattern', [{ kind: 'checks', name: 'pipeline.onClaims' }]],
  ['cancel-by-anyone', [{ kind: 'check', name: 'cancel-is-by-the-client-that-asked' }]],
  ['proof-replayable', [{ kind: 'check', name: 'proof-jti-not-repeated' }]],
  ['methods-not-told-apart', [{ kind: 'part', name: 'routes.serverInitiated.methods' }]],
])('%s changes', (name, parts) => {
  const alteration = byName.get(name);
  expect(alteration === undefined ? undefined : changedParts(alteration)).toEqual(parts);
});

test('every fault and every variant changes a part', () => {
  expect([...byName.values()].filter((one) => changedParts(one).length === 0)).toEqual([]);
});
