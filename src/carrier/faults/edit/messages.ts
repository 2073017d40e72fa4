import type { Response } from '../../builders/authorization.ts';
import type { Failure } from '../../builders/tokens.ts';
import type { EventNews } from '../../builders/events.ts';
import type { JsonObject } from '../../json.ts';
import type { Edit } from './define.ts';
import { withBuilders, withEvents } from './parts.ts';

type Headers = Readonly<Record<string, string>>;

/** Changes the 200 (§2.4). */
export function responding(change: (response: Response) => Partial<Response>): Edit {
  return withBuilders(({ response }) => ({
    response: (request, policy) => {
      const built = response(request, policy);
      return { ...built, ...change(built) };
    },
  }));
}

/** Changes every refusal (§2.5). */
export function refusing(change: (response: Response) => Partial<Response>): Edit {
  return withBuilders(({ refusal }) => ({
    refusal: (reason, correlationId) => {
      const built = refusal(reason, correlationId);
      return { ...built, ...change(built) };
    },
  }));
}

/** Changes the callback with tokens (§2.6). */
export function succeeding(change: (body: JsonObject) => JsonObject): Edit {
  return withBuilders(({ success }) => ({ success: (approval, tokens) => change(success(approval, tokens)) }));
}

/** Changes the callback with an error (§2.6). */
export function failing(change: (body: JsonObject, failure: Failure) => JsonObject): Edit {
  return withBuilders(({ failure }) => ({ failure: (reason) => change(failure(reason), reason) }));
}

/** Changes the body of every callback. */
export function callingBack(change: (body: JsonObject) => JsonObject): Edit {
  return (definition) => failing(change)(succeeding(change)(definition));
}

/** Changes the headers of every callback (§4.2). */
export function calling(change: (headers: Headers) => Headers): Edit {
  return withBuilders(({ callbackHeaders }) => ({
    callbackHeaders: (request, policy) => change(callbackHeaders(request, policy)),
  }));
}

/** Changes the claims of the id token. */
export function changedIdToken(change: (claims: JsonObject) => JsonObject): Edit {
  return withBuilders(({ idToken }) => ({
    idToken: (approval, accessToken) => change(idToken(approval, accessToken)),
  }));
}

/** Changes the claims of the access token. */
export function changedAccessToken(change: (claims: JsonObject) => JsonObject): Edit {
  return withBuilders(({ accessToken }) => ({ accessToken: (approval) => change(accessToken(approval)) }));
}

/** Changes the claims of every event token (§6). */
export function changedSet(change: (claims: JsonObject, news: EventNews) => JsonObject): Edit {
  return withEvents(({ claims }) => ({ claims: (news) => change(claims(news), news) }));
}

/** The object without some of its members. */
export function leaveOut<T>(object: Readonly<Record<string, T>>, ...names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The object with a member in lower case, where it is text. */
export function lowered<T>(body: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T | string>> {
  const value = body[name];
  return typeof value === 'string' ? { ...body, [name]: value.toLowerCase() } : body;
}
