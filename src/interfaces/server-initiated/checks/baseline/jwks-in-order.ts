import { isJsonObject, type Json, type JsonObject } from '../../../../model/json.ts';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';
import { memberOf } from '../words.ts';

/** Private and symmetric members (RFC 7518 §6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
const fewestBits = 2048;

function bitsOf(modulus: Json | undefined): number {
  const bytes = typeof modulus === 'string' ? Buffer.from(modulus, 'base64url') : Buffer.alloc(0);
  const from = bytes.findIndex((byte) => byte !== 0);
  return from < 0 ? 0 : (bytes.length - from) * 8 - Math.clz32(bytes[from] ?? 0) + 24;
}

function judgeKey(key: JsonObject, at: number): CheckMismatch[] {
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

/** SEC-39: an RFC 7517 key set of public keys, each by a kid of its own. */
export const jwksInOrder = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response?.outcome !== 'accepted') return [];
  const keys = memberOf(response.body, 'keys');
  if (!Array.isArray(keys)) return [{ path: 'body.keys', expected: 'a list of keys', actual: keys ?? null }];
  const objects = keys.filter(isJsonObject);
  const kids = objects.flatMap(({ kid }) => (kid === undefined ? [] : [kid]));
  const twice = kids.find((kid, at) => kids.indexOf(kid) !== at);
  const exclusive = objects.length > 1 && kids.length < objects.length;
  return [
    ...objects.flatMap(judgeKey),
    ...(twice === undefined ? [] : [{ path: 'body.keys', expected: 'each kid once', actual: twice }]),
    ...(exclusive ? [{ path: 'body.keys', expected: 'a kid for each of several keys', actual: kids.length }] : []),
  ];
});
