import { type CheckMismatch, defineSequenceCheck, type NamedCheck } from '../../../../judge/check.ts';
import { memberOf, isJsonObject, type Json, type JsonObject, plainText } from '../../../../lib/json.ts';
import { defineResponseCheck, responseIn } from '../parts.ts';

/** Private and symmetric members (RFC 7518 §6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
const fewestBits = 2048;

function bitsOf(modulus: Json | undefined): number {
  const bytes = typeof modulus === 'string' ? Buffer.from(modulus, 'base64url') : Buffer.alloc(0);
  const from = bytes.findIndex((byte) => byte !== 0);
  return from < 0 ? 0 : (bytes.length - from) * 8 - Math.clz32(bytes[from] ?? 0) + 24;
}

function judgeKey(key: JsonObject, at: number): readonly CheckMismatch[] {
  const path = `body.keys.${at}`;
  const found: CheckMismatch[] = privateMembers
    .filter((name) => Object.hasOwn(key, name))
    .map((name) => ({ path: `${path}.${name}`, expected: 'public members only', actual: `the member ${name}` }));
  const bits = bitsOf(key['n']);
  if (key['kty'] === 'RSA' && bits < fewestBits) {
    found.push({ path: `${path}.n`, expected: `${fewestBits} bits or more (RFC 7518 §3.3)`, actual: bits });
  }
  return found;
}

/** Seconds within which tokens of an old key are still valid. */
const stillNeeded = 3600;

/** The keys at jwks_uri (SEC-39). */
export const keyChecks: readonly NamedCheck[] = [
  /** SEC-39: an RFC 7517 key set of public keys, each by a kid of its own. */
  defineResponseCheck('jwks-in-order', ({ outcome, body }) => {
    if (outcome !== 'accepted') return [];
    const path = 'body.keys';
    const keys = memberOf(body, 'keys');
    if (!Array.isArray(keys)) return [{ path, expected: 'a list of keys', actual: keys ?? null }];
    const objects = keys.filter(isJsonObject);
    const kids = objects.flatMap(({ kid }) => (kid === undefined ? [] : [kid]));
    const twice = kids.find((kid, at) => kids.indexOf(kid) !== at);
    const isAnyUnnamed = objects.length > 1 && kids.length < objects.length;
    return [
      ...objects.flatMap(judgeKey),
      ...(twice === undefined ? [] : [{ path, expected: 'each kid once', actual: twice }]),
      ...(isAnyUnnamed ? [{ path, expected: 'a kid for each of several keys', actual: kids.length }] : []),
    ];
  }),

  /** SEC-39: a key that was published is still there while tokens signed with it are valid (OIDC Core §10.1.1). */
  defineSequenceCheck('published-keys-kept', () => {
    const lastSeen = new Map<string, number>();
    return (message) => {
      const response = responseIn(message);
      const keys = memberOf(response?.body, 'keys');
      if (response?.outcome !== 'accepted' || !Array.isArray(keys)) return undefined;
      const { receivedAt } = response;
      const kids = keys.filter(isJsonObject).map(({ kid }) => plainText(kid));
      const lost = [...lastSeen].filter(([kid, at]) => !kids.includes(kid) && receivedAt - at <= stillNeeded);
      for (const kid of kids) lastSeen.set(kid, Math.max(receivedAt, lastSeen.get(kid) ?? 0));
      return lost.map(([kid]) => ({
        path: 'body.keys',
        expected: `the key ${kid}, which was there before`,
        actual: kids.join(', '),
      }));
    };
  }),
];
