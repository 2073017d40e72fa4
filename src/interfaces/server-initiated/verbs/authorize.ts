import { defineStepVerb } from '../../../engine/act/verb.ts';
import type { CaseContext } from '../../../engine/context/case-context.ts';
import { endpointUrl } from '../../../engine/context/endpoints.ts';
import { performExchange, type ExchangeOrder, awaitTurn } from '../../../engine/context/exchange.ts';
import { openInbox, settleInbox } from '../../../engine/context/inbox.ts';
import { observationContext } from '../../../engine/context/open-context.ts';
import { valueIfKnown, type Walk } from '../../../engine/context/walk.ts';
import { recordRequest } from '../../../engine/drive/changes.ts';
import { planRequest } from '../../../engine/plan/planned-time.ts';
import type { ObjectReadability, ResponseObservation } from '../../../judge/observation.ts';
import { isJsonObject, type Json, parseJson, renderPlain, omitUndefined } from '../../../lib/json.ts';
import type { Interface } from '../../../model/interface.ts';
import type { BaseRequest, Difference, TemplateMap, Scope, Template } from '../../../model/suite.ts';
import { reportAt } from '../../../suite/context.ts';
import { either, word } from '../../../suite/grammar/grammar.ts';
import type { Step } from '../../../suite/suites.ts';
import {
  type VerbAct,
  defineVerb,
  readRow,
  checkReference,
  exchangeMembers,
  repeatKeys,
} from '../../../suite/verbs/verb.ts';
import { at } from '../../../suite/yaml/document.ts';
import { type HttpRequest, carryRequest } from '../../../wire/build/http-request.ts';
import { buildRequestObject } from '../../../wire/build/request-object.ts';
import {
  describeDifference,
  differenceKeys,
  differenceShape,
  keepParts,
  orValidRequest,
  differenceRequirements,
  differenceRisks,
} from './difference.ts';
import { requireBase, reuseObject, signObject, type SignedObject } from './signed-object.ts';

/** §2.1: values beside the request object, in the URL and in the body; the body's if both have a name. */
export function readOutsideValues({ url, body }: Pick<HttpRequest, 'url' | 'body'>): Readonly<Record<string, Json>> {
  const sent = parseJson(body ?? '');
  const inBody = isJsonObject(sent) ? Object.entries(sent) : new URLSearchParams(body);
  const all = [...new URL(url).searchParams, ...inBody].filter(([name]) => name !== 'request');
  return Object.fromEntries(all);
}

const keepLifeOnly = (map: TemplateMap = []): TemplateMap => map.filter(([name]) => name === 'expires_in');

/** Whether a text sets the life; others are left out, because they may read values that only a run knows. */
const setsLife = (append: Template | undefined): boolean =>
  append !== undefined && renderPlain(append.source).includes('expires_in');

/** `expires_in` of an object with its differences, as sent; the longest watch if only a run can know it. */
export function requestedLife(
  base: BaseRequest | undefined,
  { difference, scope }: { readonly difference: Difference; readonly scope: Scope },
  { timing }: Interface,
): unknown {
  const { drop, raw, append, claims } = difference;
  const own: Difference = {
    claims: keepLifeOnly(claims),
    ...omitUndefined({ drop, raw: raw && keepLifeOnly(raw), append: setsLife(append) ? append : undefined }),
  };
  const whole = { header: [], claims: keepLifeOnly(base?.claims) };
  const found = valueIfKnown(() => ({ life: buildRequestObject(whole, own, scope).claims['expires_in'] }));
  return found === undefined ? timing.longestWatch : found.life;
}

const authorizeValueTitle = { title: 'a mapping, or "each"' };

const authorizeDefinition = defineVerb({
  verb: 'authorize',
  description:
    'Send a request object; the keys are its deliberate differences from the base request. `each` takes the row of the case.',
  value: either(word(['each'], authorizeValueTitle), differenceShape, authorizeValueTitle),
  keys: repeatKeys,
  sends: true,
  outcomes: ['accepted', 'denied', 'denied-or-dropped', 'at-most-one', 'answered'],
  expectations: ['echo', 'error', 'status', 'like', 'latencyLike'],
  members: [...exchangeMembers, 'claims', 'header', 'jws', 'granted'],
  makes: ['request', 'object'],
  row: differenceKeys,
  compile: ({ place, value }, context): { readonly difference: Difference } => {
    if (value === 'each' && context.row === undefined) {
      reportAt(place, context, { code: 'unknown-name', message: 'this case has no "each" to take a row from' });
    }
    const difference = value === 'each' ? readRow(differenceShape, context) : value;
    checkReference(at(value === 'each' ? (context.row ?? place) : place, 'again'), context);
    return { difference: difference ?? {} };
  },
  requires: ({ difference }) => differenceRequirements(difference),
  risks: ({ difference }) => differenceRisks(difference),
  describe: ({ difference }, show) => ({
    act: 'a request object is sent',
    details: orValidRequest(describeDifference(difference, show)),
  }),
});

