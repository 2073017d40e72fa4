import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { privateJwk, type Rig } from './rig.ts';
import type { Json } from '../json.ts';

export type Header = Record<string, Json | undefined>;

export interface Made {
  /** Over the header of the main client; undefined takes a member out. */
  readonly header?: Header;
  /** Text in place of the claims or the header. */
  readonly claims?: string;
  readonly headerText?: string;
  readonly signature?: (input: string) => string;
}

export const mainKey = (): KeyObject => createPrivateKey({ key: { ...privateJwk('main') }, format: 'jwk' });
export const mainPublicKey = (): KeyObject => createPublicKey(mainKey());
export const strangeKey: KeyObject = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

export const segmentOf = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url');
export const unsigned = (): string => '';
export const rsa =
  (key: KeyObject) =>
  (input: string): string =>
    sign('RSA-SHA256', Buffer.from(input), key).toString('base64url');
export const hmac =
  (digest: string, secret: string | Buffer) =>
  (input: string): string =>
    createHmac(digest, secret).update(input).digest('base64url');

/** A compact JWS of the main client, with whatever is to be wrong in it. */
export function compact(rig: Rig, { header = {}, headerText, claims, signature = rsa(mainKey()) }: Made): string {
  const members = { typ: 'JWT', alg: 'RS256', kid: 'conftestkey01', ...header };
  const head = segmentOf(headerText ?? JSON.stringify(members));
  const input = `${head}.${segmentOf(claims ?? JSON.stringify(rig.claims()))}`;
  return `${input}.${signature(input)}`;
}
