import { isList } from '../suite/yaml/document.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import { nearest } from '../lib/suggest.ts';
import type { Problem } from '../model/problem.ts';

/** What a problem of a target file may show. */
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

const wordOf = (run: string): string => {
  const bare = run.replace(/^:+|(?<!:):+$/g, '');
  const number = Number(bare);
  return bare !== '' && Number.isFinite(number) ? String(number) : bare;
};
const wordsIn = (text: string): readonly string[] => (text.match(runs) ?? []).map(wordOf);

/**
 * Blanks in a problem's source line every word that is not known to be harmless: a secret may stand beside the mistake,
 * under a misspelt key, in a comment, or in a file that is no YAML. Columns stay.
 */
export function createMask({ schema, json, hidden }: Showable): (problem: Problem) => Problem {
  const shown: Words = {
    schema,
    keys: new Set(keysOf(schema)),
    values: new Set(['true', 'false', 'null']),
  };
  collect(json, schema, shown);
  const secret = new Set(hidden.flatMap(scalarsOf).flatMap(wordsIn));
  const isShown = (word: string, isKey: boolean): boolean =>
    !secret.has(word) && (sign.test(word) || shown.values.has(word) || (isKey && shown.keys.has(word)));
  const maskLine = (line: string): string =>
    line.replace(runs, (run, offset: number) => {
      const isKey = run.endsWith(':') || /^["']?\s*:/.test(line.slice(offset + run.length));
      return /^:+$/.test(run) || isShown(wordOf(run), isKey) ? run : run.replace(/[^:]|:(?!$)/g, maskCharacter);
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

/** What a message of the YAML reader may quote of the text: after a colon, in quotes, a tag, an escape, a number. */
const quoted = /(?<=\w): .*$|"[^"]{3,}"|!\S+|\\\S+|^(?=\S*?\d)\S+(?= is )/gs;

/** Takes quotations of the file out of messages of the YAML reader; the name of a duplicate key stays. */
export function maskSyntax(problem: Problem): Problem {
  if (problem.code === 'duplicate-key') return problem;
  const hide = (text: string): string => (text.startsWith(':') ? '' : hiddenWord);
  return { ...problem, message: problem.message.replace(quoted, hide) };
}

/** Every key that the schema names, wherever. */
function keysOf(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, member]) => [
    ...(keyword === 'properties' && isJsonObject(member) ? Object.keys(member) : []),
    ...keysOf(member),
  ]);
}

function scalarsOf(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(scalarsOf);
  return isJsonObject(value)
    ? [...keysWithoutValue(value), ...Object.values(value).flatMap(scalarsOf)]
    : [String(value)];
}

/** Where a blank or a colon is missing, a secret is read as a key without a value: `{ hush }`, `{ secret:"hush" }`. */
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

/** Of a value that may be a credential, as a header of a driver is, only the templates are shown. */
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
