import { expect, it } from 'vitest';
import { buildDelivery, buildExchange } from '../../testing/results/result.ts';
import { collectFacets } from './case-index.ts';

it('says of each message what it is, where it went, and what the response was, once', () => {
  const set = { headers: [], body: '{"set":"e30.e30.c2ln"}', bytes: 22 };
  const messages = [
    buildExchange({ purpose: 'request' }),
    buildExchange({ purpose: 'request' }),
    buildExchange({ purpose: 'driver move-sim', url: 'https://driver.test/subscribers/first/move-sim' }),
    buildExchange({ purpose: 'jwks', url: 'no URL' }),
    buildDelivery({ target: '/si/notify?x=1' }),
    buildDelivery({ target: '//[', request: set }),
  ];
  expect(collectFacets(messages)).toEqual({
    kinds: ['request', 'driver move-sim', 'jwks', 'callback', 'event'],
    endpoints: ['/bc-authorize', '/no%20URL', '/si/notify'],
    statuses: ['200'],
  });
});

it('keeps twelve of what a carrier that is asked everywhere was asked for', () => {
  const messages = Array.from({ length: 100 }, (_, at) => buildDelivery({ target: `/${at}` }));
  expect(collectFacets(messages).endpoints).toHaveLength(12);
});
