import { expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { RequestPart, PartValue } from './request-parts.ts';
import { freeParts, applyCombination } from './varied-cases.ts';

const value = (name: string, difference: JsonObject, more: Partial<PartValue> = {}): PartValue => ({
  name,
  difference,
  rule: 'TRN-014',
  ...more,
});
const part = (id: string, ...values: readonly PartValue[]): RequestPart => ({
  id,
  values: [value('as it is', {}), ...values],
});

const parts = [
  part('claims.state', value('a state', { claims: { state: 'x' } })),
  part(
    'claims.scope',
    value('name alone', { claims: { scope: 'name' } }),
    value('e-mail', { claims: { scope: 'openid email' } }),
  ),
  part('claims.acr_values', value('a1', { claims: { acr_values: 'a1' } })),
  part('claims.jti', value('no jti', { drop: ['jti'] })),
  part('claims.iat', value('4 minutes old', { claims: { iat: '{{ now - 4m }}' } })),
];

const namesOf = (steps: readonly JsonObject[], instant = true): readonly string[] =>
  freeParts({ steps, instant, client: 'main' }, parts).flatMap(({ values }) => values.slice(1).map(({ name }) => name));

test('a case is varied in the parts that it is not about', () => {
  expect(namesOf([{ authorize: { claims: { nonce: 'x' } } }])).toEqual([
    'a state',
    'name alone',
    'e-mail',
    'a1',
    '4 minutes old',
  ]);
  expect(namesOf([{ authorize: { claims: { state: 'y' } } }])).not.toContain('a state');
  expect(namesOf([{ authorize: {} }, { await: 'callback', expect: { equals: { 'body.state': 'x' } } }])).not.toContain(
    'a state',
  );
});

test('a case that lasts keeps its moments, one about id tokens keeps openid, and a silent one its authentication', () => {
  expect(namesOf([{ authorize: {} }], false)).not.toContain('4 minutes old');
  expect(namesOf([{ authorize: {}, expect: { equals: { 'idToken.nonce': 'x' } } }])).toEqual(
    expect.arrayContaining(['e-mail']),
  );
  expect(namesOf([{ authorize: {}, expect: { equals: { 'idToken.nonce': 'x' } } }])).not.toContain('name alone');
  expect(namesOf([{ authorize: { claims: { prompt: 'none' } }, expect: 'accepted' }])).not.toContain('a1');
});

test('every request of the case gets the values, but one that is sent again; a query gets what is open only where it is refused', () => {
  const combination = [{ part: 'claims.state', value: value('a state', { claims: { state: 'x' } }) }];
  expect(
    applyCombination(
      [{ authorize: { claims: { nonce: 'y' } } }, { authorize: { again: 'step1' } }, { trigger: 'approve' }],
      combination,
      [true],
    ),
  ).toEqual([
    { authorize: { claims: { nonce: 'y', state: 'x' } } },
    { authorize: { again: 'step1' } },
    { trigger: 'approve' },
  ]);
  const charset = value('a charset', { headers: { 'content-type': 'x' } }, { besideOnly: true });
  expect(
    applyCombination(
      [
        { usertrait: { drop: ['sub'] }, expect: 'denied' },
        { usertrait: {}, expect: 'accepted' },
      ],
      [{ part: 'h', value: charset }],
      [true],
    ),
  ).toEqual([
    { usertrait: { drop: ['sub'], headers: { 'content-type': 'x' } }, expect: 'denied' },
    { usertrait: {}, expect: 'accepted' },
  ]);
});

test('what a value needs before the request comes before the case, with a name of its own', () => {
  const hint = value(
    'a token',
    { drop: ['login_hint'], claims: { login_hint_token: '{{ @hint.body.login_hint_token }}' } },
    { before: [{ as: '@hint', trigger: 'issue-login-hint-token' }] },
  );
  expect(applyCombination([{ authorize: {} }], [{ part: 'who', value: hint }], [true])).toEqual([
    { as: 'hint', trigger: 'issue-login-hint-token' },
    {
      as: 'step1',
      authorize: { drop: ['login_hint'], claims: { login_hint_token: '{{ hint.body.login_hint_token }}' } },
    },
  ]);
  expect(applyCombination([{ authorize: {} }], [{ part: 'who', value: hint }], [false])).toEqual([{ authorize: {} }]);
});
