import { createHash } from 'node:crypto';
import type { RecognizedMessage } from '../../interfaces/server-initiated/decode/recognize.ts';
import { isJsonObject, isList, type Json, type JsonObject, readMember, renderPlain } from '../../lib/json.ts';
import { countNoun } from '../../lib/lists.ts';
import type { Page } from '../../report/shared/layout.ts';
import { privateKeyMembers } from './judge-decoded.ts';

/** Public view of a key. */
interface KeyView {
  readonly kid?: Json;
  readonly kty?: Json;
  readonly crv?: Json;
  /** Modulus length of an RSA key, in bits. */
  readonly bits?: number;
  readonly use?: Json;
  readonly alg?: Json;
  /** RFC 7638, SHA-256; absent if a member is missing, or for a symmetric key, whose digest would leak information. */
  readonly thumbprint?: string;
  readonly warnings: readonly string[];
}

/** Members of a thumbprint, in order (RFC 7638 §3.2, RFC 8037 §2). */
const thumbprintMembers: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

function computeThumbprint(key: JsonObject): string | undefined {
  const kty = renderPlain(key['kty']);
  const names = Object.hasOwn(thumbprintMembers, kty) ? thumbprintMembers[kty] : undefined;
  if (names === undefined || names.some((name) => typeof readMember(key, name) !== 'string')) return undefined;
  const members = Object.fromEntries(names.map((name) => [name, renderPlain(key[name])]));
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}

/** Length of a base64url number without leading zeros, in bits. */
function countBits(modulus: Json | undefined): number | undefined {
  if (typeof modulus !== 'string') return undefined;
  const bytes = Buffer.from(modulus, 'base64url');
  const from = bytes.findIndex((byte) => byte !== 0);
  return from < 0 ? 0 : (bytes.length - from) * 8 + 24 - Math.clz32(bytes[from] ?? 0);
}

/** RFC 7518 §3.3. */
const minModulusBits = 2048;

function findKeyWarnings(key: JsonObject, bits: number | undefined, isTwice: boolean): readonly string[] {
  const shown = privateKeyMembers.filter((name) => Object.hasOwn(key, name));
  const what = key['kty'] === 'oct' ? 'it is a shared secret' : 'it has private members';
  const isShort = key['kty'] === 'RSA' && bits !== undefined && bits < minModulusBits;
  return [
    ...(shown.length === 0 ? [] : [`${what} (${shown.join(', ')}): anyone who has seen it can sign with it`]),
    ...(isShort ? [`it has ${bits} bits, fewer than ${minModulusBits} (RFC 7518 §3.3)`] : []),
    ...(isTwice ? ['another key has the same kid'] : []),
  ];
}

function buildKeyView(key: JsonObject, isTwice: boolean): KeyView {
  const bits = key['kty'] === 'RSA' ? countBits(key['n']) : undefined;
  const shown = Object.fromEntries(
    ['kid', 'kty', 'crv', 'use', 'alg'].flatMap((name) => (Object.hasOwn(key, name) ? [[name, key[name]]] : [])),
  );
  const thumbprint = computeThumbprint(key);
  return {
    ...shown,
    ...(bits === undefined ? {} : { bits }),
    ...(thumbprint === undefined ? {} : { thumbprint }),
    warnings: findKeyWarnings(key, bits, isTwice),
  };
}

/** Keys of a JWK or JWK set; undefined for other messages. */
export function viewKeys({ type, body }: RecognizedMessage): readonly KeyView[] | undefined {
  if (type !== 'jwk' && type !== 'jwks') return undefined;
  const list = type === 'jwk' ? [body ?? null] : readMember(body, 'keys');
  const keys = isList(list) ? list.filter(isJsonObject) : [];
  const counts = new Map<string, number>();
  const nameOf = (key: JsonObject): string => JSON.stringify(key['kid'] ?? null);
  for (const key of keys) counts.set(nameOf(key), (counts.get(nameOf(key)) ?? 0) + 1);
  return keys.map((key) => buildKeyView(key, key['kid'] !== undefined && (counts.get(nameOf(key)) ?? 0) > 1));
}

/** Describes a key: `kid "op1", EC P-256, use sig, alg ES256, thumbprint ...`. */
function renderKeyLine({ kid, kty, crv, bits, use, alg, thumbprint }: KeyView): string {
  const kind = [
    renderPlain(kty ?? 'no kty'),
    crv === undefined ? '' : renderPlain(crv),
    bits === undefined ? '' : `${bits} bits`,
  ];
  return [
    kid === undefined ? 'without a kid' : `kid ${JSON.stringify(kid)}`,
    kind.filter((part) => part !== '').join(' '),
    use === undefined ? 'no use' : `use ${renderPlain(use)}`,
    alg === undefined ? 'no alg' : `alg ${renderPlain(alg)}`,
    ...(thumbprint === undefined ? [] : [`thumbprint ${thumbprint}`]),
  ].join(', ');
}

/** Most keys shown; a hostile set may have a hundred thousand. */
const maxShownKeys = 100;

export function renderKeys(page: Page, keys: readonly KeyView[]): readonly string[] {
  const left = keys.length - maxShownKeys;
  return [
    ...keys
      .slice(0, maxShownKeys)
      .flatMap((key, at) => [
        ...page.fact(`key ${at}`, renderKeyLine(key)),
        ...key.warnings.flatMap((warning) => page.fact('', `warning: ${warning}`, { tone: page.paint.yellow })),
      ]),
    ...(left > 0 ? [`  and ${countNoun(left, 'more key')}`] : []),
  ];
}
