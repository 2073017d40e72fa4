import { expect, test } from 'vitest';
import type { NamedDifference } from '../../model/exchange.ts';
import { buildCase, buildExchange, buildFinding } from '../../testing/result.ts';
import { headlineOf } from './broken.ts';

const headline = (id: string, differences: readonly NamedDifference[]): string =>
  headlineOf({ finding: buildFinding(), seenIn: buildCase({ id, messages: [buildExchange({ differences })] }) });
const set = (what: string): NamedDifference => ({ what, change: 'set', value: 'x' });
const removed = (what: string): NamedDifference => ({ what, change: 'removed' });

test.each<[string, string, readonly NamedDifference[], string]>([
  [
    'a row',
    'bearer/1024-characters',
    [set('claims.client_notification_token')],
    'client_notification_token, 1024 characters',
  ],
  [
    'one for another',
    'made/compressed',
    [removed('claims.login_hint'), set('claims.login_hint_token')],
    'login_hint_token, compressed',
  ],
  ['a row that names the member', 'absent/login-hint', [set('claims.login_hint')], 'login hint'],
  ['rows of rows', 'absent/aud/twice', [], 'aud, twice'],
  ['many members', 'all/mixed', [set('claims.a'), set('claims.b'), set('claims.c')], 'mixed'],
  ['no row', 'no-row', [set('claims.jti')], 'jti'],
  ['no row, one removed', 'no-row', [removed('claims.scope')], 'scope removed'],
  ['something altered', 'no-row', [{ what: 'signature', change: 'altered', value: 'one bit' }], 'signature: one bit'],
  ['much', `a/${'b'.repeat(200)}`, [], `${'b'.repeat(80)}… (120 more characters)`],
])('a headline begins with what was special: %s', (_, id, differences, special) => {
  expect(headline(id, differences)).toBe(`${special}: expected denied, got accepted 200`);
});

test('nothing was special', () => {
  expect(headline('no-row', [])).toBe('expected denied, got accepted 200');
  expect(headlineOf({ finding: buildFinding() })).toBe('expected denied, got accepted 200');
  const seenIn = buildCase({ id: 'a/row', messages: [buildExchange()] });
  expect(headlineOf({ finding: buildFinding({ seenIn: 'a/row' }), seenIn })).toBe('expected denied, got accepted 200');
});
