import { createHash } from 'node:crypto';
import type { HeaderLines, RecordedMessage } from '../../model/exchange.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../lib/json.ts';

/** Anything that looks like a JWS or JWE in compact form. */
const compactJose = /eyJ[\w-]{6,}(?:\.[\w-]*)+/g;

const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12);

/** What stands for a secret in a record: equal secrets have equal marks, nothing else can be learned. */
export const redactionMark = (what: string, secret: string): string => `[${what} sha256:${digest(secret)}]`;

/** Knows the live secrets of one case and takes them out of all that is recorded. */
export interface Redactor {
  /** A secret that must not be recorded from now on. Strings shorter than 8 characters would hide innocent text. */
  readonly learn: (what: string, secret: string) => void;
  /** Learns the credentials in a body of ours or of the carrier's. */
  readonly learnMembers: (body: unknown) => void;
  readonly text: (text: string) => string;
  readonly json: (value: Json) => Json;
}

const shortest = 8;
/** Bodies are not followed deeper than this. */
const deepest = 20;

/** A string literal of JSON; in one with an escape a secret may hide in how it is written. */
const literals = /"(?:[^"\\]|\\.)*"/g;

function decodeLiteral(literal: string): string | undefined {
  const value = parseJson(literal);
  return typeof value === 'string' ? value : undefined;
}

function* credentialsIn(
  body: unknown,
  names: ReadonlySet<string>,
  depth = 0,
): Generator<readonly [name: string, secret: string]> {
  if (depth > deepest) return;
  if (Array.isArray(body)) for (const item of body) yield* credentialsIn(item, names, depth + 1);
  if (!isJsonObject(body)) return;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string' && names.has(name)) yield [name, value];
    else yield* credentialsIn(value, names, depth + 1);
  }
}

/** `secretMembers` are the members of bodies whose text is a credential. */
export function createRedactor(secretMembers: ReadonlySet<string> = new Set()): Redactor {
  /** Longest first: a secret that begins like another must not leave the rest of it. */
  let marks: (readonly [secret: string, mark: string])[] = [];
  const learn = (what: string, secret: string): void => {
    if (secret.length < shortest || marks.some(([known]) => known === secret)) return;
    marks = [...marks, [secret, redactionMark(what, secret)] as const].toSorted(([a], [b]) => b.length - a.length);
  };
  const plain = (given: string): string => {
    let out = given;
    for (const [secret, mark] of marks) if (out.includes(secret)) out = out.replaceAll(secret, mark);
    return out.includes('eyJ') ? out.replace(compactJose, (token) => redactionMark('jose', token)) : out;
  };
  const text = (given: string): string => {
    const out = plain(given);
    if (!out.includes('\\')) return out;
    return out.replace(literals, (literal) => {
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
    learn,
    learnMembers: (body) => {
      for (const [name, secret] of credentialsIn(body, secretMembers)) learn(name, secret);
    },
    text,
    json,
  };
}

/** Characters of a body that are kept in the result. */
const recordedLimit = 16 * 1024;

const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-authorization',
  'cookie',
  'set-cookie',
]);

/** The schemes that are no secret themselves; after any other word everything is. */
const scheme = /^(bearer|basic|digest|dpop|negotiate) +(.+)$/is;

function recordHeader([name, value]: readonly [string, string], redactor: Redactor): readonly [string, string] {
  const kind = name.toLowerCase();
  if (!credentialHeaders.has(kind)) return [name, redactor.text(value)];
  const [, word, credential] = (kind.endsWith('cookie') ? null : scheme.exec(value)) ?? [];
  if (word === undefined || credential === undefined) return [name, redactionMark('credential', value)];
  return [name, `${word} ${redactionMark('token', credential)}`];
}

/** A message as it was on the wire. */
export interface WireMessage {
  readonly headers: HeaderLines;
  readonly body: string | Buffer;
  /** Length of the whole body, where more came than was kept. */
  readonly bytes?: number;
}

/** One half of an exchange as it goes into the result: secrets out, length bounded. */
export function recordMessage({ headers, body, bytes: whole }: WireMessage, redactor: Redactor): RecordedMessage {
  const kept = Buffer.byteLength(body);
  const bytes = whole ?? kept;
  const text = redactor.text(typeof body === 'string' ? body : body.toString('utf8'));
  return {
    headers: headers.map((line) => recordHeader(line, redactor)),
    body: text.slice(0, recordedLimit),
    bytes,
    ...(text.length > recordedLimit || bytes > kept ? { truncated: true as const } : {}),
  };
}
