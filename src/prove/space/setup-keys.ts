import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, parseOwnJson } from '../../lib/json.ts';
import { packageRoot, referenceFolder } from '../../setup/paths.ts';
import type { IdShape, KeyType, Setup } from './setup-grammar.ts';

const alphabets: Readonly<Record<NonNullable<IdShape['characters']>, string>> = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  letters: 'abcdefghijklmnopqrstuvwxyz',
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
};

/** The same id for the same name, in this shape. */
export function idOf(name: string, { prefix = '', length = 20, characters = 'hex' }: IdShape): string {
  const alphabet = alphabets[characters];
  const bytes = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHash('sha256').update(`${name} ${block}`).digest(),
  );
  const wanted = Buffer.concat(bytes).subarray(0, length);
  const letters = Array.from(wanted, (byte) => alphabet[byte % alphabet.length]);
  return `${prefix}${letters.join('')}`;
}

/** A client's private key, and the file of the target's folder that holds it. */
export interface DrawnKey {
  readonly file: string;
  readonly jwk: JsonObject;
}

let pool: JsonObject | undefined;

function readObject(file: string): JsonObject {
  const value = parseOwnJson(readFileSync(file, 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${file} is no JSON object`);
  return value;
}

/** A key that is made beforehand: to make one takes seconds, and no two draws would be alike. */
function keyAt(type: KeyType, at: number): JsonObject {
  pool ??= readObject(`${packageRoot}/fixtures/space/keys.json`);
  const keys = pool[type];
  const jwk = isJsonObject(keys) ? keys[at] : undefined;
  if (!isJsonObject(jwk)) throw new Error(`fixtures/space/keys.json has no ${type} number ${at}`);
  return jwk;
}

/** The private key of the reference carrier's target file. */
export const referenceKey = (file: string): JsonObject => readObject(`${referenceFolder}/${file}`);

const algOf = (type: KeyType): string => (type === 'es256' ? 'ES256' : 'RS256');

/** Each role takes keys of its own out of the pool. */
const firstOf: Readonly<Record<string, number>> = {
  main: 0,
  second: 1,
  privileged: 2,
  plain: 3,
  disabled: 4,
  'two-keys': 5,
};

/** A kid of one character and one of 36 are those of the client with several keys, so that both ends are tried (C1.30). */
const ends: Readonly<Record<number, number>> = { 0: 36, 1: 1 };

function kidOf(client: string, at: number, shape: NonNullable<Setup['kids']>): string {
  const length = client === 'two-keys' ? (ends[at] ?? shape.length) : shape.length;
  return idOf(`${client} key ${at}`, { ...shape, ...(length === undefined ? {} : { length }) });
}

const usual = { length: 14, characters: 'mixed' } as const;

/** The keys of a client, in the order of its registration. */
export function keysOf(
  client: string,
  given: readonly DrawnKey[],
  { keys, two_keys: two, kids }: Setup,
): readonly DrawnKey[] {
  const types =
    client === 'two-keys' && two !== undefined ? two : keys === undefined ? undefined : given.map(() => keys);
  const chosen = types?.map((type, at) => ({
    file: `keys/${client}-${at + 1}.json`,
    jwk: { ...keyAt(type, (firstOf[client] ?? 0) + at), alg: algOf(type) },
  }));
  if (chosen === undefined && kids === undefined) return given;
  return (chosen ?? given).map(({ file, jwk }, at) => ({
    file,
    jwk: { ...jwk, kid: kidOf(client, at, kids ?? usual) },
  }));
}

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi'];

/** What is registered of a key. */
export function publicOf(jwk: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => !privateMembers.includes(name)));
}
