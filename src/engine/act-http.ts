import type { Seen } from '../judge/observation.ts';
import type { HttpAct, Step } from '../model/suite.ts';
import { plainRequest } from '../wire/http-request.ts';
import { type CaseRoom, Unmet } from './case-room.ts';
import { exchange } from './exchange.ts';
import { createScope } from './scope.ts';
import type { World } from './world.ts';

/** `http`: any other exchange with an endpoint of the carrier. */
export async function http(act: HttpAct, step: Step, room: CaseRoom, world: World): Promise<Seen> {
  const endpoint = world.endpoints.urls[act.to];
  if (endpoint === undefined) throw new Unmet(`neither discovery nor the target names the endpoint ${act.to}`);
  const request = plainRequest(endpoint, act, createScope(room, world));
  return world.gate.pass(() =>
    exchange({ step: step.name, purpose: act.to, http: request, differences: [] }, room, world),
  );
}
