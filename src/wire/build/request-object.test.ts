import { describe, expect, test } from 'vitest';
import { type BaseRequest, type Difference, MissingValue } from '../../model/suite.ts';
import { buildScope, buildTemplate, buildTemplates } from '../../testing/parts/templates.ts';
import { buildRequestObject } from './request-object.ts';

const base: BaseRequest = {
  header: buildTemplates({ typ: 'JWT', alg: 'RS256', kid: '{{ client.kid }}' }, ['client']),
  claims: buildTemplates({ iss: '{{ client.id }}', iat: '{{ now }}', jti: '{{ fresh() }}', state: 'st-1' }, ['client']),
};
const scope = buildScope({ client: { id: 'ccid-1', kid: 'k1' } });
const build = (difference: Difference) => buildRequestObject(base, difference, scope);

const plain = { iss: 'ccid-1', iat: 1_767_225_600, jti: 'abababababababab', state: 'st-1' };

test('claims: the names of Object.prototype are names like others', () => {
  const { payload, claims } = build({ claims: buildTemplates({ constructor: 1, ['__proto__']: { a: 1 } }) });
  expect(payload.endsWith(',"constructor":1,"__proto__":{"a":1}}')).toBe(true);
  expect(Object.hasOwn(claims, '__proto__')).toBe(true);
});

describe('what is not sent is not evaluated', () => {
  const nowhere: BaseRequest = {
    header: buildTemplates({ alg: 'RS256', kid: '{{ client.none }}' }, ['client']),
    claims: buildTemplates({ iss: 'a', sub: '{{ subscriber.sub }}' }, ['subscriber']),
  };
  const buildFrom = (difference: Difference) => buildRequestObject(nowhere, difference, scope);

  test('the base alone lacks a value', () => {
    expect(() => buildFrom({})).toThrow(new MissingValue('client.none'));
    expect(() => buildFrom({ dropHeader: ['kid'] })).toThrow(new MissingValue('subscriber.sub'));
  });

  test.each<[string, Difference, string]>([
    ['dropped', { drop: ['sub'] }, '{"iss":"a"}'],
    ['set', { claims: buildTemplates({ sub: 1 }) }, '{"iss":"a","sub":1}'],
    ['raw', { raw: buildTemplates({ sub: '1.0' }) }, '{"iss":"a","sub":1.0}'],
  ])('%s', (_, difference, payload) =>
    expect(buildFrom({ ...difference, header: buildTemplates({ kid: 'k' }) }).payload).toBe(payload),
  );
});

describe('raw JSON text', () => {
  test('text that is no JSON: the claims are those that can be parsed', () => {
    const { payload, claims } = build({ raw: buildTemplates({ iat: 'NaN' }) });
    expect(payload).toBe('{"iss":"ccid-1","jti":"abababababababab","state":"st-1","iat":NaN}');
    expect(claims).toEqual({ iss: 'ccid-1', jti: 'abababababababab', state: 'st-1' });
  });

  test('appended members come last, so that names can be doubled: a receiver sees the last', () => {
    const { payload, claims, differences } = build({ append: buildTemplate('"iss":"second","x":1') });
    expect(payload).toBe(
      '{"iss":"ccid-1","iat":1767225600,"jti":"abababababababab","state":"st-1","iss":"second","x":1}',
    );
    expect(claims).toEqual({ ...plain, iss: 'second', x: 1 });
    expect(differences).toEqual([{ what: 'claims', change: 'raw', value: '"iss":"second","x":1' }]);
  });
});
