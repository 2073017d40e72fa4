import type { FastifyInstance } from 'fastify';
import { findClient, findNamed } from './accounts.ts';
import type { Carrier } from '../carrier.ts';
import { words } from '../pipeline/context.ts';
import { memberOf } from '../http/query.ts';
import { issueCode } from '../flow/grants.ts';
import { issueHintToken } from '../flow/hint-token.ts';
import { stringMember } from '../json.ts';
import { newSigningKey } from '../jose/jws.ts';
import { OptionError, parseVariants } from '../options.ts';
import { refuse } from '../refusal.ts';
import { optional } from '../state/requests.ts';

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
  app.post('/codes', (request, reply) => {
    const body = memberOf(request, 'body');
    const client = findClient(carrier, body['client_id']);
    const nonce = stringMember(body, 'nonce');
    const code = issueCode(carrier, {
      client,
      subscriber: findNamed(carrier, body['subscriber']),
      redirectUri: stringMember(body, 'redirect_uri') ?? client.redirectUris[0] ?? '',
      scopes: words(stringMember(body, 'scope') ?? 'openid'),
      expiresAt: carrier.clock.now() + carrier.definition.policy.codeLife * 1000,
      ...optional('nonce', nonce),
    });
    return reply.send({ code });
  });
  app.post('/login-hint-tokens', (request, reply) => {
    const body = memberOf(request, 'body');
    const { ttl } = body;
    const token = issueHintToken(carrier, {
      subscriber: findNamed(carrier, body['subscriber']),
      client: findClient(carrier, body['client_id']),
      life: typeof ttl === 'number' ? ttl : carrier.definition.policy.hintTokenLife,
    });
    return reply.send({ login_hint_token: token });
  });
  app.get('/policy', (_request, reply) => reply.send(carrier.definition.policy));
  app.put('/policy', (request, reply) => {
    const policy = { ...carrier.definition.policy, ...readPolicy(memberOf(request, 'body')) };
    carrier.definition = { ...carrier.definition, policy };
    return reply.send(policy);
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
