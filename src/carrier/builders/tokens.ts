import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import type { Approval } from './authorization.ts';
import { optional } from '../state/requests.ts';

/** The claims of an id token (OIDC Core §2, §2.3 nonce and context, CIBA Core §10.3.1). */
export function idTokenClaims(approval: Approval, accessToken: string): JsonObject {
  const { request, issuer, sub, now, policy, acr, authentication } = approval;
  const iat = Math.floor(now / 1000);
  return {
    iss: issuer,
    sub,
    aud: request.client.clientId,
    iat,
    exp: iat + policy.tokenLife,
    ...optional('auth_time', authTime(approval)),
    acr,
    amr: authentication === 'none' ? ['hwk'] : ['hwk', 'pin'],
    ...optional('nonce', request.wanted.nonce),
    ...optional('context', request.wanted.context),
    at_hash: halfHash(accessToken),
    ...optional('urn:openid:params:jwt:claim:auth_req_id', request.id),
  };
}

function authTime({ request }: Approval): number | undefined {
  const at = request.subscriber.authenticatedAt;
  return at === undefined ? undefined : Math.floor(at / 1000);
}

/** OIDC Core §3.1.3.6. */
function halfHash(token: string): string {
  return createHash('sha256').update(token, 'ascii').digest().subarray(0, 16).toString('base64url');
}
