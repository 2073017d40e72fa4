import { isJsonObject, type Json, type JsonObject, isList } from '../lib/json.ts';
import { nearest } from '../lib/suggest.ts';
import type { Path } from '../suite/yaml/yaml-tree.ts';
import type { Problem } from '../model/problem.ts';
import { type Cursor, entries, items, place, documentRoot, type YamlDocument } from '../suite/yaml/document.ts';

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

/** Places where secrets may be written inline. A line with too little indentation moves a client's secret under `clients` or to the top. */
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
  return { document: { ...document, json: clear(documentRoot(document)) ?? null }, hidden, problems };
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

/** Texts that a problem of a target file may show. */
interface Showable {
  /** The schema of the file: only values that it knows, and that it does not call `writeOnly`, are shown. */
  readonly schema: unknown;
  /** The content of the file without inline secrets; null where it is no YAML. */
  readonly json: Json;
  /** Inline secrets; their words are not shown wherever they stand. */
  readonly hidden: readonly Json[];
}

interface Words {
  readonly schema: unknown;
  readonly keys: Set<string>;
  readonly values: Set<string>;
}

/** No sign of YAML, as an asterisk would be. */
const maskCharacter = '•';
const hiddenWord = maskCharacter.repeat(3);
const hiddenKey = `"${hiddenWord}"`;

const runs = /[^\s"'{}[\],]+/g;
/** The signs that hold YAML together; all else may be part of a secret. */
const sign = /^[-:?|>#~]{1,3}$/;

const bareWord = (run: string): string => {
  const bare = run.replace(/^:+|(?<!:):+$/g, '');
  const number = Number(bare);
  return bare !== '' && Number.isFinite(number) ? String(number) : bare;
};
const wordsIn = (text: string): readonly string[] => (text.match(runs) ?? []).map(bareWord);

/** Blanks every word of a source line that is not known to be harmless: a secret may stand beside the mistake. */
export function createMask({ schema, json, hidden }: Showable): (problem: Problem) => Problem {
  const shown: Words = { schema, keys: new Set(schemaKeys(schema)), values: new Set(['true', 'false', 'null']) };
  collect(json, schema, shown);
  const secret = new Set(hidden.flatMap(listScalars).flatMap(wordsIn));
  const isShown = (word: string, isKey: boolean): boolean =>
    !secret.has(word) && (sign.test(word) || shown.values.has(word) || (isKey && shown.keys.has(word)));
  const maskLine = (line: string): string =>
    line.replace(runs, (run, offset: number) => {
      const isKey = run.endsWith(':') || /^["']?\s*:/.test(line.slice(offset + run.length));
      return /^:+$/.test(run) || isShown(bareWord(run), isKey) ? run : run.replace(/[^:]|:(?!$)/g, maskCharacter);
    });
  const valueless = keysWithoutValue(json);
  return (problem) => {
    if (problem.sourceLine === undefined) return problem;
    const sourceLine = maskLine(problem.sourceLine);
    const hide = (message: string, key: string): string =>
      sourceLine.includes(key) ? message : message.replaceAll(`"${key}"`, hiddenKey);
    return { ...problem, sourceLine, message: valueless.reduce(hide, problem.message) };
  };
}

/** Quotations of the text in a message of the YAML reader: after a colon, in quotes, a tag, an escape, a number. */
const quoted = /(?<=\w): .*$|"[^"]{3,}"|!\S+|\\\S+|^(?=\S*?\d)\S+(?= is )/gs;

/** Takes quotations of the file out of messages of the YAML reader; the name of a duplicate key stays. */
export function maskSyntax(problem: Problem): Problem {
  if (problem.code === 'duplicate-key') return problem;
  const hide = (text: string): string => (text.startsWith(':') ? '' : hiddenWord);
  return { ...problem, message: problem.message.replace(quoted, hide) };
}

/** Every key that the schema names, wherever. */
function schemaKeys(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, member]) => [
    ...(keyword === 'properties' && isJsonObject(member) ? Object.keys(member) : []),
    ...schemaKeys(member),
  ]);
}

function listScalars(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(listScalars);
  return isJsonObject(value)
    ? [...keysWithoutValue(value), ...Object.values(value).flatMap(listScalars)]
    : [String(value)];
}

/** Keys without a value: if a blank or a colon is missing, a secret is read as one: `{ hush }`, `{ secret:"hush" }`. */
function keysWithoutValue(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(keysWithoutValue);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => (one === null ? [key] : keysWithoutValue(one)));
}

/** Follows the file and its schema together; what the schema does not know is not followed. */
function collect(value: Json, schema: unknown, words: Words): void {
  const known = resolve(schema, words.schema);
  if (known === undefined) return;
  const { properties, additionalProperties, items } = known;
  const mayHoldSecret = known['writeOnly'] === true;
  const follow = (member: Json, next: unknown): void => collect(member, mayHoldSecret ? known : next, words);
  if (isList(value)) {
    for (const item of value) follow(item, items);
  } else if (isJsonObject(value)) {
    const own = isJsonObject(properties) ? properties : {};
    for (const [name, member] of Object.entries(value)) {
      words.keys.add(name);
      follow(member, Object.hasOwn(own, name) ? own[name] : additionalProperties || meantBy(name, member, own));
    }
  } else {
    const shown = mayHoldSecret ? templatesIn(String(value)) : [String(value)];
    for (const word of shown.flatMap(wordsIn)) if (!credentials.test(word)) words.values.add(word);
  }
}

/** Under a misspelt key, what the key that is meant may hold as a plain value; a secret is never one. */
function meantBy(name: string, member: Json, own: JsonObject): unknown {
  const near = nearest(name, Object.keys(own));
  const schema = near === undefined ? undefined : own[near];
  return isJsonObject(schema) && schema['type'] === typeof member ? schema : undefined;
}

/** A URL that carries a password is no word to show. */
const credentials = /\/\/[^/]*@/;

/** Templates of a value. A value that may be a credential, like a driver's header, shows nothing else. */
const templatesIn = (text: string): readonly string[] => text.match(/\{\{[^\n]*?(?:\}\}|(?=\n)|$)/g) ?? [];

/** The schema itself, or the definition that it refers to. */
function resolve(schema: unknown, root: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isJsonObject(schema)) return undefined;
  const ref = /"#\/definitions\/(\w+)"/.exec(JSON.stringify([schema['$ref'], schema['allOf']]))?.[1];
  if (ref === undefined || !isJsonObject(root)) return schema;
  const { definitions } = root;
  const found = isJsonObject(definitions) ? definitions[ref] : undefined;
  return isJsonObject(found) ? found : undefined;
}
