import { onceEach } from '../../lib/lists.ts';
import { isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import type { Marking, Match } from './redaction.ts';

/** Members of a JWK that only its owner may know: RFC 7518 §6.2.2, RFC 7518 §6.3.2 and §6.4.1. */
export const privateMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

type Credential = readonly [name: string, secret: string];

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

function createScanner(names: ReadonlySet<string>): Scanner {
  const longestFirst = [...names].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(String.raw`(?<![\w-])(${longestFirst.join('|')})${between}${secret}`, 'g');
  return function* scan(text) {
    if (names.size === 0) return;
    for (const { 1: name = '', 2: value = '' } of text.matchAll(pattern)) yield [name, value];
  };
}

/** Finds credentials by their names in any text, in linear time. Names are of letters, digits and `_`. */
export const credentialScanner = onceEach(createScanner);

/** What a compact JWS or JWE is made of, and where one may begin: a header of at least nine characters. */
const joseRuns = /[\w.-]+/g;
const joseStart = 'eyJ';
const shortestHeader = 9;

/** Where a compact JWS or JWE begins in a run of its characters. Takes time in proportion to the run, whatever it is. */
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

/** Found wherever it stands, by nobody who knows it. */
export const isJose = (secret: string): boolean => startOfJose(secret) === 0 && /^[\w.-]+$/.test(secret);

function* joseIn(text: string, { mark }: Marking): Generator<Match> {
  for (const { 0: run, index } of text.matchAll(joseRuns)) {
    const start = startOfJose(run);
    if (start !== undefined)
      yield { start: index + start, end: index + run.length, mark: mark('jose', run.slice(start)) };
  }
}

/** The password in a URL (RFC 3986 §3.2.1): up to the last `@` of its authority. */
const passwords = /(\/\/?[^\s/?#@:"]*:)([^\s/?#"]+)@/g;

function* passwordsIn(text: string, { mark }: Marking): Generator<Match> {
  for (const { 1: before = '', 2: password = '', index } of text.matchAll(passwords)) {
    const start = index + before.length;
    yield { start, end: start + password.length, mark: mark('password', password) };
  }
}

/** What is a secret by its form: each JWS or JWE in compact form, and the password of each URL. */
export const secretsByForm = (text: string, marking: Marking): readonly Match[] =>
  text.includes('@') || text.includes(joseStart) ? [...passwordsIn(text, marking), ...joseIn(text, marking)] : [];

/** Characters of the first part of a JWS or JWE that is decoded, of one value that is shown, and members. */
const longestPart = 4096;
const longestValue = 60;
const mostMembers = 8;

/** What a reader of the record could take for its end, or for markup, is a question mark. */
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

/** The protected header of a compact JWS or JWE in words, `header alg RS256, kid 1`, or undefined. */
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
