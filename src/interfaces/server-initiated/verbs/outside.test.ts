import { expect, test } from 'vitest';
import { readOutsideValues } from './authorize.ts';

const url = 'https://op.example/si?tenant=7&state=query';

test.each([
  [JSON.stringify({ request: 'a.b.c', state: 'body', expires_in: 60 }), { tenant: '7', state: 'body', expires_in: 60 }],
  ['request=a.b.c&nonce=n', { tenant: '7', state: 'query', nonce: 'n' }],
  [undefined, { tenant: '7', state: 'query' }],
])('beside the request object of %s stands %o', (body, outside) =>
  expect(readOutsideValues({ url, ...(body === undefined ? {} : { body }) })).toEqual(outside),
);
