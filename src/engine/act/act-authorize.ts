import type { ResponseObservation, Readable, Observation } from '../../judge/observation.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { BaseRequest, Difference } from '../../model/suite.ts';
import type { Scope } from '../../model/template.ts';
import type { CorrelationKeys } from '../../wire/receive/correlate.ts';
import { carryRequest } from '../../wire/build/http-request.ts';
import type { SigningKey } from '../../wire/build/keys.ts';
import { buildRequestObject, type RequestObject } from '../../wire/build/request-object.ts';
import { signCompact, signerOf } from '../../wire/build/sign.ts';
import { tamperWith } from '../../wire/build/tamper.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import { exchange, type ExchangeOrder } from '../world/exchange.ts';
import { createInbox, type Inbox } from '../world/inbox.ts';
import { noteRequest } from '../drive/note-change.ts';
import { createScope } from '../world/scope.ts';
import { observationContext } from '../world/sighting.ts';
import type { World } from '../world/world.ts';
import type { Step } from '../../suite/suites.ts';

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const correlationKey = (name: keyof CorrelationKeys, value: string | undefined): CorrelationKeys =>
  value === undefined || value === '' ? {} : { [name]: value };

/** Another registration's values for the base request, where a step names one. */
export function contextAs(ctx: CaseContext, client: string | undefined, world: World): CaseContext {
  if (client === undefined || client === ctx.client.name) return ctx;
  const found = world.target.clients.find(({ name }) => name === client);
  if (found === undefined) throw new Unmet(`the target has no client ${client}`);
  return { ...ctx, client: found };
}

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

export interface SignOrder {
  readonly base: BaseRequest;
  readonly difference: Difference;
  readonly scope: Scope;
}

/** A base with its differences, signed: a request object, an assertion or a proof. */
export async function sign({ base, difference, scope }: SignOrder, ctx: CaseContext, world: World): Promise<Signed> {
  const object = buildRequestObject(base, difference, scope);
  const key = await world.keys.find(difference.key, ctx.client, ctx.second);
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

function sameAgain(step: string, ctx: CaseContext): Signed {
  const before = ctx.traces.get(step);
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

const hidesTheObject = ['raw', 'append', 'tamper', 'request', 'body', 'text', 'method'] as const;
const spoilsTheSignature = ['key', 'alg', 'header', 'dropHeader'] as const;

/** Raw text is what an object model cannot express: a carrier may stop at it before it has read anything (SEC-10, SEC-11). */
function readability(difference: Difference): Readable {
  if (hidesTheObject.some((key) => difference[key] !== undefined)) return 'not at all';
  return spoilsTheSignature.some((key) => difference[key] !== undefined) ? 'unverified' : 'verified';
}

const correlationKeysOf = ({ claims }: Signed): CorrelationKeys => ({
  ...correlationKey('bearer', text(claims['client_notification_token'])),
  ...correlationKey('state', text(claims['state'])),
});

function open(signed: Signed, step: Step, ctx: CaseContext, world: World): Inbox {
  const correlationKeys = correlationKeysOf(signed);
  const inbox = createInbox(ctx, step.name, correlationKeys);
  ctx.inboxes.push(inbox);
  world.correlator.add(inbox, correlationKeys);
  return inbox;
}

/** `authorize`: signs the request object with its differences, sends it, and opens an inbox for what will come of it. */
export async function authorize(
  difference: Difference,
  step: Step,
  ctx: CaseContext,
  world: World,
): Promise<Observation> {
  const endpoint = world.endpoints.urls['server_initiated'];
  if (endpoint === undefined) throw new Unmet('neither discovery nor the target names a server-initiated endpoint');
  const response = await world.gate.pass(async (): Promise<ResponseObservation> => {
    const as = contextAs(ctx, difference.client, world);
    const scope = createScope(as, world);
    const signed =
      difference.again === undefined
        ? await sign({ base: world.base, difference, scope }, as, world)
        : sameAgain(difference.again, ctx);
    const carried = carryRequest(endpoint, signed.jws, {
      difference,
      scope: createScope(as, world, { jws: signed.jws }),
    });
    const inbox = open(signed, step, ctx, world);
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
    const send = (): Promise<ResponseObservation> => exchange(order, ctx, world);
    const observation = await noteRequest(
      { life: signed.claims['expires_in'], correlationKeys: correlationKeysOf(signed) },
      send,
      ctx,
      world,
    ).catch((error: unknown) => {
      inbox.abandon();
      throw error;
    });
    settle(inbox, observation, world);
    return observation;
  }, ctx.order);
  if (response.usual) {
    const scope = createScope(ctx, world, { sent: response, response });
    world.invariants.onResponse(response, observationContext(ctx, scope));
  }
  return response;
}

function settle(inbox: Inbox, observation: ResponseObservation, world: World): void {
  const body = observation.body;
  const id = typeof body === 'object' && body !== null && 'auth_req_id' in body ? body['auth_req_id'] : undefined;
  if (typeof id === 'string' && id !== '') {
    inbox.correlationKeys = { ...inbox.correlationKeys, authReqId: id };
    world.correlator.add(inbox, { authReqId: id });
  }
  inbox.settle(observation);
}
