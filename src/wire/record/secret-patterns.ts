import { memoizeByObject } from '../../lib/lists.ts';
import { isJsonObject, type Json, parseJson } from '../../lib/json.ts';
import type { MarkBudget, SecretMatch } from './redaction-marks.ts';

/** Private members of a JWK (RFC 7518 §6.2.2, RFC 7518 §6.3.2 and §6.4.1). */
export const privateJwkMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

type Credential = readonly [name: string, secret: string];

/** Values of a credential: a text, a number, or a list of them. */
function credentialValues(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return Array.isArray(value) ? value.flatMap(credentialValues) : [];
}

function collectCredentials(body: unknown, names: ReadonlySet<string>, found: Credential[]): void {
  if (Array.isArray(body)) for (const item of body) collectCredentials(item, names, found);
  if (!isJsonObject(body)) return;
  // Further primes of RSA are objects of their own (RFC 7518 §6.3.2.7).
  const isKey = 'kty' in body || 'r' in body;
  for (const [name, value] of Object.entries(body)) {
    if (names.has(name) || (isKey && privateJwkMembers.has(name)))
      for (const secret of credentialValues(value)) found.push([name, secret]);
    if (typeof value === 'object') collectCredentials(value, names, found);
  }
}

/** Credentials in a parsed value, which is at most 100 levels deep. */
export function findCredentials(body: unknown, names: ReadonlySet<string>): readonly Credential[] {
  const found: Credential[] = [];
  collectCredentials(body, names, found);
  return found;
}

/** Separator between name and value in JSON, in escaped JSON, in a form and in a log line. */
const separatorPattern = String.raw`\\{0,3}["']?[ \t]{0,8}[:=][ \t]{0,8}\\{0,3}["']?`;
const secretPattern = String.raw`([^\s"'&,;<>{}\[\]\\]{8,4096})`;

type Scanner = (text: string) => Generator<Credential>;

function createScanner(names: ReadonlySet<string>): Scanner {
  const longestFirst = [...names].toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(String.raw`(?<![\w-])(${longestFirst.join('|')})${separatorPattern}${secretPattern}`, 'g');
  return function* scan(text) {
    if (names.size === 0) return;
    for (const { 1: name = '', 2: value = '' } of text.matchAll(pattern)) yield [name, value];
  };
}

/** Finds credentials by name in any text, in linear time. Names consist of letters, digits and `_`. */
export const credentialScanner = memoizeByObject(createScanner);

/** Characters of a compact JWS or JWE, the start of its header, and the header's minimum length. */
const joseRuns = /[\w.-]+/g;
const joseStart = 'eyJ';
const minHeaderLength = 9;

/** Start of a compact JWS or JWE in a run of its characters, in linear time. */
function findJoseStart(run: string): number | undefined {
  let start = run.indexOf(joseStart);
  while (start >= 0) {
    const dot = run.indexOf('.', start);
    if (dot < 0) return undefined;
    if (dot - start >= minHeaderLength) return start;
    start = run.indexOf(joseStart, dot);
  }
  return undefined;
}

/** Whether a secret is found by its form, without being known. */
export const isJose = (secret: string): boolean => findJoseStart(secret) === 0 && /^[\w.-]+$/.test(secret);

function* findJose(text: string, { mark }: MarkBudget): Generator<SecretMatch> {
  for (const { 0: run, index } of text.matchAll(joseRuns)) {
    const start = findJoseStart(run);
    if (start !== undefined)
      yield { start: index + start, end: index + run.length, mark: mark('jose', run.slice(start)) };
  }
}

/** Password in a URL (RFC 3986 §3.2.1): up to the last `@` of its authority. */
const passwordPattern = /(\/\/?[^\s/?#@:"]*:)([^\s/?#"]+)@/g;

function* findPasswords(text: string, { mark }: MarkBudget): Generator<SecretMatch> {
  for (const { 1: before = '', 2: password = '', index } of text.matchAll(passwordPattern)) {
    const start = index + before.length;
    yield { start, end: start + password.length, mark: mark('password', password) };
  }
}

/** Secrets found by form: each compact JWS or JWE, and the password of each URL. */
export const secretsByForm = (text: string, marking: MarkBudget): readonly SecretMatch[] =>
  text.includes('@') || text.includes(joseStart) ? [...findPasswords(text, marking), ...findJose(text, marking)] : [];

/** Limits of a decoded header: characters of the first segment, characters of a value, and members. */
const maxHeaderSegment = 4096;
const maxShownHeaderValue = 60;
const maxHeaderMembers = 8;

/** Replaces characters that could end the record or act as markup with question marks. */
const inertText = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most)}...` : text).replaceAll(/[^\w.:/+=@~ -]/g, '?');

function headerValueText(value: Json, isSecret: (text: string) => boolean): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '(list)' : '(object)';
  const text = String(value);
  return isSecret(text) ? '(redacted)' : inertText(text, maxShownHeaderValue);
}

interface HeaderSecrets {
  readonly isSecret: (text: string) => boolean;
  readonly names: ReadonlySet<string>;
}

/** Protected header of a compact JWS or JWE as text, `header alg RS256, kid 1`, or undefined. */
export function headerWords(jose: string, { isSecret, names }: HeaderSecrets): string | undefined {
  const end = isJose(jose) ? jose.indexOf('.') : 0;
  if (end === 0 || end > maxHeaderSegment) return undefined;
  const header = parseJson(Buffer.from(jose.slice(0, end), 'base64url').toString('utf8'));
  if (!isJsonObject(header)) return undefined;
  const members = Object.entries(header).slice(0, maxHeaderMembers);
  const shown = members.map(([name, value]) => {
    const hides = names.has(name) || isSecret(name);
    return hides ? '(redacted)' : `${inertText(name, 20)} ${headerValueText(value, isSecret)}`;
  });
  return shown.length === 0 ? undefined : `header ${shown.join(', ').slice(0, 300).trimEnd()}`;
}
