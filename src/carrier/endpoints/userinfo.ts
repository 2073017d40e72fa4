import type { FastifyInstance } from 'fastify';
import type { Carrier } from '../carrier.ts';
import type { Subscriber } from '../accounts.ts';
import { words } from '../context.ts';
import { type JsonObject, stringMember } from '../json.ts';
import { parseCompactJws, verifyJws } from '../jws.ts';
import { Refusal } from '../refusal.ts';
import { parseStrictObject } from '../strict-json.ts';

/** §4.9: the simple profile, for the scopes the user approved; the token goes in the header only (RFC 6750 §2). */
export function userinfo(app: FastifyInstance, carrier: Carrier): void {
  app.get('/userinfo', (request, reply) => {
    const claims = verifyAccessToken(carrier, request.headers.authorization);
    const sub = stringMember(claims, 'sub') ?? '';
    const found = carrier.accounts.findSub(sub);
    if (found === undefined) throw unauthorized('invalid_token', 'the access token is not valid');
    const scopes = words(stringMember(claims, 'scope') ?? '');
    if (!scopes.includes('openid')) throw unauthorized('insufficient_scope', 'the scope openid is required', 403);
    return reply.send({ sub, ...profile(found.subscriber, scopes) });
  });
}

function profile({ profile: known }: Subscriber, scopes: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(known).filter(([name]) => scopes.includes(name)));
}

function verifyAccessToken(carrier: Carrier, authorization: string | undefined): JsonObject {
  const text = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization ?? '')?.[1];
  if (text === undefined) throw unauthorized('invalid_request', 'a bearer token is required');
  const jws = parseCompactJws(text);
  if (jws === undefined || !verifyJws(jws, carrier.signingKey.publicKey, 'RS256')) {
    throw unauthorized('invalid_token', 'the access token is not valid');
  }
  const header = parseStrictObject(jws.header).value;
  const claims = parseStrictObject(jws.payload).value;
  if (header['typ'] !== 'at+jwt' || Number(claims['exp']) * 1000 <= carrier.clock.now()) {
    throw unauthorized('invalid_token', 'the access token has expired');
  }
  return claims;
}

/** RFC 6750 §3: a call without a token learns the scheme only. */
function unauthorized(error: string, description: string, status = 401): Refusal {
  const challenge = error === 'invalid_request' ? 'Bearer' : `Bearer error="${error}"`;
  return new Refusal(error, description, status, { 'www-authenticate': challenge });
}
