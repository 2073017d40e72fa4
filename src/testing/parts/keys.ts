import { readFileSync } from 'node:fs';
import { isJsonObject } from '../../lib/json.ts';
import type { Client, ClientKey } from '../../model/target.ts';

const folder = 'fixtures/reference/keys';

/** A key of the reference carrier's registrations, with its private part. */
export function referenceKey(file: string): ClientKey {
  const jwk: unknown = JSON.parse(readFileSync(`${folder}/${file}.json`, 'utf8'));
  if (!isJsonObject(jwk) || typeof jwk['kid'] !== 'string' || typeof jwk['alg'] !== 'string') {
    throw new Error(`${file} is no key`);
  }
  return { kid: jwk['kid'], alg: jwk['alg'], jwk };
}

export const rsaKey = (): ClientKey => referenceKey('main-conftestkey01');
export const ecKey = (): ClientKey => referenceKey('two-keys-b');

/** An SP registration with an RSA key; `parts` override it. */
export function buildClient(parts: Partial<Client> = {}): Client {
  return {
    name: 'main',
    clientId: 'ccid-conftestclient01',
    keys: [rsaKey()],
    redirectUris: ['https://sp.test/cb', 'sptest://cb'],
    notificationUris: ['/si/notify', '/si/notify-alternate'],
    flags: { server_initiated: true },
    ...parts,
  };
}
