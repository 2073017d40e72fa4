import { describe, expect, test } from 'vitest';
import { type Difference, MissingValue } from '../../model/suite.ts';
import type { HttpDriver } from '../../model/target.ts';
import { buildScope, buildTemplate, buildTemplates } from '../../testing/parts/templates.ts';
import { carryRequest } from './http-request.ts';
import { driverRequest } from '../send/driver-call.ts';

const endpoint = 'https://op.carrier.test/bc-authorize';
const jws = 'h.p.s';
const scope = buildScope({ jws, client: { id: 'ccid-1' }, with: { scopes: ['openid'] } });
const carry = (difference: Difference) => carryRequest(endpoint, jws, { difference, scope });
const jsonType = ['content-type', 'application/json'];

describe('the POST that carries a request object', () => {
  test('JSON with one member, and nothing else', () => {
    expect(carry({})).toEqual({
      http: { method: 'POST', url: endpoint, headers: [jsonType], body: '{"request":"h.p.s"}' },
      differences: [],
      usual: true,
    });
  });

  test.each<[string, Difference, string]>([
    ['request', { request: buildTemplate(null) }, '{"request":null}'],
    ['request', { request: buildTemplate(['{{ jws }}'], ['jws']) }, '{"request":["h.p.s"]}'],
    [
      'beside',
      { beside: buildTemplates({ sdk_version: '1.1', state: 5 }) },
      '{"request":"h.p.s","sdk_version":"1.1","state":5}',
    ],
    ['body', { body: buildTemplate(['{{ jws }}'], ['jws']) }, '["h.p.s"]'],
    ['body', { body: buildTemplate({}) }, '{}'],
    [
      'text',
      { text: buildTemplate('{"request":"{{ jws }}","request":1}', ['jws']) },
      '{"request":"h.p.s","request":1}',
    ],
    ['text', { text: buildTemplate('') }, ''],
    ['form', { form: true }, 'request=h.p.s'],
    [
      'form and beside',
      { form: true, beside: buildTemplates({ a: 'x y&z=é', b: 1 }) },
      'request=h.p.s&a=x+y%26z%3D%C3%A9&b=1',
    ],
    ['form and body', { form: true, body: buildTemplate({ request: 'x', n: [1] }) }, 'request=x&n=%5B1%5D'],
  ])('the body by %s', (_, difference, body) => {
    expect(carry(difference).http.body).toBe(body);
  });

  test('headers: set, replaced in any case, removed by null; names stay as written', () => {
    const given = (headers: Record<string, string | number | null>) =>
      carry({ headers: buildTemplates(headers) }).http.headers;
    expect(given({ Accept: 'text/html', 'X-N': 5 })).toEqual([jsonType, ['Accept', 'text/html'], ['X-N', '5']]);
    expect(given({ 'Content-TYPE': 'text/plain' })).toEqual([['Content-TYPE', 'text/plain']]);
    expect(given({ 'content-type': null })).toEqual([]);
    expect(given({ accept: null })).toEqual([jsonType]);
  });

  test('a list gives a query parameter several times', () => {
    const difference = { query: buildTemplates({ a: ['1', '2'] }) };
    expect(carryRequest(`${endpoint}?a=0`, jws, { difference, scope }).http.url).toBe(`${endpoint}?a=1&a=2`);
  });

  test('query parameters stand in place of those of the same name, and null removes one', () => {
    const difference = { query: buildTemplates({ state: 'evil &', n: 1, old: null }) };
    expect(carryRequest(`${endpoint}?state=mine&old=1`, jws, { difference, scope }).http.url).toBe(
      `${endpoint}?state=evil+%26&n=1`,
    );
  });
});

describe('usual: a JSON POST with a request member, which the invariants on responses judge', () => {
  test.each<[boolean, string, Difference]>([
    [true, 'another value of request', { request: buildTemplate(5) }],
    [true, 'members beside', { beside: buildTemplates({ a: 1 }) }],
    [true, 'a query', { query: buildTemplates({ a: 1 }) }],
    [true, 'a charset', { headers: buildTemplates({ 'Content-Type': 'APPLICATION/JSON; charset=utf-8' }) }],
    [true, 'other headers', { headers: buildTemplates({ accept: 'text/html' }) }],
    [false, 'another content type', { headers: buildTemplates({ 'content-type': 'text/plain' }) }],
    [false, 'no content type', { headers: buildTemplates({ 'content-type': null }) }],
    [false, 'form', { form: true }],
    [false, 'another body', { body: buildTemplate({}) }],
    [false, 'raw text', { text: buildTemplate('{}') }],
    [false, 'another method', { method: 'PUT' }],
    [false, 'GET', { method: 'GET' }],
  ])('%s: %s', (usual, _, difference) => {
    expect(carry(difference).usual).toBe(usual);
  });
});

