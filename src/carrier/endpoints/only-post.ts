import type { FastifyInstance } from 'fastify';
import { refuse } from '../refusal.ts';

/** Answers every other method with 405 and a JSON error. */
export function onlyPost(app: FastifyInstance, path: string): void {
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: path,
    handler: (_request, reply) => {
      reply.header('allow', 'POST');
      refuse('invalid_request', 'the method must be POST', 405);
    },
  });
}
