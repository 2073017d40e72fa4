import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';

/** Members of bodies whose string values are credentials (§2.6, RFC 6749). */
const secretMembers: ReadonlySet<string> = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'code',
  'client_notification_token',
  'client_assertion',
  'client_secret',
]);

/** Anything that looks like a JWS or JWE in compact form. */
const compactJose = /eyJ[\w-]{6,}(?:\.[\w-]*)+/g;

const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12);

/** What stands for a secret in a record: equal secrets have equal marks, nothing else can be learned. */
export const redactionMark = (what: string, secret: string): string => `[${what} sha256:${digest(secret)}]`;

/** Knows the live secrets of one case and takes them out of whatever is to be recorded. */
export interface Redactor {
  /** A secret that must not be recorded from now on. Strings shorter than 8 characters would hide innocent text. */
  readonly learn: (what: string, secret: string) => void;
  /** Learns the credentials in a body of ours or of the carrier's. */
  readonly learnMembers: (body: unknown) => void;
  readonly text: (text: string) => string;
  readonly json: (value: Json) => Json;
}

const shortest = 8;

export function createRedactor(): Redactor {
  const marks = new Map<string, string>();
  const learn = (what: string, secret: string): void => {
    if (secret.length >= shortest && !marks.has(secret)) marks.set(secret, redactionMark(what, secret));
  };
  const text = (given: string): string => {
    let out = given;
    for (const [secret, mark] of marks) if (out.includes(secret)) out = out.replaceAll(secret, mark);
    return out.includes('eyJ') ? out.replace(compactJose, (token) => redactionMark('jose', token)) : out;
  };
  const object = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), json(member)]));
  const json = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(json);
    return isJsonObject(value) ? object(value) : value;
  };
  return {
    learn,
    learnMembers: (body) => {
      if (!isJsonObject(body)) return;
      for (const [name, value] of Object.entries(body)) {
        if (typeof value === 'string' && secretMembers.has(name)) learn(name, value);
      }
    },
    text,
    json,
  };
}