describe('named differences', () => {
  test.each<[Difference, ReturnType<typeof carry>['differences']]>([
    [{ method: 'PUT' }, [{ what: 'http.method', change: 'set', value: 'PUT' }]],
    [{ form: true }, [{ what: 'http.form', change: 'set', value: true }]],
    [{ text: buildTemplate('x') }, [{ what: 'http.text', change: 'set', value: 'x' }]],
    [
      { body: buildTemplate({ a: '{{ client.id }}' }, ['client']) },
      [{ what: 'http.body', change: 'set', value: { a: 'ccid-1' } }],
    ],
    [{ request: buildTemplate(null) }, [{ what: 'http.request', change: 'set', value: null }]],
    [{ headers: buildTemplates({ Accept: null }) }, [{ what: 'http.headers.Accept', change: 'set', value: null }]],
    [
      { query: buildTemplates({ a: '1' }), beside: buildTemplates({ b: 2, c: '3' }) },
      [
        { what: 'http.beside.b', change: 'set', value: 2 },
        { what: 'http.beside.c', change: 'set', value: '3' },
        { what: 'http.query.a', change: 'set', value: '1' },
      ],
    ],
  ])('%#', (difference, expected) => {
    expect(carry(difference).differences).toEqual(expected);
  });
});

describe('the request of a driver', () => {
  const driver = (parts: Partial<HttpDriver>): HttpDriver => ({
    kind: 'http',
    method: 'POST',
    url: buildTemplate('http://admin.test/{{ client.id }}', ['client']),
    done: [200],
    impossible: [],
    env: {},
    ...parts,
  });

  test('values that are not there are left out of the body', () => {
    const json = buildTemplates({ scopes: '{{ with.scopes }}', kid: '{{ with.kid }}', fixed: 1 }, ['with']);
    expect(driverRequest(driver({ json }), scope)).toEqual({
      method: 'POST',
      url: 'http://admin.test/ccid-1',
      headers: [jsonType],
      body: '{"scopes":["openid"],"fixed":1}',
    });
  });

  test('without json there is no body', () => {
    expect(driverRequest(driver({ method: 'DELETE' }), scope)).toEqual({
      method: 'DELETE',
      url: 'http://admin.test/ccid-1',
      headers: [],
    });
  });

  test('headers: beside the type of the body or instead of it; one whose value is not there is left out', () => {
    const secret = buildScope({ client: { id: 'ccid-1' }, env: { TOKEN: 'a/b c' } });
    const given = { authorization: 'Bearer {{ env.TOKEN }}', 'x-kid': '{{ env.KID }}', 'X-N': 5 };
    const headers = buildTemplates(given, ['env']);
    const sent = [
      ['authorization', 'Bearer a/b c'],
      ['X-N', '5'],
    ];
    expect(driverRequest(driver({ headers }), secret).headers).toEqual(sent);
    expect(driverRequest(driver({ headers, json: [] }), secret).headers).toEqual([jsonType, ...sent]);
    const other = buildTemplates({ 'Content-Type': 'text/json' });
    expect(driverRequest(driver({ headers: other, json: [] }), secret)).toEqual({
      method: 'POST',
      url: 'http://admin.test/ccid-1',
      headers: [['Content-Type', 'text/json']],
      body: '{}',
    });
  });

  test('a URL that lacks a value cannot be called', () => {
    const url = buildTemplate('http://admin.test/{{ request.body.auth_req_id }}', ['request']);
    expect(() => driverRequest(driver({ url }), scope)).toThrow(new MissingValue('request.body.auth_req_id'));
  });

  test('what a carrier put into a value stays one segment of the URL', () => {
    const url = buildTemplate('http://admin.test/requests/{{ request.body.auth_req_id }}/approve', ['request']);
    const hostile = buildScope({ request: { body: { auth_req_id: 'ccid-1/../../clock?to=0#' } } });
    expect(new URL(driverRequest(driver({ url }), hostile).url).pathname).toMatch(/^\/requests\/[^/]+\/approve$/);
  });

  test('half a character, which no URL can have, is replaced', () => {
    const url = buildTemplate('http://admin.test/{{ request.claims.state }}', ['request']);
    const halved = buildScope({ request: { claims: { state: 'state-\ud800', nonce: 'whole \u{1F600}' } } });
    expect(driverRequest(driver({ url }), halved).url).toBe('http://admin.test/state-%EF%BF%BD');
  });
});
