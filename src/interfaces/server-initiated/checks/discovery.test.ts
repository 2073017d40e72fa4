import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../lib/json.ts';
import { buildResponse, buildRefusal, buildTokens } from '../../../testing/parts/observations.ts';
import { checkMessage, checkRun } from '../../../testing/parts/named-checks.ts';
import type { Judgeable, ResponseObservation } from '../../../judge/observation.ts';

const place = 'https://discovery.test/.well-known/openid_configuration';
const response = (mccmnc: string, body: JsonObject, parts: Partial<ResponseObservation> = {}): ResponseObservation =>
  buildResponse({ url: `${place}?client_id=ccid-conftestclient01&mccmnc=${mccmnc}`, body, ...parts });

describe('configuration-is-of-the-asked-code', () => {
  const check = (observation: Judgeable) => checkMessage('configuration-is-of-the-asked-code', observation);

  test.each([
    ['a number', '001010', 1010],
    ['a number of 6 digits', '310380', 310_380],
    ['a list that has the code', '001010', ['001011', '001010']],
    ['null, which is absent', '001010', null],
    ['what is no code', 'abcdef', '001010'],
  ])('conforms: %s', (_, asked, mccmnc) => expect(check(response(asked, { mccmnc }))).toEqual([]));

  test.each<[string, Json]>([
    ['another code', '001020'],
    ['a string without its zeros', '1010'],
  ])('violates: %s', (_, mccmnc) => {
    expect(check(response('001010', { mccmnc }))).toEqual([
      { path: 'body.mccmnc', expected: '001010', actual: mccmnc },
    ]);
  });

  test('nothing to judge: no code in the response, none asked for, an error, a callback', () => {
    expect(check(response('001010', {}))).toEqual([]);
    expect(check(buildResponse({ url: place, body: { mccmnc: '001010' } }))).toEqual([]);
    expect(check(buildRefusal('provider_not_found', { url: `${place}?mccmnc=1`, body: { mccmnc: '2' } }))).toEqual([]);
    expect(check(buildTokens())).toEqual([]);
  });
});

describe('one-carrier-for-one-code', () => {
  const conclude = (responses: readonly ResponseObservation[]) => {
    const messages = responses.map((response) => ({ seenIn: 'a-case', response }));
    return checkRun('one-carrier-for-one-code', [{ seenIn: 'a-case', callback: buildTokens() }, ...messages]);
  };
  const op = { issuer: 'https://op.carrier.test' };
  const other = { issuer: 'https://other.carrier.test' };
  const finding = { path: 'body.issuer', message: 'a-case#x1', seenIn: 'a-case' };

  test('errors, other endpoints and configurations without an issuer are not judged', () => {
    const elsewhere = buildResponse({ url: 'https://op.carrier.test/jwks?mccmnc=001010', body: other });
    const refused = buildRefusal('provider_not_found', { url: `${place}?mccmnc=001010`, body: other });
    const hyphen = response('001010', other, { url: `${place.replace('_', '-')}?mccmnc=001010` });
    const responses = [response('001010', op), response('001010', {}), elsewhere, refused, hyphen];
    expect(conclude([...responses, buildResponse({ url: place, body: other })])).toEqual({ mismatches: [], judged: 1 });
  });

  test('one code with two issuers', () => {
    const expected = 'https://op.carrier.test, as every response for 001010';
    expect(conclude([response('001010', op), response('001010', other)])).toEqual({
      judged: 2,
      mismatches: [{ ...finding, expected, actual: other.issuer }],
    });
  });
});

test('endpoints-at-origins-of-the-target names each member that leads elsewhere', () => {
  const check = (observation: Judgeable) => checkMessage('endpoints-at-origins-of-the-target', observation);
  const elsewhere = [
    { member: 'jwks_uri', words: 'https://elsewhere.test', why: 'which is not an origin of the target' },
  ];
  expect(check(response('001010', {}))).toEqual([]);
  expect(check(response('001010', {}, { elsewhere }))).toMatchObject([
    { path: 'body.jwks_uri', actual: 'https://elsewhere.test, which is not an origin of the target' },
  ]);
});
