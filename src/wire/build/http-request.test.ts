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
])(
  'usual: a JSON POST with a request member, which the invariants on responses judge: %s: %s',
  (usual, _, difference) => expect(carry(difference).usual).toBe(usual),
);

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
