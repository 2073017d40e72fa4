import type { FastifyInstance } from 'fastify';
import { hintClaims } from '../builders/hint-token.ts';
import type { Carrier } from '../carrier.ts';
import { issueCode } from '../endpoints/token.ts';
import { memberOf } from '../http/request.ts';
import { newSigningKey } from '../jose/jws.ts';
import { defined, stringMember, words } from '../json.ts';
import { OptionError, parseVariants } from '../options.ts';
import { refuse } from '../refusal.ts';
import { findClient, findNamed } from './accounts.ts';

/** The carrier's own systems: its keys, its policy, and what it wrote down. */
export function addCarrierRoutes(app: FastifyInstance, carrier: Carrier): void {
  app.get('/events/errors', (_request, reply) => reply.send({ errors: carrier.events.errors }));
  app.get('/audit', (_request, reply) => reply.send({ entries: carrier.audited }));
  app.post('/keys/rotate', async (_request, reply) => {
    const key = await newSigningKey(carrier.retiredKeys.length + 2);
    carrier.retiredKeys.unshift(carrier.signingKey);
    carrier.signingKey = key;
    return reply.send({ kids: [key, ...carrier.retiredKeys].map(({ kid }) => kid) });
  });
  app.get('/policy', (_request, reply) => reply.send(carrier.definition.policy));
  app.put('/policy', (request, reply) => {
    const policy = { ...carrier.definition.policy, ...readPolicy(memberOf(request, 'body')) };
    carrier.definition = { ...carrier.definition, policy };
    return reply.send(policy);
  });
  addIssuing(app, carrier);
}

/** What a sign-in and discovery_ui hand out. */
function addIssuing(app: FastifyInstance, carrier: Carrier): void {
  app.post('/codes', (request, reply) => {
    const body = memberOf(request, 'body');
    const client = findClient(carrier, body['client_id']);
    const code = issueCode(carrier, {
      client,
      subscriber: findNamed(carrier, body['subscriber']),
      redirectUri: stringMember(body, 'redirect_uri') ?? client.redirectUris[0] ?? '',
      scopes: words(stringMember(body, 'scope') ?? 'openid'),
      expiresAt: carrier.clock.now() + carrier.definition.policy.codeLife * 1000,
      ...defined({ nonce: stringMember(body, 'nonce') }),
    });
    return reply.send({ code });
  });
  app.post('/login-hint-tokens', (request, reply) => {
    const body = memberOf(request, 'body');
    const { ttl } = body;
    const { definition, hintKey, issuer, clock, signingKey } = carrier;
    const claims = hintClaims({
      subscriber: findNamed(carrier, body['subscriber']),
      client: findClient(carrier, body['client_id']),
      life: typeof ttl === 'number' ? ttl : definition.policy.hintTokenLife,
      issuer,
      now: clock.now(),
      key: signingKey,
    });
    return reply.send({ login_hint_token: definition.hintToken(hintKey, claims) });
  });
}

function readPolicy(value: unknown): ReturnType<typeof parseVariants> {
  try {
    return parseVariants(value);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return refuse('invalid_request', error.message);
  }
}
