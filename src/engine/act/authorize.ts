import type { ResponseObservation, Readable, Observation } from '../../judge/observation.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { Difference, BaseRequest } from '../../model/suite.ts';
import type { Step } from '../../suite/suites.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { SignBase } from '../../suite/verbs/sign.ts';
import type { CorrelationKeys } from '../../wire/receive/correlate.ts';
import { carryRequest } from '../../wire/build/http-request.ts';
import { type CaseContext, type RequestInbox, Unmet } from '../context/case-context.ts';
import { exchange, type ExchangeOrder, inTurn } from '../context/exchange.ts';
import { openInbox } from '../context/inbox.ts';
import { observationContext } from '../context/open-context.ts';
import { recordRequest } from '../drive/changes.ts';
import type { SigningKey } from '../../wire/build/keys.ts';
import { buildRequestObject, type RequestObject } from '../../wire/build/request-object.ts';
import { signCompact, signerOf } from '../../wire/build/sign.ts';
import { tamperWith } from '../../wire/build/tamper.ts';

interface Signed extends RequestObject {
  readonly jws: string;
  readonly signingKey?: JsonObject;
}

/** The header's alg follows the key that signs, unless the step sets another. */
function headerFor(object: RequestObject, difference: Difference, key: SigningKey): RequestObject['header'] {
  if (difference.alg !== undefined) return { ...object.header, alg: difference.alg };
  const given = difference.header?.some(([name]) => name === 'alg') === true || difference.dropHeader?.includes('alg');
  return difference.key === undefined || given === true ? object.header : { ...object.header, alg: key.alg };
}

const named = (what: string, value: string | undefined): NamedDifference[] =>
  value === undefined ? [] : [{ what, change: 'set', value }];

/** A base with its differences, signed: a request object, an assertion or a proof. */
export async function sign(base: BaseRequest, difference: Difference, ctx: CaseContext): Promise<Signed> {
  const object = buildRequestObject(base, difference, ctx.scope());
  const key = await ctx.world.keys.find(difference.key, ctx.client, ctx.second);
  const header = headerFor(object, difference, key);
  const differences = [
    ...named('client', difference.client),
    ...named('key', difference.key),
    ...named('alg', difference.alg),
    ...object.differences,
  ];
  const jws = await signCompact(object.payload, header, key);
  const signingKey = key.publicJwk === undefined ? {} : { signingKey: key.publicJwk };
  if (difference.tamper === undefined) return { ...object, header, jws, differences, ...signingKey };
  const altered: NamedDifference = { what: 'jws', change: 'altered', value: difference.tamper };
  return {
    ...object,
    header,
    jws: tamperWith(jws, difference.tamper, signerOf(key)),
    differences: [...differences, altered],
  };
}

function baseOf(base: SignBase, { suites }: CaseContext['world']): BaseRequest {
  if (base === 'request-object') return suites.base;
  if (base === 'none') return { header: suites.base.header, claims: [] };
  if (suites.assertion === undefined) throw new Unmet('the suites have no base-client-assertion.yaml');
  return suites.assertion;
}

/** `sign`: makes a JWT for a later step. */
export async function signJwt(act: Act & { verb: 'sign' }, step: Step, ctx: CaseContext): Promise<Observation> {
  const sentAt = ctx.now() / 1000;
  const { jws, claims, header } = await sign(
    baseOf(act.base, ctx.world),
    act.difference,
    ctx.as(act.difference.client),
  );
  ctx.redactor.learn('signed JWT', jws);
  return { kind: 'sign', step: step.name, sentAt, jws, claims, header, summary: 'a signed JWT' };
}

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
  const carried = carryRequest(endpoint, signed.jws, { difference, scope: as.scope({ jws: signed.jws }) });
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
