import type { FastifyInstance } from 'fastify';
import { takeBodiesAsBytes } from '../http/body.ts';
import type { Carrier } from '../carrier.ts';
import { type Certified, openDoor } from '../http/server.ts';
import { openRoutes } from './routes.ts';

/** The carrier as SPs see it (§4). */
export function publicDoor(carrier: Carrier, tls?: Certified): FastifyInstance {
  const app = openDoor(carrier.clock, carrier.log, tls);
  takeBodiesAsBytes(app, carrier.definition.policy.bodyMax);
  openRoutes(app, carrier);
  return app;
}
