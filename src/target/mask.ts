import { isJsonObject, type Json, type JsonObject, isList } from '../lib/json.ts';
import { nearestName } from '../lib/suggestion.ts';
import type { Path } from '../suite/yaml/yaml-tree.ts';
import type { Problem } from '../model/problem.ts';
import { type Cursor, entries, items, place, documentRoot, type YamlDocument } from '../suite/yaml/document.ts';

/** Target file without its inline secrets. */
interface ClearedDocument {
  /** Document in which each secret is removed, or is a harmless path, so that no message can quote it. */
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

interface SecretLocation {
  /** `*` stands for any key, `#` for any index. */
  readonly paths: readonly string[];
  readonly kind: keyof typeof advice;
  readonly isInline: (value: Json) => boolean;
}

/** Places of inline secrets. Too little indentation moves a client's secret under `clients` or to the top. */
const secretLocations: readonly SecretLocation[] = [
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

const matchesPath = (path: Path, pattern: string): boolean => {
  const steps = pattern.split('.');
  if (steps.length !== path.length) return false;
  return path.every((step, at) =>
    typeof step === 'number' ? steps[at] === '#' : [step, '*'].includes(steps[at] ?? ''),
  );
};

/** Replaces a secret in a list, because removing the item would shift the places of those after it. */
const secretSubstitute: Json = { file: '.' };

/** Removes inline secrets and keys from a target file, before the schema checks it. */
export function clearSecrets(document: YamlDocument): ClearedDocument {
  const hidden: Json[] = [];
  const problems: Problem[] = [];
  const clear = (cursor: Cursor): Json | undefined => {
    const value = cursor.value ?? null;
    const found = secretLocations.find(
      ({ paths, isInline }) => paths.some((one) => matchesPath(cursor.path, one)) && isInline(value),
    );
    if (found !== undefined) {
      hidden.push(value);
      problems.push(document.problem({ code: 'secret-inline', ...advice[found.kind], position: place(cursor) }));
      return undefined;
    }
    if (isList(value)) return items(cursor).map((item) => clear(item) ?? secretSubstitute);
    if (!isJsonObject(value)) return value;
    const kept = entries(cursor).map(([name, member]) => [name, clear(member)] as const);
    return Object.fromEntries(
      kept.flatMap(([name, member]) => (member === undefined ? [] : [[name, member] as const])),
    );
  };
  return { document: { ...document, json: clear(documentRoot(document)) ?? null }, hidden, problems };
}

const variablePattern = /^[A-Za-z_]\w*$/;

/** Whether a value is anything but `{ env: NAME }` or `{ file: PATH }`. The schema reports unknown keys with a value. */
function isInlineSecret(value: Json): boolean {
  if (value === null) return false;
  if (!isJsonObject(value)) return true;
  return Object.entries(value).some(([key, member]) => {
    if (key === 'env') return typeof member === 'string' && member !== '' && !variablePattern.test(member);
    return key !== 'file' && member === null;
  });
}

/** Private part of a P-256 key in base64url; no path looks like this. */
const bareKeyPattern = /^[\w-]{40,}$/;
/** No variable name is this long and mixed. */
const mixedNamePattern = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w-]{40,}$/;

/** Whether a value is a key, its private part, or a key in place of its variable's name. */
function isInlineKey(value: Json): boolean {
  if (holdsKey(value) || (typeof value === 'string' && bareKeyPattern.test(value))) return true;
  const name = isJsonObject(value) ? value['env'] : undefined;
  return typeof name === 'string' && name !== '' && (!variablePattern.test(name) || mixedNamePattern.test(name));
}

/** Members that only a JWK has (RFC 7518 §6), and the beginnings of a PEM and of a JWK as text. */
const jwkMembers = ['kty', 'd', 'k'];
const keyTextPattern = /PRIVATE KEY|^\s*\{/;

function holdsKey(value: Json): boolean {
  if (typeof value === 'string') return keyTextPattern.test(value);
  if (isList(value)) return value.some(holdsKey);
  if (!isJsonObject(value)) return false;
  return jwkMembers.some((name) => Object.hasOwn(value, name)) || Object.values(value).some(holdsKey);
}

/** Sources of the words that problems of a target file may show. */
interface MaskSources {
  /** The file's schema. Only values that it knows and that are not `writeOnly` are shown. */
  readonly schema: unknown;
  /** The file's content without inline secrets; null if it is not YAML. */
  readonly json: Json;
  /** Inline secrets; their words are hidden everywhere. */
  readonly hidden: readonly Json[];
}

interface HarmlessWords {
  readonly schema: unknown;
  readonly keys: Set<string>;
  readonly values: Set<string>;
}

/** Unlike an asterisk, it has no meaning in YAML. */
const maskCharacter = '•';
const hiddenWord = maskCharacter.repeat(3);
const hiddenKey = `"${hiddenWord}"`;

const wordPattern = /[^\s"'{}[\],]+/g;
/** YAML syntax. Anything else may be part of a secret. */
const syntaxPattern = /^[-:?|>#~]{1,3}$/;

const stripColons = (run: string): string => {
  const bare = run.replace(/^:+|(?<!:):+$/g, '');
  const number = Number(bare);
  return bare !== '' && Number.isFinite(number) ? String(number) : bare;
};
const splitMaskWords = (text: string): readonly string[] => (text.match(wordPattern) ?? []).map(stripColons);

/** Masks every word of a source line that is not known to be harmless, because a secret may stand next to the mistake. */
export function createMask({ schema, json, hidden }: MaskSources): (problem: Problem) => Problem {
  const shown: HarmlessWords = {
    schema,
    keys: new Set(listSchemaKeys(schema)),
    values: new Set(['true', 'false', 'null']),
  };
  collectHarmless(json, schema, shown);
  const secret = new Set(hidden.flatMap(listScalars).flatMap(splitMaskWords));
  const isShown = (word: string, isKey: boolean): boolean =>
    !secret.has(word) && (syntaxPattern.test(word) || shown.values.has(word) || (isKey && shown.keys.has(word)));
  const maskLine = (line: string): string =>
    line.replace(wordPattern, (run, offset: number) => {
      const isKey = run.endsWith(':') || /^["']?\s*:/.test(line.slice(offset + run.length));
      return /^:+$/.test(run) || isShown(stripColons(run), isKey) ? run : run.replace(/[^:]|:(?!$)/g, maskCharacter);
    });
  const valueless = listBareKeys(json);
  return (problem) => {
    if (problem.sourceLine === undefined) return problem;
    const sourceLine = maskLine(problem.sourceLine);
    const hide = (message: string, key: string): string =>
      sourceLine.includes(key) ? message : message.replaceAll(`"${key}"`, hiddenKey);
    return { ...problem, sourceLine, message: valueless.reduce(hide, problem.message) };
  };
}

/** Quotations in messages of the YAML reader: after a colon, in quotes, a tag, an escape, a number. */
const quotationPattern = /(?<=\w): .*$|"[^"]{3,}"|!\S+|\\\S+|^(?=\S*?\d)\S+(?= is )/gs;

/** Removes quotations from messages of the YAML reader, except the name of a duplicate key. */
export function maskSyntax(problem: Problem): Problem {
  if (problem.code === 'duplicate-key') return problem;
  const hide = (text: string): string => (text.startsWith(':') ? '' : hiddenWord);
  return { ...problem, message: problem.message.replace(quotationPattern, hide) };
}

/** Lists every key in a schema, at any depth. */
function listSchemaKeys(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, member]) => [
    ...(keyword === 'properties' && isJsonObject(member) ? Object.keys(member) : []),
    ...listSchemaKeys(member),
  ]);
}

function listScalars(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(listScalars);
  return isJsonObject(value) ? [...listBareKeys(value), ...Object.values(value).flatMap(listScalars)] : [String(value)];
}

/** Lists keys without a value. If a space or colon is missing, a secret is read as one: `{ hush }`, `{ secret:"hush" }`. */
function listBareKeys(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(listBareKeys);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => (one === null ? [key] : listBareKeys(one)));
}

