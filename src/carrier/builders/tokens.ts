import { createHash } from 'node:crypto';
import { algByKind } from '../jose/carrier-keys.ts';
import { hashName } from '../jose/jws.ts';
import { definedMembers, type JsonObject } from '../json.ts';
import type { Policy } from '../policy.ts';
import { type Authentication, type AuthorizationRequest, makeAuthReqId } from '../state/requests.ts';

/** Ground for issuing tokens: a server-initiated request, or a sign-in without an auth_req_id. */
type TokenBasis = Pick<AuthorizationRequest, 'client' | 'subscriber' | 'wanted' | 'boundKey'> & {
  readonly id?: string;
};

export interface Approval {
  readonly request: TokenBasis;
  readonly policy: Policy;
  readonly issuer: string;
  /** Milliseconds. */
  readonly now: number;
  readonly sub: string;
  readonly scopes: readonly string[];
  readonly acr: string;
  readonly authentication: Authentication;
}

export interface Tokens {
  readonly accessToken: string;
  readonly idToken?: string;
}

/** Failure of a request after its 200. */
export interface RequestFailure {
  readonly request: AuthorizationRequest;
  readonly error: string;
  readonly description: string;
}

/** The claims of an access token (RFC 9068 §2.2, RFC 7800 §3.2). */
export function accessTokenClaims({ request, policy, issuer, now, sub, scopes, acr }: Approval): JsonObject {
  const iat = Math.floor(now / 1000);
  return {
    iss: issuer,
    sub,
    client_id: request.client.clientId,
    scope: scopes.join(' '),
    acr,
    jti: makeAuthReqId().slice(5),
    iat,
    exp: iat + policy.tokenLife,
    cnf: { jwk: request.boundKey },
  };
}

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
    ...definedMembers({ auth_time: authTime(approval) }),
    acr,
    amr: authentication === 'none' ? ['hwk'] : ['hwk', 'pin'],
    ...definedMembers({ nonce: request.wanted.nonce, context: request.wanted.context }),
    at_hash: halfHash(accessToken, hashName(algByKind[policy.carrierKey])),
    ...definedMembers({ 'urn:openid:params:jwt:claim:auth_req_id': request.id }),
  };
}

function authTime({ request }: Approval): number | undefined {
  const at = request.subscriber.authenticatedAt;
  return at === undefined ? undefined : Math.floor(at / 1000);
}

/** OIDC Core §3.1.3.6. */
function halfHash(token: string, hash: string): string {
  const digest = createHash(hash).update(token, 'ascii').digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
