import { type CheckMismatch, comparisonCase, defineSequenceCheck, type NamedCheck } from '../../../../judge/check.ts';
import { readMember, isJsonObject, type Json, type JsonObject, renderPlain } from '../../../../lib/json.ts';
import { defineResponseCheck, findResponse } from '../define-check.ts';
import { readPublishedKeys, keyRetentionSeconds } from '../published-keys.ts';

/** Private and symmetric members (RFC 7518 §6). */
const unpublishableMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
const minPublishedBits = 2048;

function modulusBits(modulus: Json | undefined): number {
  const bytes = typeof modulus === 'string' ? Buffer.from(modulus, 'base64url') : Buffer.alloc(0);
  const from = bytes.findIndex((byte) => byte !== 0);
  return from < 0 ? 0 : (bytes.length - from) * 8 - Math.clz32(bytes[from] ?? 0) + 24;
}

/** RFC 8017 §3.1: the public exponent is an odd number of at least 3. With 1, anyone can make a signature. */
function isSoundExponent(exponent: Json | undefined): boolean {
  const bytes = typeof exponent === 'string' ? [...Buffer.from(exponent, 'base64url')] : [];
  const significant = bytes.slice(bytes.findIndex((byte) => byte !== 0));
  const last = significant.at(-1) ?? 0;
  return last % 2 === 1 && (significant.length > 1 || last >= 3);
}

function judgePublishedKey(key: JsonObject, at: number): readonly CheckMismatch[] {
  const path = `body.keys.${at}`;
  const found: CheckMismatch[] = unpublishableMembers
    .filter((name) => Object.hasOwn(key, name))
    .map((name) => ({
      aspect: 'private',
      path: `${path}.${name}`,
      expected: 'public members only',
      actual: `the member ${name}`,
    }));
  const bits = modulusBits(key['n']);
  if (key['kty'] === 'RSA' && bits < minPublishedBits) {
    found.push({ path: `${path}.n`, expected: `${minPublishedBits} bits or more (RFC 7518 §3.3)`, actual: bits });
  }
  if (key['kty'] === 'RSA' && !isSoundExponent(key['e'])) {
    found.push({
      path: `${path}.e`,
      expected: 'an odd exponent of 3 or more (RFC 8017 §3.1)',
      actual: key['e'] ?? null,
    });
  }
  return found;
}

/** The keys at jwks_uri (SEC-39). */
export const keyChecks: readonly NamedCheck[] = [
  /** SEC-39: an RFC 7517 key set of public keys of sufficient size. */
  defineResponseCheck('jwks-in-order', ({ outcome, body }) => {
    if (outcome !== 'accepted') return [];
    const path = 'body.keys';
    const keys = readMember(body, 'keys');
    if (!Array.isArray(keys)) return [{ path, expected: 'a list of keys', actual: keys ?? null }];
    return keys.filter(isJsonObject).flatMap(judgePublishedKey);
  }),

  /** SEC-39#kids: RFC 7517 §4.5 lets keys of different kinds share a kid if they are alternatives. */
  defineResponseCheck('jwks-kids-distinct', ({ outcome, body }) => {
    const keys = readMember(body, 'keys');
    if (outcome !== 'accepted' || !Array.isArray(keys)) return [];
    const path = 'body.keys';
    const objects = keys.filter(isJsonObject);
    const named = objects.filter(({ kid }) => kid !== undefined && kid !== null);
    const isSame = (one: JsonObject, other: JsonObject): boolean =>
      one['kid'] === other['kid'] && one['kty'] === other['kty'];
    const twice = named.find((key, at) => named.findIndex((other) => isSame(key, other)) !== at)?.['kid'];
    const isAnyUnnamed = objects.length > 1 && named.length < objects.length;
    return [
      ...(twice === undefined ? [] : [{ path, expected: 'each kid once for each kind of key', actual: twice }]),
      ...(isAnyUnnamed ? [{ path, expected: 'a kid for each of several keys', actual: named.length }] : []),
    ];
  }),

  /** SEC-39#none: RFC 8725 §3.2 has no use for unsecured JWTs. */
  defineResponseCheck('signing-algorithms-without-none', ({ outcome, body }) => {
    if (outcome !== 'accepted' || !isJsonObject(body)) return [];
    const lists = Object.entries(body).filter(([name]) => name.endsWith('signing_alg_values_supported'));
    return lists.flatMap(([name, list]) => {
      const listed = Array.isArray(list) ? list.map(renderPlain) : [];
      const none = listed.find((alg) => alg.toLowerCase() === 'none');
      return none === undefined
        ? []
        : [{ path: `body.${name}`, expected: 'signing algorithms without none', actual: none }];
    });
  }),

  /** SEC-39#kept: a key that was published is still there while tokens signed with it are valid (OIDC Core §10.1.1). */
  defineSequenceCheck('published-keys-kept', () => {
    const seenAt = new Map<string, Map<string, { readonly at: number; readonly seenIn: string }>>();
    return (message) => {
      const response = findResponse(message);
      const keys = readPublishedKeys(message);
      if (response === undefined || keys === undefined) return undefined;
      const { receivedAt, url } = response;
      // Keys for events may have a URL of their own.
      const lastSeen = seenAt.get(url) ?? new Map<string, { readonly at: number; readonly seenIn: string }>();
      seenAt.set(url, lastSeen);
      const kids = keys.map(({ kid }) => renderPlain(kid));
      const lost = [...lastSeen].filter(
        ([kid, { at }]) => !kids.includes(kid) && receivedAt - at <= keyRetentionSeconds,
      );
      for (const kid of kids) {
        const before = lastSeen.get(kid);
        if (before === undefined || before.at <= receivedAt)
          lastSeen.set(kid, { at: receivedAt, seenIn: message.seenIn });
      }
      return lost.map(([kid, last]) => ({
        path: 'body.keys',
        expected: `the key ${kid}, which was there before`,
        actual: kids.join(', '),
        ...comparisonCase(last, message),
      }));
    };
  }),
];
