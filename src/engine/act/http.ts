import type { ResponseObservation } from '../../judge/observation.ts';
import type { HttpAct } from '../../model/suite.ts';
import type { Http } from '../../suite/verbs/http.ts';
import type { Step } from '../../suite/suites.ts';
import { cancelRequest, fillPlaceholders } from '../../wire/build/cancel-request.ts';
import { type HttpRequest, plainRequest } from '../../wire/build/http-request.ts';
import type { CaseContext, CaseWith, PreparedRequest } from '../context/case-context.ts';
import { endpointUrl } from '../context/endpoints.ts';
import { performExchange, type ExchangeOrder, awaitTurn } from '../context/exchange.ts';
import { observationContext } from '../context/open-context.ts';
import { learnCallSecrets } from '../drive/driver.ts';

/** Builds the request of a step; a cancellation takes its form from the target file. */
function buildHttpRequest(
  endpoint: string,
  act: HttpAct,
  ctx: CaseWith<'redactor' | 'scope', 'interface' | 'target'>,
): HttpRequest {
  const scope = ctx.scope();
  const cancels = ctx.services.interface.endpoints[act.to]?.cancels;
  if (cancels === undefined) return plainRequest(endpoint, act, scope);
  if (act.parameters === undefined) return plainRequest(fillPlaceholders(endpoint, new Map()), act, scope);
  const call = ctx.services.target.cancel;
  const { headers, parameters = [], env = {} } = call ?? {};
  const others = parameters.map(([, value]) => value);
  learnCallSecrets({ headers, others, env }, ctx.scope({ env }), ctx.redactor);
  return cancelRequest(endpoint, act, { call, scope, id: cancels });
}

export async function sendTo(endpoint: string, order: ExchangeOrder, ctx: CaseContext): Promise<ResponseObservation> {
  const observation = await awaitTurn(ctx, () => performExchange({ ...order, endpoint }, ctx));
  const observedIn = observationContext(ctx, { sent: observation, response: observation });
  ctx.services.invariants.onAny(observation, observedIn);
  const kind = ctx.services.interface.endpoints[endpoint]?.kind;
  if (kind === undefined || observation.status === undefined) return observation;
  ctx.services.invariants.onMessage(kind, observation, observedIn);
  return observation;
}

/** `runHttp`: any other exchange with an endpoint of the carrier. */
export async function runHttp({ request: act }: Http, step: Step, ctx: CaseContext): Promise<ResponseObservation> {
  const { to, headers = [] } = act;
  const endpoint = endpointUrl(to, ctx.services);
  const plain: PreparedRequest = {
    to,
    http: buildHttpRequest(endpoint, act, ctx),
    written: headers.map(([name]) => name),
  };
  const request = await ctx.services.interface.prepare(plain, ctx);
  return sendTo(to, { step: step.name, purpose: to, http: request, differences: [] }, ctx);
}
