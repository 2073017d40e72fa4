import { type CompactJws, parseCompactJws, type CarrierSigningKey, verifyJws } from '../jose/jws.ts';
import { parseStrictObjectOr } from '../jose/strict-json.ts';
import { type JsonObject, stringMember, words } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { check, type Check, type Reader, reader, runChecks } from '../context.ts';

/** A call of the userinfo endpoint (§4.9) as received. */
interface UserinfoMessage {
  readonly authorization: string | undefined;
  readonly query: JsonObject;
  /** Milliseconds. */
  readonly now: number;
  readonly keys: readonly CarrierSigningKey[];
  /** JWTs by the opaque access token that stands for each. */
  readonly handles: ReadonlyMap<string, string>;
  readonly revoked: ReadonlySet<string>;
}

interface TokenContext extends UserinfoMessage {
  readonly token: string;
  readonly jws: CompactJws;
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

export interface UserinfoPipeline {
  readonly onMessage: readonly Check<UserinfoMessage>[];
  readonly readToken: Reader<UserinfoMessage, TokenContext>;
  readonly onToken: readonly Check<TokenContext>[];
}

/** RFC 6750 §3: a call without a token learns the scheme only. */
export function refuseToken(error: string, description: string, status = 401): never {
  const challenge = error === 'invalid_request' ? 'Bearer' : `Bearer error="${error}"`;
  throw new Refusal(error, description, { status, headers: { 'www-authenticate': challenge } });
}

/** RFC 6750 §2.3, §3.1. */
export const strictUserinfoPipeline: UserinfoPipeline = {
  onMessage: [
    check('token-is-not-in-the-query', ({ query }) => {
      if ('access_token' in query) refuseToken('invalid_request', 'the token goes in the header', 400);
    }),
  ],
  readToken: reader('token-is-a-bearer', (context) => {
    const text = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(context.authorization ?? '')?.[1];
    if (text === undefined) return refuseToken('invalid_request', 'a bearer token is required');
    const jws =
      parseCompactJws(context.handles.get(text) ?? text) ??
      refuseToken('invalid_token', 'the access token is not valid');
    return { ...context, token: text, jws, header: readTokenPart(jws.header), claims: readTokenPart(jws.payload) };
  }),
  onToken: [
    check('token-is-signed-by-the-carrier', ({ jws, header, keys }) => {
      const key = keys.find(({ kid }) => kid === header['kid']);
      if (key === undefined || header['alg'] !== key.alg || !verifyJws(jws, key.publicKey, key.alg)) {
        refuseToken('invalid_token', 'the access token is not valid');
      }
    }),
    check('token-is-an-access-token', ({ header }) => {
      if (header['typ'] !== 'at+jwt') refuseToken('invalid_token', 'the token is not an access token');
    }),
    check('token-has-not-expired', ({ claims, now }) => {
      if (!(Number(claims['exp']) * 1000 > now)) refuseToken('invalid_token', 'the access token has expired');
    }),
    check('token-is-not-revoked', ({ token, revoked }) => {
      if (revoked.has(token)) refuseToken('invalid_token', 'the access token was revoked');
    }),
    check('token-is-for-openid', ({ claims }) => {
      const scopes = words(stringMember(claims, 'scope') ?? '');
      if (!scopes.includes('openid')) refuseToken('insufficient_scope', 'the scope openid is required', 403);
    }),
  ],
};

export function runUserinfoPipeline(steps: UserinfoPipeline, message: UserinfoMessage): TokenContext {
  runChecks(steps.onMessage, message);
  const token = steps.readToken.read(message);
  runChecks(steps.onToken, token);
  return token;
}

function readTokenPart(bytes: Uint8Array): JsonObject {
  return parseStrictObjectOr(bytes, () => refuseToken('invalid_token', 'the access token is not valid')).value;
}
