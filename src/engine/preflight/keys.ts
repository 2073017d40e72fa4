import { createHash } from 'node:crypto';
import type { Client, ClientKey, Target } from '../../model/target.ts';
import { countOf, type Note, notesOf } from './note.ts';

/** §2.2 kid. */
const kidPattern = /^[a-zA-Z0-9]{1,36}$/;

/** Two keys with the same public part are the same key. */
const printOf = ({ jwk }: ClientKey): string =>
  createHash('sha256')
    .update(JSON.stringify([jwk['kty'], jwk['n'] ?? jwk['x'], jwk['e'] ?? jwk['y']]))
    .digest('hex');

function noteOf(client: Client, owners: ReadonlyMap<string, readonly string[]>): Omit<Note, 'check'> {
  const { name, keys, secret } = client;
  const about = `client ${name}`;
  const mine = { about, whose: 'configuration' } as const;
  const odd = keys.find(({ kid }) => !kidPattern.test(kid));
  if (odd !== undefined) {
    const description = `the kid ${odd.kid} is not 1 to 36 letters and digits (§2.2)`;
    return { ...mine, state: 'warning', description, change: 'register the key under another kid, and name that' };
  }
  const shared = keys.map((key) => owners.get(printOf(key)) ?? []).find((names) => names.length > 1);
  if (shared !== undefined) {
    const description = `the same key belongs to ${shared.join(' and ')}: cases with the key of another client mean nothing`;
    return { ...mine, state: 'problem', description, change: 'give each client a key of its own' };
  }
  if (keys.length === 0 && secret === undefined) {
    return {
      ...mine,
      state: 'warning',
      description: 'neither a key nor a secret',
      change: 'name its keys under "keys"',
    };
  }
  const algs = keys.map(({ alg }) => alg).join(', ');
  const has = keys.length === 0 ? 'a secret' : `${countOf(keys.length, 'key')} (${algs}), each signs and verifies`;
  return { about, state: 'ok', description: has };
}

/** Keys have been tried when the target file was read; here is how they are shared out. */
export function checkKeys({ clients }: Target): readonly Note[] {
  const owners = new Map<string, string[]>();
  for (const { name, keys } of clients) {
    for (const key of keys) owners.set(printOf(key), [...(owners.get(printOf(key)) ?? []), name]);
  }
  return notesOf(
    'keys',
    clients.map((client) => noteOf(client, owners)),
  );
}
