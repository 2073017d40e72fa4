import type { ResponseObservation, Observation } from '../../judge/observation.ts';
import type { HttpAct, MessageKind } from '../../model/suite.ts';
import type { Step } from '../../suite/suites.ts';
import { cancelRequest, fillPlaces } from '../../wire/build/cancel-request.ts';
import { type HttpRequest, plainRequest } from '../../wire/build/http-request.ts';

import { type CaseContext, Unmet } from '../world/case-room.ts';
import { learnCall } from '../drive/driven.ts';
import { exchange } from '../world/exchange.ts';
import { createScope } from '../world/scope.ts';
import { observationContext } from '../world/sighting.ts';
import type { World } from '../world/world.ts';

/** Only where a cancellation is sent does the target have a say (§4.4). */
function requestOf(endpoint: string, act: HttpAct, ctx: CaseContext, world: World): HttpRequest {
  const scope = createScope(ctx, world);
  if (act.to !== 'cancel') return plainRequest(endpoint, act, scope);
  const call = world.target.cancel;
  if (act.parameters === undefined) return plainRequest(fillPlaces(endpoint, new Map()), act, scope);
  const { headers, parameters = [], env = {} } = call ?? {};
  const others = parameters.map(([, value]) => value);
  learnCall({ headers, others, env }, createScope(ctx, world, { env }), ctx.redactor);
  return cancelRequest(endpoint, act, { call, scope });
}

/** `http`: any other exchange with an endpoint of the carrier. */
export async function http(act: HttpAct, step: Step, ctx: CaseContext, world: World): Promise<Observation> {
  const endpoint = world.endpoints.urls[act.to];
  if (endpoint === undefined) throw new Unmet(`neither discovery nor the target names the endpoint ${act.to}`);
  const request = requestOf(endpoint, act, ctx, world);
  const observation = await world.gate.pass(
    () => exchange({ step: step.name, purpose: act.to, http: request, differences: [] }, ctx, world),
    ctx.order,
  );
  judgeResponseOf(act.to, observation, ctx, world);
  return observation;
}

const judgedEndpoints: Readonly<Record<string, MessageKind>> = {
  userinfo: 'userinfo',
  usertrait: 'usertrait',
  token: 'token',
  discovery: 'discovery',
  jwks: 'jwks',
  cancel: 'cancel',
};

/** The standing rules of an endpoint's answers. */
export function judgeResponseOf(
  endpoint: string,
  observation: ResponseObservation,
  ctx: CaseContext,
  world: World,
): void {
  const kind = Object.hasOwn(judgedEndpoints, endpoint) ? judgedEndpoints[endpoint] : undefined;
  if (kind === undefined || observation.status === undefined) return;
  world.invariants.onMessage(
    kind,
    observation,
    observationContext(ctx, createScope(ctx, world, { sent: observation, response: observation })),
  );
}
