import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProfileCall } from '../builders/userinfo.ts';
import type { Carrier } from '../carrier.ts';
import { queryParameters } from '../http/request.ts';
import { type Json, type JsonObject, stringMember, words } from '../json.ts';
import { refuseToken, runUserinfoPipeline } from '../pipeline/userinfo.ts';

/** §4.9. */
export function respondUserinfo(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { accounts, clock, definition, signingKey, retiredKeys } = carrier;
  const { claims } = runUserinfoPipeline(definition.userinfoCall, {
    authorization: request.headers.authorization,
    query: queryParameters(request),
    now: clock.now(),
    keys: [signingKey, ...retiredKeys],
    handles: carrier.handles,
    revoked: carrier.revoked,
  });
  const sub = stringMember(claims, 'sub') ?? '';
  const found = accounts.findSub(sub);
  const client = accounts.clients.get(stringMember(claims, 'client_id') ?? '');
  if (found === undefined || client === undefined) refuseToken('invalid_token', 'the access token is not valid');
  if (!definition.userinfo.mayRead(client, found.subscriber)) refuseToken('invalid_token', 'the consent was removed');
  const call = { subscriber: found.subscriber, client, policy: definition.policy, now: clock.now() };
  const { scopes, sub: written } = definition.userinfo;
  const approved = scopes(words(stringMember(claims, 'scope') ?? ''), client, found.subscriber);
  return reply.send({ sub: written(call, sub), ...buildProfile(carrier, call, approved) });
}

/** Attributes of §2.11, with or without levels. */
function buildProfile(carrier: Carrier, call: ProfileCall, scopes: readonly string[]): JsonObject {
  const { userinfo: builders } = carrier.definition;
  const levelled = builders.hasLevels(call.client);
  const members: Record<string, Json> = {};
  for (const scope of scopes) {
    const name = builders.members[scope];
    const attribute = name === undefined ? undefined : builders.attribute(scope, call);
    if (name === undefined) continue;
    if (attribute === undefined) {
      if (call.policy.unknownAttributes === 'null') members[name] = null;
      continue;
    }
    members[name] = levelled ? { ...attribute, verified: builders.level(scope, call) } : builders.unlevelled(attribute);
  }
  const known = Object.keys(members).filter((name) => members[name] !== null);
  const verification = levelled ? builders.verification(known, call) : undefined;
  return verification === undefined ? members : { ...members, verification };
}
