import { createHash } from 'node:crypto';
import { defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';
import { claimText, memberOf } from '../words.ts';

const inputs = ['jti', 'correlation_id', 'state', 'nonce', 'context', 'login_hint', 'client_id'] as const;
const hashes = ['md5', 'sha1', 'sha256', 'sha512'] as const;
/** As much of a value, or of its hash, as cannot be in an id by chance. */
const telling = 16;

const letters = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '');

/** Writings of a value that an id made from it would hold. */
const traces = (value: string): readonly string[] => [
  letters(value),
  ...hashes.flatMap((hash) => {
    const digest = createHash(hash).update(value).digest();
    return [digest.toString('hex'), letters(digest.toString('base64url'))];
  }),
];

/** SEC-23: auth_req_id holds neither a value of the request nor a hash of one. */
export const authReqIdNotDerived = defineCheck((observation) => {
  const response = responseOf(observation);
  const id = memberOf(response?.body, 'auth_req_id');
  if (response === undefined || typeof id !== 'string') return [];
  const given = letters(id.replace(/^ccid-/, '')).toLowerCase();
  const values = [
    ...inputs.map((name) => [`the ${name}`, claimText(response.claims, name)] as const),
    ['the request object', response.jws] as const,
  ];
  const source = values.find(
    ([, value]) =>
      value !== undefined &&
      traces(value).some((trace) => trace.length >= telling && given.includes(trace.slice(0, telling).toLowerCase())),
  );
  if (source === undefined) return [];
  return [
    { path: 'body.auth_req_id', expected: `an id that is not derived from ${source[0]} of the request`, actual: id },
  ];
});
