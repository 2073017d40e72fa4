import type { ResponseObservation, Readable } from '../../judge/observation.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import type { Difference, Step } from '../../model/suite.ts';
import type { CorrelationKeys } from '../../wire/correlate.ts';
import { carryRequest } from '../../wire/http-request.ts';
import { type CaseContext, type RequestInbox, Unmet } from '../context/case-context.ts';
import { exchange, type ExchangeOrder, inTurn } from '../context/exchange.ts';
import { openInbox } from '../context/inbox.ts';
import { observationContext } from '../context/open-context.ts';
import { recordRequest } from '../drive/record-change.ts';
import { sign, type Signed } from './sign.ts';

/** The object of an earlier step, to be sent once more. */
function resend(step: string, ctx: CaseContext): Signed {
  const before = ctx.state.traces.get(step);
  const signed = before?.kind === 'response' || before?.kind === 'sign';
  if (!signed || before.jws === undefined) throw new Unmet(`step ${step} made no request object`);
  return {
    header: before.header ?? {},
    claims: before.claims ?? {},
    payload: '',
    jws: before.jws,
    differences: [{ what: 'jws', change: 'set', value: `the one of step ${step} again` }],
  };
}

/** Differences that keep a carrier from reading the object, or from verifying it. */
const hidesTheObject = ['raw', 'append', 'tamper', 'request', 'body', 'text', 'method'] as const;
const breaksTheSignature = ['key', 'alg', 'header', 'dropHeader'] as const;

/** Raw text is what an object model cannot express: a carrier may stop at it before it has read anything (SEC-10, SEC-11). */
function readability(difference: Difference): Readable {
  if (hidesTheObject.some((key) => difference[key] !== undefined)) return 'not at all';
  return breaksTheSignature.some((key) => difference[key] !== undefined) ? 'unverified' : 'verified';
}

const textKey = (name: keyof CorrelationKeys, value: Json | undefined): CorrelationKeys =>
  typeof value === 'string' && value !== '' ? { [name]: value } : {};

const correlationKeysOf = ({ claims }: Signed): CorrelationKeys => ({
  ...textKey('bearer', claims['client_notification_token']),
  ...textKey('state', claims['state']),
});

/** The request object with its differences, or that of the step which is to be sent again. */
function makeObject(difference: Difference, ctx: CaseContext): Promise<Signed> {
  if (difference.again !== undefined) return Promise.resolve(resend(difference.again, ctx));
  return sign(ctx.world.suites.base, difference, ctx.as(difference.client));
}

/** The response is in: callbacks are found by the auth_req_id from now on. */
function settle(inbox: RequestInbox, observation: ResponseObservation, { world }: CaseContext): void {
  const { body } = observation;
  const authReqId = textKey('authReqId', isJsonObject(body) ? body['auth_req_id'] : undefined);
  inbox.correlationKeys = { ...inbox.correlationKeys, ...authReqId };
  world.correlator.add(inbox, authReqId);
  inbox.settle(observation);
}

async function send(endpoint: string, difference: Difference, at: Sending): Promise<ResponseObservation> {
  const { step, ctx } = at;
  const as = ctx.as(difference.client);
  const signed = await makeObject(difference, ctx);
  const carried = carryRequest(endpoint, signed.jws, difference, as.scope({ jws: signed.jws }));
  const correlationKeys = correlationKeysOf(signed);
  const inbox = openInbox(ctx, step.name, correlationKeys);
  const order: ExchangeOrder = {
    step: step.name,
    purpose: 'request',
    http: carried.http,
    differences: [...signed.differences, ...carried.differences],
    object: signed,
    client: as.client.name,
    usual: carried.usual,
    readable: readability(difference),
  };
  const pending = { life: signed.claims['expires_in'], correlationKeys };
  try {
    const observation = await recordRequest(pending, () => exchange(order, ctx), ctx);
    settle(inbox, observation, ctx);
    return observation;
  } catch (error) {
    inbox.settle(undefined);
    throw error;
  }
}

interface Sending {
  readonly step: Step;
  readonly ctx: CaseContext;
}

/** `authorize`: signs the request object with its differences, sends it, and opens an inbox for its callbacks. */
export async function authorize(difference: Difference, step: Step, ctx: CaseContext): Promise<ResponseObservation> {
  const { endpoints, invariants } = ctx.world;
  const endpoint = endpoints.urls['server_initiated'];
  if (endpoint === undefined) throw new Unmet('neither discovery nor the target names a server-initiated endpoint');
  const response = await inTurn(ctx, () => send(endpoint, difference, { step, ctx }));
  if (response.usual) {
    invariants.onResponse(response, observationContext(ctx, { sent: response, response }));
  }
  return response;
}
