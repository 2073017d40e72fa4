import { isJsonObject, type Json } from '../model/json.ts';
import type { Problem } from '../model/problem.ts';
import { at, type Cursor, entries, isList, items, place, rootOf } from '../suite/yaml/cursor.ts';
import type { YamlDocument } from '../suite/yaml/document.ts';

/** What a target file says apart from the secrets that stand in it, and what is hidden with them. */
export interface Cleared {
  /** With nothing, or the path of no file, in place of each secret: what is said of it cannot quote one. */
  readonly document: YamlDocument;
  readonly hidden: readonly Json[];
  readonly problems: readonly Problem[];
}

const advice = {
  secret: { message: 'a client secret does not belong in this file', hint: 'write { env: NAME } or { file: PATH }' },
  key: {
    message: 'a key does not belong in this file',
    hint: 'save it as a file and write { file: PATH }, or { env: NAME }',
  },
  password: { message: 'a URL with a password does not belong in this file', hint: 'write { env: NAME }' },
};

/** A URL that carries a password, or a name that is one. */
const userInfo = /\/\/[^/?#]*@/;

/** Takes client secrets and keys that are written inline out of a target file, before anything else is said of it. */
export function clearSecrets(document: YamlDocument): Cleared {
  const root = rootOf(document);
  const clients = entries(at(root, 'clients')).map(([, client]) => client);
  // Where a line is indented less than it should be, the secret of a client stands under `clients` or at the top.
  const astray = [root, at(root, 'clients')];
  const secrets = [
    ...clients.map((client) => at(client, 'secret')).filter(({ value }) => isInlineSecret(value)),
    ...astray
      .map((cursor) => at(cursor, 'secret'))
      .filter(({ value }) => !isJsonObject(value) && isInlineSecret(value)),
  ];
  const keys = [
    ...[...clients, ...astray].flatMap((cursor) => inlineKeys(at(cursor, 'keys'))),
    ...[at(at(root, 'receiver'), 'tls'), at(root, 'tls')]
      .flatMap((cursor) => ['key', 'cert', 'ca'].map((name) => at(cursor, name)))
      .filter(({ value, path }) => isInlineSecret(value) && (path.at(-1) === 'key' || holdsKey(value))),
  ];
  const passwords = [at(root, 'proxy')].filter(({ value }) => typeof value === 'string' && userInfo.test(value));
  const found = [...secrets, ...keys, ...passwords];
  const complain = (cursor: Cursor, kind: keyof typeof advice): Problem =>
    document.problem({ code: 'secret-inline', ...advice[kind], position: place(cursor) });
  return {
    document: { ...document, json: leaveOut(root, new Set(found.map(nameOf))) },
    hidden: found.map(({ value }) => value ?? null),
    problems: [
      ...secrets.map((one) => complain(one, 'secret')),
      ...keys.map((one) => complain(one, 'key')),
      ...passwords.map((one) => complain(one, 'password')),
    ],
  };
}

const variableName = /^[A-Za-z_]\w*$/;

/** Anything but `{ env: NAME }` and `{ file: PATH }`; of an unknown key that has a value the schema speaks. */
function isInlineSecret(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (!isJsonObject(value)) return true;
  return Object.entries(value).some(([key, member]) => {
    if (key === 'env') return typeof member === 'string' && member !== '' && !variableName.test(member);
    return key !== 'file' && member === null;
  });
}

function inlineKeys(cursor: Cursor): readonly Cursor[] {
  const written = isList(cursor.value) ? items(cursor) : [cursor];
  return written.filter(
    ({ value }) => holdsKey(value) || (typeof value === 'string' && bareKey.test(value)) || isKeyAsVariable(value),
  );
}

/** The members that only a JWK has (RFC 7518 §6), and the beginnings of PEM and of a JWK as text. */
const keyMembers = ['kty', 'd', 'k'];
const keyText = /PRIVATE KEY|^\s*\{/;
/** The private part of a P-256 key alone, as base64url: no path looks like it. */
const bareKey = /^[\w-]{40,}$/;

/** No name of a variable is so long and so mixed. */
const mixed = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{40,}$/;

/** The key itself where the name of its variable should stand. */
function isKeyAsVariable(value: Json | undefined): boolean {
  const name = isJsonObject(value) ? value['env'] : undefined;
  return typeof name === 'string' && name !== '' && (!variableName.test(name) || mixed.test(name));
}

function holdsKey(value: Json | undefined): boolean {
  if (typeof value === 'string') return keyText.test(value);
  if (isList(value)) return value.some(holdsKey);
  if (!isJsonObject(value)) return false;
  return keyMembers.some((name) => Object.hasOwn(value, name)) || Object.values(value).some(holdsKey);
}

const nameOf = ({ path }: Cursor): string => JSON.stringify(path);

/** In a list something must stay, or the places of what follows would move. */
const instead: Json = { file: '.' };

function leaveOut(cursor: Cursor, found: ReadonlySet<string>): Json {
  const isFound = (one: Cursor): boolean => found.has(nameOf(one));
  if (isList(cursor.value)) return items(cursor).map((item) => (isFound(item) ? instead : leaveOut(item, found)));
  if (!isJsonObject(cursor.value)) return cursor.value ?? null;
  const kept = entries(cursor).filter(([, member]) => !isFound(member));
  return Object.fromEntries(kept.map(([name, member]) => [name, leaveOut(member, found)] as const));
}
