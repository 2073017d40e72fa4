import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../../carrier.ts';
import type { Edit } from '../edit/define.ts';
import { withRoutes } from '../edit/parts.ts';

/** A call of an address, and what answers it. */
interface Call {
  readonly carrier: Carrier;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type Answer = FastifyReply | Promise<void>;

/** An address that answers some calls itself, and hands the others on; throws where there is no such route. */
export function answering(name: string, respond: (call: Call, strict: () => Answer) => Answer): Edit {
  return withRoutes((routes) => {
    const route = routes[name];
    if (route === undefined) throw new Error(`no route is called ${name}`);
    return {
      [name]: {
        ...route,
        respond: (carrier, request, reply) =>
          respond({ carrier, request, reply }, () => route.respond(carrier, request, reply)),
      },
    };
  });
}

/** The page that a server in front of the carrier shows. */
export function page(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).type('text/html').send(`<html><body><h1>${status}</h1></body></html>`);
}

/** Closes the connection without an answer. */
export function cut(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
