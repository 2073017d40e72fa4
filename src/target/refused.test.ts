import { afterAll, describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../lib/key-pair.ts';
import { ecKey, rsaKey } from '../testing/parts/keys.ts';
import { problemCodes, createWorkbench } from './testing/load-with.ts';

const { write, loadWith, remove } = createWorkbench();
afterAll(remove);

const env = { SECRET: 'hush-hush-hush' };

describe('mistakes that would break the run later are refused at loading', () => {
  const keyFile = (jwk: object, rest: object = {}) => {
    write('a-key.json', JSON.stringify(jwk));
    return loadWith({ keys: [{ file: 'a-key.json', ...rest }] });
  };

  test('an algorithm that does not fit the key', () => {
    expect(problemCodes(keyFile(rsaKey().jwk, { alg: 'ES256' }))).toEqual(['key-unusable']);
    expect(problemCodes(keyFile(ecKey().jwk, { alg: 'RS256' }))).toEqual(['key-unusable']);
    expect(problemCodes(keyFile({ ...rsaKey().jwk, alg: 'HS256' }))).toEqual(['key-unusable']);
    expect(problemCodes(keyFile({ ...rsaKey().jwk, alg: 'HS256' }, { alg: 'RS256' }))).toEqual([]);
    expect(problemCodes(keyFile({ ...rsaKey().jwk, alg: 'PS256' }))).toEqual([]);
    expect(problemCodes(keyFile(rsaKey().jwk, { alg: 'ES384' }))).toEqual(['key-unusable']);
  });

  test('a curve that ES256 is not for', () => {
    const { privateKey } = makeKeyPairSync({ namedCurve: 'P-384' });
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'p384' };
    expect(problemCodes(keyFile(jwk, { alg: 'ES256' }))).toEqual(['key-unusable']);
    expect(keyFile(jwk).target?.clients[0]?.keys[0]?.alg).toBe('ES384');
  });

  test('an empty kid', () => expect(problemCodes(keyFile({ ...ecKey().jwk, kid: '' }))).toEqual(['key-unusable']));

  test('a value of the environment with a line break at its end, wherever it is read', () => {
    const drivers = { approve: { http: { url: 'https://admin.test', headers: { authorization: '{{ env.TOKEN }}' } } } };
    const { problems } = loadWith(
      { secret: { env: 'SECRET' } },
      { drivers },
      { SECRET: 'hush-hush-hush\n', TOKEN: ' x' },
    );
    expect(problems.map(({ code, message }) => [code, message.split(':')[0]])).toEqual([
      ['bad-value', 'the value of SECRET begins or ends with a blank or a line break'],
      ['bad-value', 'the value of TOKEN begins or ends with a blank or a line break'],
    ]);
  });

  test.each(['url', 'headers', 'json'])('the place of a missing variable in a driver’s %s', (key) => {
    const template = 'Bearer {{ env.SECRET }} {{ env.TOKEN }}';
    const url = 'https://admin.test';
    const http = key === 'url' ? { url: `${url}/${template}` } : { url, [key]: { authorization: template } };
    const { problems } = loadWith({}, { drivers: { approve: { http } } }, env);
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['env-missing', 'the environment has no TOKEN'],
    ]);
    const [{ sourceLine = '', position } = { position: { column: 0 } }] = problems;
    expect(sourceLine.slice(position.column - 1)).toMatch(/^env\.TOKEN \}\}"/);
  });
});
