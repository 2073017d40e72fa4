import { expect, test } from 'vitest';
import { credentialSecret, flagSecrets } from './inquiry.ts';

test.each([
  ['12345', []],
  ['123456', ['123456']],
])('a credential of 6 characters is hidden, a shorter one may occur by chance: %s', (value, hidden) => {
  const none = { claim: [], header: [], parameters: {}, http_headers: {} };
  const shown = [
    credentialSecret('token', value),
    flagSecrets({ ...none, claim: [`access_token=${value}`] }),
    flagSecrets({ ...none, parameters: { client_secret: value } }),
    flagSecrets({ ...none, http_headers: { authorization: `Bearer ${value}` } }),
  ];
  expect(shown.map((secrets) => secrets.map(([, secret]) => secret))).toEqual([hidden, hidden, hidden, hidden]);
});
