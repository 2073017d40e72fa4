import type { Response } from '../../builders/authorization.ts';
import type { EventNews } from '../../builders/events.ts';
import type { Failure, Approval } from '../../builders/tokens.ts';
import { type Json, type JsonObject, stringMember } from '../../json.ts';
import type { AuthorizationRequest } from '../../state/requests.ts';
import { all, type Edit } from './define.ts';
import { withBuilders, withDiscovery, withEvents } from './parts.ts';

/** Members to change or add; an undefined one is removed. */
export type Members<T = Json> = Readonly<Record<string, T | undefined>>;

export function merge<T>(object: Readonly<Record<string, T>>, members: Members<T>): Readonly<Record<string, T>> {
  const result: Record<string, T> = {};
  for (const [name, value] of Object.entries({ ...object, ...members })) if (value !== undefined) result[name] = value;
  return result;
}

/** Changes the 200 (§2.4). */
export function changeResponse(change: (response: Response) => Partial<Response>): Edit {
  return withBuilders(({ response }) => ({
    response: (request, policy) => {
      const built = response(request, policy);
      return { ...built, ...change(built) };
    },
  }));
}

export function changeResponseBody(change: (body: JsonObject) => Members): Edit {
  return changeResponse(({ body }) => ({ body: merge(body, change(body)) }));
}

/** Changes every refusal (§2.5). */
export function changeRefusal(change: (response: Response) => Partial<Response>): Edit {
  return withBuilders(({ refusal }) => ({
    refusal: (reason, correlationId) => {
      const built = refusal(reason, correlationId);
      return { ...built, ...change(built) };
    },
  }));
}

export function changeRefusalBody(change: (body: JsonObject) => Members): Edit {
  return changeRefusal(({ body }) => ({ body: merge(body, change(body)) }));
}

/** Wraps a builder to change the members it builds; `change` receives them and the builder's arguments. */
export function after<T, Given extends readonly unknown[]>(
  build: (...given: Given) => Readonly<Record<string, T>>,
  change: (built: Readonly<Record<string, T>>, ...given: Given) => Members<T>,
): (...given: Given) => Readonly<Record<string, T>> {
  return (...given) => {
    const built = build(...given);
    return merge(built, change(built, ...given));
  };
}

type ChangeMembers = (body: JsonObject) => Members;

/** Changes the callback with tokens (§2.6). */
export function changeTokens(change: (body: JsonObject, approval: Approval) => Members): Edit {
  return withBuilders(({ success }) => ({ success: after(success, change) }));
}

/** Changes the callback with an error (§2.6). */
export function changeFailure(change: (body: JsonObject, failure: Failure) => Members): Edit {
  return withBuilders(({ failure }) => ({ failure: after(failure, change) }));
}

/** Changes the callback of a time-out, whatever its error code. */
export function changeTimeOut(change: (failure: Failure) => Members): Edit {
  return (definition) => {
    const { timedOutError } = definition.policy;
    return changeFailure(({ error }, failure) => (error === timedOutError ? change(failure) : {}))(definition);
  };
}

export function changeCallback(change: ChangeMembers): Edit {
  return all(changeTokens(change), changeFailure(change));
}

/** Changes the headers of every callback (§4.2). */
export function changeCallbackHeaders(change: (headers: Readonly<Record<string, string>>) => Members<string>): Edit {
  return withBuilders(({ callbackHeaders }) => ({ callbackHeaders: after(callbackHeaders, change) }));
}

export function changeIdToken(change: ChangeMembers): Edit {
  return withBuilders(({ idToken }) => ({ idToken: after(idToken, change) }));
}

export function changeAccessToken(change: ChangeMembers): Edit {
  return withBuilders(({ accessToken }) => ({ accessToken: after(accessToken, change) }));
}

/** Changes the claims of every event token (§6). */
export function changeEventToken(change: (claims: JsonObject, news: EventNews) => Members): Edit {
  return withEvents(({ claims }) => ({ claims: after(claims, change) }));
}

/** Changes the configuration (§2.9). */
export function changeConfiguration(change: ChangeMembers): Edit {
  return withDiscovery(({ configuration }) => ({ configuration: after(configuration, change) }));
}

export function omit<T>(object: Readonly<Record<string, T>>, ...names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Returns the member in lower case, if it is a string. */
export function lowered(body: JsonObject, name: string): Members {
  const value = body[name];
  return typeof value === 'string' ? { [name]: value.toLowerCase() } : {};
}

export function changeCard(change: ChangeMembers): Edit {
  return withBuilders(({ card }) => ({ card: after(card, change) }));
}

/** Changes the moment at which a request times out, in milliseconds. */
export function changeEnd(change: (end: number, request: AuthorizationRequest) => number | undefined): Edit {
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
    claims: after(claims, (read) => {
      const value = stringMember(read, claim);
      return value === undefined ? {} : { [claim]: form(value) };
    }),
  }));
}
