import type { FastifyInstance } from 'fastify';
import type { Carrier } from './carrier.ts';
import { memberOf } from './endpoints/query.ts';
import { newSigningKey } from './jws.ts';
import { OptionError, parseVariants } from './options.ts';
import { refuse } from './refusal.ts';

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
}

function readPolicy(value: unknown): ReturnType<typeof parseVariants> {
  try {
    return parseVariants(value);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return refuse('invalid_request', error.message);
  }
}
