import { isJsonObject } from '../../lib/json.ts';

/** Members of a JWK that only its owner may know: RFC 7518 §6.2.2, RFC 7518 §6.3.2 and §6.4.1. */
export const privateMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

export type Credential = readonly [name: string, secret: string];

/** All that a credential may be written as: a text, a number, or a list of them. */
function valuesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return Array.isArray(value) ? value.flatMap(valuesOf) : [];
}

function collect(body: unknown, names: ReadonlySet<string>, found: Credential[]): void {
  if (Array.isArray(body)) for (const item of body) collect(item, names, found);
  if (!isJsonObject(body)) return;
  // A further prime of RSA stands in an object of its own (RFC 7518 §6.3.2.7).
  const isKey = 'kty' in body || 'r' in body;
  for (const [name, value] of Object.entries(body)) {
    if (names.has(name) || (isKey && privateMembers.has(name)))
      for (const secret of valuesOf(value)) found.push([name, secret]);
    if (typeof value === 'object') collect(value, names, found);
  }
}

/** The credentials in a value that was parsed, which is at most 100 levels deep. */
export function credentialsIn(body: unknown, names: ReadonlySet<string>): readonly Credential[] {
  const found: Credential[] = [];
  collect(body, names, found);
  return found;
}

/** What may stand between a name and its value, in JSON, in JSON as text, in a form and in a line of a log. */
const between = String.raw`\\{0,3}["']?[ \t]{0,8}[:=][ \t]{0,8}\\{0,3}["']?`;
const secret = String.raw`([^\s"'&,;<>{}\[\]\\]{8,4096})`;

type Scanner = (text: string) => Generator<Credential>;

const scanners = new WeakMap<ReadonlySet<string>, Scanner>();

function createScanner(names: ReadonlySet<string>): Scanner {
  const longestFirst = [...names].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(String.raw`(?<![\w-])(${longestFirst.join('|')})${between}${secret}`, 'g');
  return function* scan(text) {
    if (names.size === 0) return;
    for (const { 1: name = '', 2: value = '' } of text.matchAll(pattern)) yield [name, value];
  };
}

/**
 * Looks for credentials by their names in text that may be anything: JSON with a mistake or a name twice, a form, JSON in a text.
 * Takes time in proportion to the text, whatever it is. The names are of letters, digits and `_`.
 */
export function credentialScanner(names: ReadonlySet<string>): Scanner {
  const scanner = scanners.get(names) ?? createScanner(names);
  scanners.set(names, scanner);
  return scanner;
}
