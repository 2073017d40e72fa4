import { countOf } from '../../lib/lists.ts';
import { createHash } from 'node:crypto';
import type { Client, ClientKey, Target } from '../../model/target.ts';
import { type Found, type Note, notesOf, ok, problem, warning } from './note.ts';

/** What every carrier can take as a kid. */
const kidPattern = /^[a-zA-Z0-9]{1,36}$/;

/** Two keys with the same public part are the same key. */
const printOf = ({ jwk }: ClientKey): string =>
  createHash('sha256')
    .update(JSON.stringify([jwk['kty'], jwk['n'] ?? jwk['x'], jwk['e'] ?? jwk['y']]))
    .digest('hex');

function noteOf(client: Client, owners: ReadonlyMap<string, readonly string[]>): Found {
  const { name, keys, secret } = client;
  const about = `client ${name}`;
  const whose = 'configuration';
  const odd = keys.find(({ kid }) => !kidPattern.test(kid));
  if (odd !== undefined) {
    const description = `the kid ${odd.kid} is not 1 to 36 letters and digits`;
    return warning(about, { whose, description, change: 'register the key under another kid, and name that' });
  }
  const shared = keys.map((key) => owners.get(printOf(key)) ?? []).find((names) => names.length > 1);
  if (shared !== undefined) {
    const description = `the same key belongs to ${shared.join(' and ')}: cases with the key of another client mean nothing`;
    return problem(about, { whose, description, change: 'give each client a key of its own' });
  }
  if (keys.length === 0 && secret === undefined) {
    return warning(about, { whose, description: 'neither a key nor a secret', change: 'name its keys under "keys"' });
  }
  const algs = keys.map(({ alg }) => alg).join(', ');
  return ok(
    about,
    keys.length === 0 ? 'a secret' : `${countOf(keys.length, 'key')} (${algs}), each signs and verifies`,
  );
}

/** Keys are tried when the target file is read; this checks to which clients they belong. */
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
