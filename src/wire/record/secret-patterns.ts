import { onceEach } from '../../lib/lists.ts';
import { isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import type { Marking, Match } from './redaction.ts';

/** Private members of a JWK (RFC 7518 §6.2.2, RFC 7518 §6.3.2 and §6.4.1). */
export const privateMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

type Credential = readonly [name: string, secret: string];

/** Values of a credential: a text, a number, or a list of them. */
function valuesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return Array.isArray(value) ? value.flatMap(valuesOf) : [];
}

function collect(body: unknown, names: ReadonlySet<string>, found: Credential[]): void {
  if (Array.isArray(body)) for (const item of body) collect(item, names, found);
  if (!isJsonObject(body)) return;
  // Further primes of RSA are objects of their own (RFC 7518 §6.3.2.7).
  const isKey = 'kty' in body || 'r' in body;
  for (const [name, value] of Object.entries(body)) {
    if (names.has(name) || (isKey && privateMembers.has(name)))
      for (const secret of valuesOf(value)) found.push([name, secret]);
    if (typeof value === 'object') collect(value, names, found);
  }
}

/** Credentials in a parsed value, which is at most 100 levels deep. */
export function credentialsIn(body: unknown, names: ReadonlySet<string>): readonly Credential[] {
  const found: Credential[] = [];
  collect(body, names, found);
  return found;
}

/** Separator between name and value in JSON, in escaped JSON, in a form and in a log line. */
const between = String.raw`\\{0,3}["']?[ \t]{0,8}[:=][ \t]{0,8}\\{0,3}["']?`;
const secret = String.raw`([^\s"'&,;<>{}\[\]\\]{8,4096})`;

type Scanner = (text: string) => Generator<Credential>;

function createScanner(names: ReadonlySet<string>): Scanner {
  const longestFirst = [...names].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(String.raw`(?<![\w-])(${longestFirst.join('|')})${between}${secret}`, 'g');
  return function* scan(text) {
    if (names.size === 0) return;
    for (const { 1: name = '', 2: value = '' } of text.matchAll(pattern)) yield [name, value];
  };
}

/** Finds credentials by name in any text, in linear time. Names consist of letters, digits and `_`. */
export const credentialScanner = onceEach(createScanner);

/** Characters of a compact JWS or JWE, the start of its header, and the header's minimum length. */
const joseRuns = /[\w.-]+/g;
const joseStart = 'eyJ';
const shortestHeader = 9;

/** Start of a compact JWS or JWE in a run of its characters, in linear time. */
function startOfJose(run: string): number | undefined {
  let start = run.indexOf(joseStart);
  while (start >= 0) {
    const dot = run.indexOf('.', start);
    if (dot < 0) return undefined;
    if (dot - start >= shortestHeader) return start;
    start = run.indexOf(joseStart, dot);
  }
  return undefined;
}

/** Whether a secret is found by its form, without being known. */
export const isJose = (secret: string): boolean => startOfJose(secret) === 0 && /^[\w.-]+$/.test(secret);

function* joseIn(text: string, { mark }: Marking): Generator<Match> {
  for (const { 0: run, index } of text.matchAll(joseRuns)) {
    const start = startOfJose(run);
    if (start !== undefined)
      yield { start: index + start, end: index + run.length, mark: mark('jose', run.slice(start)) };
  }
}

/** Password in a URL (RFC 3986 §3.2.1): up to the last `@` of its authority. */
const passwords = /(\/\/?[^\s/?#@:"]*:)([^\s/?#"]+)@/g;

function* passwordsIn(text: string, { mark }: Marking): Generator<Match> {
  for (const { 1: before = '', 2: password = '', index } of text.matchAll(passwords)) {
    const start = index + before.length;
    yield { start, end: start + password.length, mark: mark('password', password) };
  }
}

/** Secrets found by form: each compact JWS or JWE, and the password of each URL. */
export const secretsByForm = (text: string, marking: Marking): readonly Match[] =>
  text.includes('@') || text.includes(joseStart) ? [...passwordsIn(text, marking), ...joseIn(text, marking)] : [];

/** Limits of a decoded header: characters of the first segment, characters of a value, and members. */
const longestPart = 4096;
const longestValue = 60;
const mostMembers = 8;

/** Replaces characters that could end the record or act as markup with question marks. */
const plain = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most)}...` : text).replaceAll(/[^\w.:/+=@~ -]/g, '?');

function wordsOf(value: Json, isSecret: (text: string) => boolean): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '(list)' : '(object)';
  const text = String(value);
  return isSecret(text) ? '(redacted)' : plain(text, longestValue);
}

interface Hidden {
  readonly isSecret: (text: string) => boolean;
  readonly names: ReadonlySet<string>;
}

/** Protected header of a compact JWS or JWE as text, `header alg RS256, kid 1`, or undefined. */
export function headerWords(jose: string, { isSecret, names }: Hidden): string | undefined {
  const end = isJose(jose) ? jose.indexOf('.') : 0;
  if (end === 0 || end > longestPart) return undefined;
  const header = parseJson(Buffer.from(jose.slice(0, end), 'base64url').toString('utf8'));
  if (!isJsonObject(header)) return undefined;
  const members = Object.entries(header).slice(0, mostMembers);
  const shown = members.map(([name, value]) => {
    const hides = names.has(name) || isSecret(name);
    return hides ? '(redacted)' : `${plain(name, 20)} ${wordsOf(value, isSecret)}`;
  });
  return shown.length === 0 ? undefined : `header ${shown.join(', ').slice(0, 300).trimEnd()}`;
}
