import { type Cursor, entries, isList, items, place, rootOf, type YamlDocument } from '../suite/yaml/document.ts';
import { isJsonObject, type Json } from '../lib/json.ts';
import type { Problem } from '../model/problem.ts';
import type { Path } from '../suite/yaml/yaml-tree.ts';

/** A target file without the secrets that are written in it. */
interface Cleared {
  /** Nothing, or a path of no file, is in place of each secret: a message about the document cannot quote one. */
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

interface Guarded {
  /** `*` stands for any key, `#` for any index. */
  readonly paths: readonly string[];
  readonly kind: keyof typeof advice;
  readonly isInline: (value: Json) => boolean;
}

/** Where secrets may be written inline. A line that is indented too little puts a client's under `clients` or at the top. */
const guarded: readonly Guarded[] = [
  { paths: ['clients.*.secret'], kind: 'secret', isInline: isInlineSecret },
  {
    paths: ['clients.secret', 'secret'],
    kind: 'secret',
    isInline: (value) => !isJsonObject(value) && isInlineSecret(value),
  },
  { paths: ['clients.*.keys.#', 'clients.keys.#', 'keys.#'], kind: 'key', isInline: isInlineKey },
  {
    paths: ['clients.*.keys', 'clients.keys', 'keys'],
    kind: 'key',
    isInline: (value) => !isList(value) && isInlineKey(value),
  },
  { paths: ['receiver.tls.key', 'tls.key'], kind: 'key', isInline: isInlineSecret },
  {
    paths: ['receiver.tls.cert', 'receiver.tls.ca', 'tls.cert', 'tls.ca'],
    kind: 'key',
    isInline: (value) => isInlineSecret(value) && holdsKey(value),
  },
  { paths: ['proxy'], kind: 'password', isInline: (value) => typeof value === 'string' && /\/\/[^/?#]*@/.test(value) },
];

const isAt = (path: Path, pattern: string): boolean => {
  const steps = pattern.split('.');
  if (steps.length !== path.length) return false;
  return path.every((step, at) =>
    typeof step === 'number' ? steps[at] === '#' : [step, '*'].includes(steps[at] ?? ''),
  );
};

/** In a list something must stay, or the places of what follows would move. */
const instead: Json = { file: '.' };

/** Takes client secrets and keys that are written inline out of a target file, before the schema checks it. */
export function clearSecrets(document: YamlDocument): Cleared {
  const hidden: Json[] = [];
  const problems: Problem[] = [];
  const clear = (cursor: Cursor): Json | undefined => {
    const value = cursor.value ?? null;
    const found = guarded.find(({ paths, isInline }) => paths.some((one) => isAt(cursor.path, one)) && isInline(value));
    if (found !== undefined) {
      hidden.push(value);
      problems.push(document.problem({ code: 'secret-inline', ...advice[found.kind], position: place(cursor) }));
      return undefined;
    }
    if (isList(value)) return items(cursor).map((item) => clear(item) ?? instead);
    if (!isJsonObject(value)) return value;
    const kept = entries(cursor).map(([name, member]) => [name, clear(member)] as const);
    return Object.fromEntries(
      kept.flatMap(([name, member]) => (member === undefined ? [] : [[name, member] as const])),
    );
  };
  return { document: { ...document, json: clear(rootOf(document)) ?? null }, hidden, problems };
}

const variableName = /^[A-Za-z_]\w*$/;

/** Anything but `{ env: NAME }` and `{ file: PATH }`; unknown keys with a value are reported by the schema. */
function isInlineSecret(value: Json): boolean {
  if (value === null) return false;
  if (!isJsonObject(value)) return true;
  return Object.entries(value).some(([key, member]) => {
    if (key === 'env') return typeof member === 'string' && member !== '' && !variableName.test(member);
    return key !== 'file' && member === null;
  });
}

/** The private part of a P-256 key alone, as base64url: no path looks like it. */
const bareKey = /^[\w-]{40,}$/;
/** No name of a variable is so long and so mixed. */
const mixed = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{40,}$/;

/** A key, its private part, or the key itself where the name of its variable should stand. */
function isInlineKey(value: Json): boolean {
  if (holdsKey(value) || (typeof value === 'string' && bareKey.test(value))) return true;
  const name = isJsonObject(value) ? value['env'] : undefined;
  return typeof name === 'string' && name !== '' && (!variableName.test(name) || mixed.test(name));
}

/** The members that only a JWK has (RFC 7518 §6), and the beginnings of PEM and of a JWK as text. */
const keyMembers = ['kty', 'd', 'k'];
const keyText = /PRIVATE KEY|^\s*\{/;

function holdsKey(value: Json): boolean {
  if (typeof value === 'string') return keyText.test(value);
  if (isList(value)) return value.some(holdsKey);
  if (!isJsonObject(value)) return false;
  return keyMembers.some((name) => Object.hasOwn(value, name)) || Object.values(value).some(holdsKey);
}