/** Differences that keep a carrier from reading the object, or from verifying it. */
const hidingKeys = ['raw', 'append', 'tamper', 'request', 'body', 'text', 'method'] as const;
const signatureBreakingKeys = ['key', 'alg', 'header', 'dropHeader'] as const;

/** Raw text is beyond an object model: a carrier may stop at it before it has read anything (SEC-10, SEC-11). */
function readability(difference: Difference): ObjectReadability {
  if (hidingKeys.some((key) => difference[key] !== undefined)) return 'not at all';
  return signatureBreakingKeys.some((key) => difference[key] !== undefined) ? 'unverified' : 'verified';
}

/** Request object with its differences, or the object of an earlier step to send again. */
function makeObject(difference: Difference, ctx: CaseContext): Promise<SignedObject> {
  if (difference.again !== undefined) return Promise.resolve(reuseObject(difference.again, ctx));
  return signObject(requireBase('request-object', ctx.services), difference, ctx.as(difference.client));
}

async function sendObject(endpoint: string, difference: Difference, at: SendContext): Promise<ResponseObservation> {
  const { step, ctx } = at;
  const as = ctx.as(difference.client);
  const signed = await makeObject(difference, ctx);
  const carried = carryRequest(endpoint, signed.jws, { difference, scope: as.scope({ jws: signed.jws }) });
  const { ofRequest, urisOf } = ctx.services.interface.correlation;
  const correlationKeys = ofRequest(signed.claims);
  const outside = readOutsideValues(carried.http);
  const inbox = openInbox(ctx, step.name, correlationKeys, [...urisOf(outside), ...urisOf(signed.claims)]);
  const order: ExchangeOrder = {
    step: step.name,
    purpose: 'request',
    http: carried.http,
    differences: [...signed.differences, ...carried.differences],
    object: signed,
    client: as.client.name,
    outside,
    usual: carried.usual,
    readable: readability(difference),
  };
  const pending = { life: signed.claims['expires_in'], correlationKeys };
  try {
    const observation = await recordRequest(pending, () => performExchange(order, ctx), ctx);
    settleInbox(inbox, observation);
    return observation;
  } catch (error) {
    inbox.settle(undefined);
    throw error;
  }
}

interface SendContext {
  readonly step: Step;
  readonly ctx: CaseContext;
}

async function runAuthorize(
  { difference }: VerbAct<typeof authorizeDefinition>,
  step: Step,
  ctx: CaseContext,
): Promise<ResponseObservation> {
  const { invariants } = ctx.services;
  const endpoint = endpointUrl('server_initiated', ctx.services);
  const response = await awaitTurn(ctx, () => sendObject(endpoint, difference, { step, ctx }));
  const observedIn = observationContext(ctx, { sent: response, response });
  invariants.onAny(response, observedIn);
  if (response.usual) invariants.onResponse(response, observedIn);
  return response;
}

/** Life that a step's object asks for; an object sent again asks for the same life. */
function plannedLife(difference: Difference, { scope, traces, interface: certified, suites }: Walk): unknown {
  if (difference.again === undefined)
    return requestedLife(suites.bases['request-object'], { difference, scope }, certified);
  const claims = traces.get(difference.again)?.['claims'];
  return isJsonObject(claims) ? claims['expires_in'] : undefined;
}

function planAuthorize({ difference }: VerbAct<typeof authorizeDefinition>, step: Step, walk: Walk): void {
  const { usualLife, objectLife } = walk.interface.timing;
  const { now: at } = walk;
  const asked = plannedLife(difference, walk);
  const life = typeof asked === 'number' && asked > 0 ? asked : usualLife;
  const claims = { iat: at, exp: at + objectLife, expires_in: asked };
  walk.traces.set(step.name, { sentAt: at, receivedAt: at, granted: life, claims, body: { expires_in: life } });
  planRequest({ asked, life }, step, walk);
}

/** Sends a request object (§2.3). */
export const authorize = defineStepVerb(authorizeDefinition, {
  run: runAuthorize,
  plan: planAuthorize,
  only: ({ verb, difference }, whats) => ({ verb, difference: keepParts(difference, whats) }),
});

/** The act that sends a valid request object with a difference. */
export const sendRequest = (difference: Difference): VerbAct<typeof authorizeDefinition> => ({
  verb: 'authorize',
  difference,
});
