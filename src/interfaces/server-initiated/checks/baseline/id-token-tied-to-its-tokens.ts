import { createHash } from 'node:crypto';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import { deliveriesOf } from '../deliveries-of.ts';
import { claimText, memberOf } from '../words.ts';

const hashOf = (alg: unknown): string | undefined =>
  typeof alg === 'string' ? /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(alg)?.[1] : undefined;

/** OIDC Core §3.1.3.6: base64url of the left half of the hash of the access token, by the hash of the id token's alg. */
function halfHash(accessToken: string, bits: string): string {
  const digest = createHash(`sha${bits}`).update(accessToken, 'ascii').digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

/** CIBA Core §10.3.1: at_hash, and the auth_req_id of the request in its own claim. */
export const idTokenTiedToItsTokens = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ body, idToken, idTokenHeader, sent }): CheckMismatch[] => {
    const accessToken = memberOf(body, 'access_token');
    if (idToken === undefined || typeof accessToken !== 'string') return [];
    const wanted = halfHash(accessToken, hashOf(idTokenHeader?.['alg']) ?? '256');
    const id = claimText(sent.body, 'auth_req_id');
    const given = idToken['urn:openid:params:jwt:claim:auth_req_id'];
    return [
      ...(idToken['at_hash'] === wanted
        ? []
        : [{ path: 'idToken.at_hash', expected: `at_hash ${wanted}`, actual: idToken['at_hash'] ?? null }]),
      ...(id === undefined || given === id
        ? []
        : [{ path: 'idToken', expected: `urn:openid:params:jwt:claim:auth_req_id ${id}`, actual: given ?? null }]),
    ];
  }),
);
