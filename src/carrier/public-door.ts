import type { FastifyInstance } from 'fastify';
import { takeBodiesAsBytes } from './body.ts';
import type { Carrier } from './carrier.ts';
import { openDoor } from './door.ts';
import { authorization } from './endpoints/authorization.ts';
import { cancel } from './endpoints/cancel.ts';
import { discovery } from './endpoints/discovery.ts';
import { serverInitiated } from './endpoints/server-initiated.ts';
import { token } from './endpoints/token.ts';
import { usertrait } from './endpoints/usertrait.ts';
import { userinfo } from './endpoints/userinfo.ts';

/** The carrier as SPs see it (§4). */
export function publicDoor(carrier: Carrier): FastifyInstance {
  const app = openDoor(carrier.clock, carrier.log);
  takeBodiesAsBytes(app, carrier.definition.policy.bodyMax);
  for (const add of [discovery, serverInitiated, authorization, token, cancel, userinfo, usertrait]) add(app, carrier);
  return app;
}
