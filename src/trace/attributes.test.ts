import { expect, test } from 'vitest';
import type { Delivery, Exchange } from '../model/exchange.ts';
import { caseAttributes, deliveryAttributes, exchangeAttributes, isoOf, nameOf } from './attributes.ts';

const half = { headers: [['authorization', 'Bearer x']], body: 'a-body', bytes: 6 } as const;

const exchange = (parts: Partial<Exchange>): Exchange => ({
  id: 'a#x1',
  kind: 'exchange',
  step: 'send',
  purpose: 'token',
  sentAt: 0,
  receivedAt: 1,
  method: 'POST',
  url: 'https://op.carrier.test/token',
  request: half,
  differences: [],
  ...parts,
});

const delivery = (parts: Partial<Delivery>): Delivery => ({
  id: 'a#d1',
  kind: 'delivery',
  receivedAt: 0,
  method: 'POST',
  target: '/si/notify',
  request: half,
  answered: 204,
  ...parts,
});

test('an exchange is what the HTTP conventions say of a client, without header and body', () => {
  const given = exchange({ response: { status: 400, ...half }, attempt: 'again' });
  expect(exchangeAttributes(given)).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 400,
    'url.full': 'https://op.carrier.test/token',
    'server.address': 'op.carrier.test',
    'server.port': 443,
    'carrierspec.message.id': 'a#x1',
    'carrierspec.step': 'send',
    'carrierspec.try': 'again',
    'carrierspec.purpose': 'token',
    'carrierspec.sent_at': '1970-01-01T00:00:00.000Z',
  });
});

test.each([
  ['http://u:p@a.test:8080/x?code=s3cret&state=s&code=other#frag', 'http://a.test:8080/x?code=REDACTED&state=REDACTED'],
  ['http://[::1]:1/?%26=s3cret&=s3cret&s', 'http://[::1]:1/?%26=REDACTED&=REDACTED&s=REDACTED'],
  ['not a url', undefined],
])('no value of a query, no user and no fragment: %s', (url, full) => {
  const attributes = exchangeAttributes(exchange({ url }));
  expect(attributes['url.full']).toBe(full);
  expect(JSON.stringify(attributes)).not.toContain('s3cret');
});

test('where nothing came, and where the carrier failed, it is an error', () => {
  const silent = exchange({ noResponse: { reason: 'timeout', detail: 'after 30 s' } });
  expect(exchangeAttributes(silent)).toMatchObject({ 'error.type': 'timeout' });
  expect(exchangeAttributes(exchange({ response: { status: 503, ...half } }))).toMatchObject({ 'error.type': '503' });
});

test('a method that nobody knows makes no name', () => {
  const given = delivery({ method: 'PROPFIND' });
  expect(nameOf(given)).toBe('HTTP');
  expect(deliveryAttributes(given, 'https')).toMatchObject({
    'http.request.method': '_OTHER',
    'http.request.method_original': 'PROPFIND',
  });
});

test('a delivery is what the conventions say of a server', () => {
  expect(deliveryAttributes(delivery({ target: '/canary/ab?token=s3cret', stranger: true }), 'https')).toEqual({
    'http.request.method': 'POST',
    'url.scheme': 'https',
    'url.path': '/canary/ab',
    'http.response.status_code': 204,
    'carrierspec.message.id': 'a#d1',
    'carrierspec.stranger': true,
    'carrierspec.received_at': '1970-01-01T00:00:00.000Z',
  });
  expect(deliveryAttributes(delivery({ answered: 'reset' }), 'http')).toMatchObject({
    'carrierspec.answered': 'reset',
  });
});

test('a moment that is none is told as it is', () => {
  expect([isoOf(8.65e15), isoOf(Number.NaN)]).toEqual(['8650000000000000', 'NaN']);
});

test('a case that another one tries belongs to that one', () => {
  expect([caseAttributes({ id: 'a' }), caseAttributes({ id: 'plain', of: 'a' }), caseAttributes({})]).toEqual([
    { 'carrierspec.case.id': 'a' },
    { 'carrierspec.case.id': 'a', 'carrierspec.try.case': 'plain' },
    {},
  ]);
});
