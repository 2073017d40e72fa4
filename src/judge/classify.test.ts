import { describe, expect, test } from 'vitest';
import type { Json } from '../lib/json.ts';
import { buildExchange } from '../testing/results/result.ts';
import { headersByName, summarizeResponse, summarizeCallback, throttledHeaders } from './classify.ts';
import { classifyResponse } from '../verdict/response-class.ts';
import { decodeCompactJws } from './compact-jws.ts';

describe('what a response is', () => {
  test.each<[number, Json | undefined, string]>([
    [204, undefined, 'accepted'],
    [299, {}, 'accepted'],
    [200, { error: 'invalid_request' }, 'denied'],
    [400, undefined, 'denied'],
    [400, { error: 'x' }, 'denied'],
    [499, {}, 'denied'],
    [300, {}, 'redirected'],
    [302, { error: 'x' }, 'redirected'],
    [399, {}, 'redirected'],
    [500, { error: 'server_error' }, 'broken'],
    [101, undefined, 'broken'],
  ])('%d %j: %s', (status, body, expected) => {
    expect(classifyResponse(status, body)).toBe(expected);
  });

  test('summaries', () => {
    expect(summarizeResponse('denied', 400, { error: 'invalid_request' })).toBe('denied 400 invalid_request');
    expect(summarizeResponse('accepted', 200, { error: 1 })).toBe('accepted 200');
    expect(summarizeResponse('broken', 502, undefined)).toBe('broken 502');
  });
});

describe('the summary of a callback', () => {
  test.each<[Json | undefined, boolean, boolean, string]>([
    [{ access_token: 'x' }, true, false, 'a callback with tokens'],
    [{ error: 'request_denied' }, false, true, 'a callback with error request_denied'],
    [{ access_token: 'x', error: 'y' }, true, true, 'a callback with tokens and error y'],
    [{ id_token: 'x' }, false, false, 'a callback with neither tokens nor error'],
  ])('%j', (body, tokens, error, summary) => {
    expect(summarizeCallback({ tokens, error, ...(body === undefined ? {} : { body }) })).toBe(summary);
  });
});

test('an error code longer than 100 characters is cut', () => {
  const summary = (length: number): string => summarizeResponse('denied', 400, { error: 'x'.repeat(length) });
  expect(summary(100)).toBe(`denied 400 ${'x'.repeat(100)}`);
  expect(summary(101)).toBe(`denied 400 ${'x'.repeat(100)} ...`);
});

test('headers by name: in lower case, repetitions joined in order', () => {
  const headers = headersByName([
    ['Cache-Control', 'no-store'],
    ['X-A', ''],
    ['cache-control', 'no-cache'],
    ['x-a', 'b'],
  ]);
  expect(headers).toEqual({ 'cache-control': 'no-store, no-cache', 'x-a': ', b' });
});

describe('a compact JWS, unverified', () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('header and claims', () => {
    const jws = `${part({ alg: 'none' })}.${part({ sub: 'é' })}.`;
    expect(decodeCompactJws(jws)).toEqual({ header: { alg: 'none' }, claims: { sub: 'é' } });
  });

  test.each<[unknown]>([
    [undefined],
    [5],
    ['a.b'],
    [`${part({})}.${part({})}`],
    [`${part({})}.${part({})}.x.y`],
    [`${part([])}.${part({})}.x`],
    [`${part({})}.${part('x')}.x`],
  ])('%j is none', (text) => {
    expect(decodeCompactJws(text)).toBeUndefined();
  });
});

describe('a case that throttling left without a verdict', () => {
  const answered = (status: number, step = 'copies') =>
    buildExchange({ step, response: { status, headers: [['Retry-After', '7']], body: '{}', bytes: 2 } });

  test.each<[string, readonly number[], boolean]>([
    ['the last of the copies', [200, 400, 429], true],
    ['another of the copies', [429, 200, 400], true],
    ['none of them', [200, 400, 400], false],
  ])('%s was throttled', (_, statuses, throttled) => {
    const messages = [...statuses.map((status) => answered(status)), answered(429, 'another step')];
    const found = throttledHeaders({ verdict: 'inconclusive', unmet: 'copies', messages });
    expect(found).toEqual(throttled ? { 'retry-after': '7' } : undefined);
  });
});
