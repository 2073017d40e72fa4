import type { ResponseObservation } from '../../judge/observation.ts';
import type { HttpAct, MessageKind } from '../../model/suite.ts';
import type { Step } from '../../suite/suites.ts';
import { cancelRequest, fillPlaces } from '../../wire/build/cancel-request.ts';
import { type HttpRequest, plainRequest } from '../../wire/build/http-request.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { exchange, type ExchangeOrder, inTurn } from '../context/exchange.ts';
import { observationContext } from '../context/open-context.ts';
import { learnCall } from '../drive/driver.ts';

/** The request of a step; where a cancellation is sent, as the target file says (§4.4). */
function requestOf(endpoint: string, act: HttpAct, ctx: CaseContext): HttpRequest {
  const scope = ctx.scope();
  if (act.to !== 'cancel') return plainRequest(endpoint, act, scope);
  if (act.parameters === undefined) return plainRequest(fillPlaces(endpoint, new Map()), act, scope);
  const call = ctx.world.target.cancel;
  const { headers, parameters = [], env = {} } = call ?? {};
  const others = parameters.map(([, value]) => value);
  learnCall({ headers, others, env }, ctx.scope({ env }), ctx.redactor);
  return cancelRequest(endpoint, act, { call, scope });
}

const judgedEndpoints: Readonly<Record<string, MessageKind>> = {
  userinfo: 'userinfo',
  usertrait: 'usertrait',
  token: 'token',
  discovery: 'discovery',
  jwks: 'jwks',
  cancel: 'cancel',
};

/** Sends a request to an endpoint of the carrier, and judges the response by the invariants of that endpoint. */
export async function sendTo(endpoint: string, order: ExchangeOrder, ctx: CaseContext): Promise<ResponseObservation> {
  const observation = await inTurn(ctx, () => exchange(order, ctx));
  const kind = Object.hasOwn(judgedEndpoints, endpoint) ? judgedEndpoints[endpoint] : undefined;
  if (kind === undefined || observation.status === undefined) return observation;
  const observedIn = observationContext(ctx, { sent: observation, response: observation });
  ctx.world.invariants.onMessage(kind, observation, observedIn);
  return observation;
}

/** `http`: any other exchange with an endpoint of the carrier. */
export function http(act: HttpAct, step: Step, ctx: CaseContext): Promise<ResponseObservation> {
  const endpoint = ctx.world.endpoints.urls[act.to];
  if (endpoint === undefined) throw new Unmet(`neither discovery nor the target names the endpoint ${act.to}`);
  const request = requestOf(endpoint, act, ctx);
  return sendTo(act.to, { step: step.name, purpose: act.to, http: request, differences: [] }, ctx);
}
