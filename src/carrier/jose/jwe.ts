import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type JsonObject, stringMember } from '../json.ts';
import type { CarrierSigningKey } from './jws.ts';
import { parseStrictObject } from './strict-json.ts';

/** RFC 3394 §2.2.3.1. */
const wrapIv = Buffer.alloc(8, 0xa6);

/** Key for login_hint_tokens, which only the carrier has (§2.7). */
export const newHintKey = (): Buffer => randomBytes(32);

const hintHeader: JsonObject = { alg: 'A256KW', enc: 'A256GCM', typ: 'JWE', kid: 'carrierhint01' };

/** Compact JWE of A256KW and A256GCM (RFC 7516 §7.1); `clear` adds header members. */
export function encryptJwe(key: Buffer, claims: JsonObject, clear: JsonObject = {}): string {
  const header = segment(Buffer.from(JSON.stringify({ ...hintHeader, ...clear })));
  const contentKey = randomBytes(32);
  const wrap = createCipheriv('id-aes256-wrap', key, wrapIv);
  const wrapped = Buffer.concat([wrap.update(contentKey), wrap.final()]);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', contentKey, iv).setAAD(Buffer.from(header, 'ascii'));
  const text = Buffer.concat([cipher.update(JSON.stringify(claims), 'utf8'), cipher.final()]);
  return [header, ...[wrapped, iv, text, cipher.getAuthTag()].map(segment)].join('.');
}

export interface HintKeys {
  readonly hintKey: Buffer;
  readonly signingKey: CarrierSigningKey;
}

/** Reads a login_hint_token; a fault can bring its own. */
export type HintOpener = (keys: HintKeys, token: string) => JsonObject | undefined;

/** Returns the claims, or undefined if the token was not encrypted with this key. */
export function decryptJwe(key: Buffer, token: string): JsonObject | undefined {
  const [header = '', ...rest] = token.split('.');
  const [wrapped, iv, text, tag] = rest.map((part) => Buffer.from(part, 'base64url'));
  if (rest.length !== 4 || wrapped === undefined || iv === undefined || text === undefined || tag === undefined) return;
  try {
    const { value } = parseStrictObject(Buffer.from(header, 'base64url'));
    if (stringMember(value, 'alg') !== 'A256KW' || stringMember(value, 'enc') !== 'A256GCM') return;
    const unwrap = createDecipheriv('id-aes256-wrap', key, wrapIv);
    const contentKey = Buffer.concat([unwrap.update(wrapped), unwrap.final()]);
    const decipher = createDecipheriv('aes-256-gcm', contentKey, iv, { authTagLength: 16 });
    decipher.setAAD(Buffer.from(header, 'ascii')).setAuthTag(tag);
    return parseStrictObject(Buffer.concat([decipher.update(text), decipher.final()])).value;
  } catch {
    // A foreign, truncated or invented token: there is nothing to read.
    return;
  }
}

const segment = (bytes: Buffer): string => bytes.toString('base64url');