/** Collects harmless words by following the file and its schema together, as far as the schema goes. */
function collectHarmless(value: Json, schema: unknown, words: HarmlessWords): void {
  const known = resolveReference(schema, words.schema);
  if (known === undefined) return;
  const { properties, additionalProperties, items } = known;
  const mayHoldSecret = known['writeOnly'] === true;
  const follow = (member: Json, next: unknown): void => collectHarmless(member, mayHoldSecret ? known : next, words);
  if (isList(value)) {
    for (const item of value) follow(item, items);
  } else if (isJsonObject(value)) {
    const own = isJsonObject(properties) ? properties : {};
    for (const [name, member] of Object.entries(value)) {
      words.keys.add(name);
      follow(member, Object.hasOwn(own, name) ? own[name] : additionalProperties || nearestSchema(name, member, own));
    }
  } else {
    const shown = mayHoldSecret ? listTemplates(String(value)) : [String(value)];
    for (const word of shown.flatMap(splitMaskWords)) if (!passwordUrlPattern.test(word)) words.values.add(word);
  }
}

/** Schema for a misspelt key's plain value, taken from the nearest key; secrets never have a plain value. */
function nearestSchema(name: string, member: Json, own: JsonObject): unknown {
  const near = nearestName(name, Object.keys(own));
  const schema = near === undefined ? undefined : own[near];
  return isJsonObject(schema) && schema['type'] === typeof member ? schema : undefined;
}

/** URLs with a password are not shown. */
const passwordUrlPattern = /\/\/[^/]*@/;

/** Templates in a value; nothing else is shown of a possible credential, such as a driver's header. */
const listTemplates = (text: string): readonly string[] => text.match(/\{\{[^\n]*?(?:\}\}|(?=\n)|$)/g) ?? [];

/** Returns the definition to which a schema refers, or the schema itself. */
function resolveReference(schema: unknown, root: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isJsonObject(schema)) return undefined;
  const ref = /"#\/definitions\/(\w+)"/.exec(JSON.stringify([schema['$ref'], schema['allOf']]))?.[1];
  if (ref === undefined || !isJsonObject(root)) return schema;
  const { definitions } = root;
  const found = isJsonObject(definitions) ? definitions[ref] : undefined;
  return isJsonObject(found) ? found : undefined;
}
