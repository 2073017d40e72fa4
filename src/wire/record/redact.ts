import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../lib/json.ts';
import { replaceLiterals } from '../../lib/string-literals.ts';
import { encodingsOf } from './encodings.ts';
import { createNeedles } from './needles.ts';

/** What a compact JWS or JWE is made of, and where one may begin: a header of at least nine characters. */
const joseRuns = /[\w.-]+/g;
const joseStart = 'eyJ';
const shortestHeader = 9;

/** Every JWS or JWE in compact form, as far as its characters go. Takes time in proportion to the text, whatever it is. */
function replaceCompactJose(text: string, replace: (token: string) => string): string {
  return text.replaceAll(joseRuns, (run) => {
    let start = run.indexOf(joseStart);
    while (start >= 0) {
      const dot = run.indexOf('.', start);
      if (dot < 0) return run;
      if (dot - start >= shortestHeader) return run.slice(0, start) + replace(run.slice(start));
      start = run.indexOf(joseStart, dot);
    }
    return run;
  });
}

const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12);

/** What stands for a secret in a record: equal secrets have equal marks, nothing else can be learned. */
export const redactionMark = (what: string, secret: string): string => `[${what} sha256:${digest(secret)}]`;

/** Knows the live secrets of one case and takes them out of all that is recorded. */
export interface Redactor {
  /**
   * A secret that must not be recorded from now on, nor in base64 or percent escapes. Strings shorter than 8 characters would
   * hide innocent text.
   */
  readonly learn: (what: string, secret: string) => void;
  /** Learns the credentials in a body of ours or of the carrier's. */
  readonly learnMembers: (body: unknown) => void;
  readonly text: (text: string) => string;
  readonly json: (value: Json) => Json;
}

const shortest = 8;

function decodeLiteral(literal: string): string | undefined {
  const value = parseJson(literal);
  return typeof value === 'string' ? value : undefined;
}

/** Members of a JWK that only its owner may know: RFC 7518 §6.2.2, RFC 7518 §6.3.2 and §6.4.1. */
const privateMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

type Credential = readonly [name: string, secret: string];

/** A value that was parsed is at most 100 levels deep. */
function* credentialsIn(body: unknown, names: ReadonlySet<string>): Generator<Credential> {
  if (Array.isArray(body)) for (const item of body) yield* credentialsIn(item, names);
  if (!isJsonObject(body)) return;
  // A further prime of RSA stands in an object of its own (RFC 7518 §6.3.2.7).
  const isKey = typeof body['kty'] === 'string' || typeof body['r'] === 'string';
  for (const [name, value] of Object.entries(body)) {
    const isCredential = names.has(name) || (isKey && privateMembers.has(name));
    if (typeof value === 'string' && isCredential) yield [name, value];
    else yield* credentialsIn(value, names);
  }
}

/** The password in a URL (RFC 3986 §3.2.1). */
const passwords = /(\/\/[^\s/?#@:"]*:)([^\s/?#@"]+)@/g;

const withoutPassword = (_: string, before: string, password: string): string =>
  `${before}${redactionMark('password', password)}@`;

/** `secretMembers` are the members of bodies whose text is a credential. */
export function createRedactor(secretMembers: ReadonlySet<string> = new Set()): Redactor {
  const needles = createNeedles();
  const add = (what: string, secret: string): boolean =>
    secret.length >= shortest && needles.add(secret, redactionMark(what, secret));
  const plain = (given: string): string => {
    if (needles.isFull()) return given.length < shortest ? given : redactionMark('withheld', given);
    let out = needles.replaceIn(given);
    if (out.includes('@')) out = out.replaceAll(passwords, withoutPassword);
    return out.includes(joseStart) ? replaceCompactJose(out, (token) => redactionMark('jose', token)) : out;
  };
  const text = (given: string): string => {
    const out = plain(given);
    if (!out.includes('\\')) return out;
    return replaceLiterals(out, (literal) => {
      const decoded = literal.includes('\\') ? decodeLiteral(literal) : undefined;
      const clean = decoded === undefined ? undefined : plain(decoded);
      return clean === undefined || clean === decoded ? literal : JSON.stringify(clean);
    });
  };
  const object = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), json(member)]));
  const json = (value: Json): Json => {
    if (typeof value === 'string') return plain(value);
    if (Array.isArray(value)) return value.map(json);
    return isJsonObject(value) ? object(value) : value;
  };
  return {
    learn: (what, secret) => {
      if (!add(what, secret)) return;
      for (const encoded of encodingsOf(secret)) needles.add(encoded, redactionMark(what, secret));
    },
    learnMembers: (body) => {
      for (const [name, secret] of credentialsIn(body, secretMembers)) add(name, secret);
    },
    text,
    json,
  };
}
