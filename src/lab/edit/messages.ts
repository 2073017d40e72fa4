import type { CarrierResponse } from '../../carrier/builders/authorization.ts';
import type { PendingEvent } from '../../carrier/builders/events.ts';
import type { RequestFailure, Approval } from '../../carrier/builders/tokens.ts';
import { type Json, type JsonObject, stringMember } from '../../carrier/json.ts';
import { type CarrierSigningKey, signSegments } from '../../carrier/jose/jws.ts';
import type { AuthorizationRequest } from '../../carrier/state/requests.ts';
import { combineEdits, type Edit } from './fault-table.ts';
import { withBuilders, withDiscovery, withEvents } from '../../carrier/seams/definition-parts.ts';

/** Members to change or add; an undefined one is removed. */
export type MemberChanges<T = Json> = Readonly<Record<string, T | undefined>>;

export function mergeMembers<T>(
  object: Readonly<Record<string, T>>,
  members: MemberChanges<T>,
): Readonly<Record<string, T>> {
  const result: Record<string, T> = {};
  for (const [name, value] of Object.entries({ ...object, ...members })) if (value !== undefined) result[name] = value;
  return result;
}

/** Changes the 200 (§2.4). */
export function changeResponse(change: (response: CarrierResponse) => Partial<CarrierResponse>): Edit {
  return withBuilders(({ response }) => ({
    response: (request, policy) => {
      const built = response(request, policy);
      return { ...built, ...change(built) };
    },
  }));
}

export function changeResponseBody(change: (body: JsonObject) => MemberChanges): Edit {
  return changeResponse(({ body }) => ({ body: mergeMembers(body, change(body)) }));
}

/** Changes every refusal (§2.5). */
export function changeRefusal(change: (response: CarrierResponse) => Partial<CarrierResponse>): Edit {
  return withBuilders(({ refusal }) => ({
    refusal: (reason, correlationId) => {
      const built = refusal(reason, correlationId);
      return { ...built, ...change(built) };
    },
  }));
}

export function changeRefusalBody(change: (body: JsonObject) => MemberChanges): Edit {
  return changeRefusal(({ body }) => ({ body: mergeMembers(body, change(body)) }));
}

/** Wraps a builder to change the members it builds; `change` receives them and the builder's arguments. */
export function changeBuilt<T, Given extends readonly unknown[]>(
  build: (...given: Given) => Readonly<Record<string, T>>,
  change: (built: Readonly<Record<string, T>>, ...given: Given) => MemberChanges<T>,
): (...given: Given) => Readonly<Record<string, T>> {
  return (...given) => {
    const built = build(...given);
    return mergeMembers(built, change(built, ...given));
  };
}

type ChangeMembers = (body: JsonObject) => MemberChanges;

/** Changes the callback with tokens (§2.6). */
export function changeTokens(change: (body: JsonObject, approval: Approval) => MemberChanges): Edit {
  return withBuilders(({ success }) => ({ success: changeBuilt(success, change) }));
}

/** Changes the callback with an error (§2.6). */
export function changeFailure(change: (body: JsonObject, failure: RequestFailure) => MemberChanges): Edit {
  return withBuilders(({ failure }) => ({ failure: changeBuilt(failure, change) }));
}

/** Changes the callback of a time-out, whatever its error code. */
export function changeTimeOut(change: (failure: RequestFailure) => MemberChanges): Edit {
  return (definition) => {
    const { timedOutError } = definition.policy;
    return changeFailure(({ error }, failure) => (error === timedOutError ? change(failure) : {}))(definition);
  };
}

/** Changes the key that signs id tokens, or what the token says of it. */
export function changeIdTokenKey(change: (key: CarrierSigningKey) => Partial<CarrierSigningKey>): Edit {
  return withBuilders(({ signIdToken }) => ({
    signIdToken: (key, claims) => signIdToken({ ...key, ...change(key) }, claims),
  }));
}

/** Signs id tokens with this header and these claims, as they are written. */
export function writeIdToken(
  write: (header: JsonObject, claims: JsonObject) => readonly [string, string],
  by: Partial<Pick<CarrierSigningKey, 'alg'>> = {},
): Edit {
  return withBuilders(() => ({
    signIdToken: (own, claims) => {
      const key = { ...own, ...by };
      return signSegments(...write({ typ: 'JWT', alg: key.alg, kid: key.kid }, claims), key);
    },
  }));
}

export function changeCallback(change: ChangeMembers): Edit {
  return combineEdits(changeTokens(change), changeFailure(change));
}

/** Changes the headers of every callback (§4.2). */
export function changeCallbackHeaders(
  change: (headers: Readonly<Record<string, string>>) => MemberChanges<string>,
): Edit {
  return withBuilders(({ callbackHeaders }) => ({ callbackHeaders: changeBuilt(callbackHeaders, change) }));
}

export function changeIdToken(change: ChangeMembers): Edit {
  return withBuilders(({ idToken }) => ({ idToken: changeBuilt(idToken, change) }));
}

export function changeAccessToken(change: ChangeMembers): Edit {
  return withBuilders(({ accessToken }) => ({ accessToken: changeBuilt(accessToken, change) }));
}

/** Changes the claims of every event token (§6). */
export function changeEventToken(change: (claims: JsonObject, news: PendingEvent) => MemberChanges): Edit {
  return withEvents(({ claims }) => ({ claims: changeBuilt(claims, change) }));
}

/** Changes the configuration (§2.9). */
export function changeConfiguration(change: ChangeMembers): Edit {
  return withDiscovery(({ configuration }) => ({ configuration: changeBuilt(configuration, change) }));
}

export function omitMembers<T>(object: Readonly<Record<string, T>>, ...names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

export function changeCard(change: ChangeMembers): Edit {
  return withBuilders(({ card }) => ({ card: changeBuilt(card, change) }));
}

/** Changes the moment at which a request times out, in milliseconds. */
export function changeTimeOutMoment(change: (end: number, request: AuthorizationRequest) => number | undefined): Edit {
  return withBuilders(({ timesOutAt }) => ({
    timesOutAt: (request) => {
      const end = timesOutAt(request);
      return end === undefined ? undefined : change(end, request);
    },
  }));
}

/** Stores an accepted claim in this form; undefined drops it. */
export function keepClaimAs(claim: string, form: (value: string) => string | undefined): Edit {
  return withBuilders(({ claims }) => ({
    claims: changeBuilt(claims, (read) => {
      const value = stringMember(read, claim);
      return value === undefined ? {} : { [claim]: form(value) };
    }),
  }));
}
