import type { Response } from '../../builders/authorization.ts';
import type { EventNews } from '../../builders/events.ts';
import type { Approval, Failure } from '../../builders/tokens.ts';
import type { Json, JsonObject } from '../../json.ts';
import { all, type Edit } from './define.ts';
import { withBuilders, withDiscovery, withEvents } from './parts.ts';

/** Members that are changed or added; one that is undefined is left out. */
export type Members<T = Json> = Readonly<Record<string, T | undefined>>;

/** The object with these members changed. */
export function merged<T>(object: Readonly<Record<string, T>>, members: Members<T>): Readonly<Record<string, T>> {
  const result: Record<string, T> = {};
  for (const [name, value] of Object.entries({ ...object, ...members })) if (value !== undefined) result[name] = value;
  return result;
}

/** Changes the 200 (§2.4). */
export function responding(change: (response: Response) => Partial<Response>): Edit {
  return withBuilders(({ response }) => ({
    response: (request, policy) => {
      const built = response(request, policy);
      return { ...built, ...change(built) };
    },
  }));
}

/** Changes the body of the 200. */
export function respondingWith(change: (body: JsonObject) => Members): Edit {
  return responding(({ body }) => ({ body: merged(body, change(body)) }));
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

/** Changes the body of every refusal. */
export function refusingWith(change: (body: JsonObject) => Members): Edit {
  return refusing(({ body }) => ({ body: merged(body, change(body)) }));
}

/** The builder, whose members are changed after it has built; the change is given them and what the builder was given. */
export function after<T, Given extends readonly unknown[]>(
  build: (...given: Given) => Readonly<Record<string, T>>,
  change: (built: Readonly<Record<string, T>>, ...given: Given) => Members<T>,
): (...given: Given) => Readonly<Record<string, T>> {
  return (...given) => {
    const built = build(...given);
    return merged(built, change(built, ...given));
  };
}

type ChangeMembers = (body: JsonObject) => Members;

/** Changes the callback with tokens (§2.6). */
export function succeeding(change: (body: JsonObject, approval: Approval) => Members): Edit {
  return withBuilders(({ success }) => ({ success: after(success, change) }));
}

/** Changes the callback with an error (§2.6). */
export function failing(change: (body: JsonObject, failure: Failure) => Members): Edit {
  return withBuilders(({ failure }) => ({ failure: after(failure, change) }));
}

/** Changes the callback of a time-out, by whatever code it is told. */
export function timingOut(change: (failure: Failure) => Members): Edit {
  return (definition) => {
    const { timedOutError } = definition.policy;
    return failing(({ error }, failure) => (error === timedOutError ? change(failure) : {}))(definition);
  };
}

/** Changes the body of every callback. */
export function callingBack(change: ChangeMembers): Edit {
  return all(succeeding(change), failing(change));
}

/** Changes the headers of every callback (§4.2). */
export function calling(change: (headers: Readonly<Record<string, string>>) => Members<string>): Edit {
  return withBuilders(({ callbackHeaders }) => ({ callbackHeaders: after(callbackHeaders, change) }));
}

/** Changes the claims of the id token. */
export function changedIdToken(change: ChangeMembers): Edit {
  return withBuilders(({ idToken }) => ({ idToken: after(idToken, change) }));
}

/** Changes the claims of the access token. */
export function changedAccessToken(change: ChangeMembers): Edit {
  return withBuilders(({ accessToken }) => ({ accessToken: after(accessToken, change) }));
}

/** Changes the claims of every event token (§6). */
export function changedSet(change: (claims: JsonObject, news: EventNews) => Members): Edit {
  return withEvents(({ claims }) => ({ claims: after(claims, change) }));
}

/** Changes the configuration (§2.9). */
export function published(change: ChangeMembers): Edit {
  return withDiscovery(({ configuration }) => ({ configuration: after(configuration, change) }));
}

/** The object without some of its members. */
export function leaveOut<T>(object: Readonly<Record<string, T>>, ...names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The member in lower case, where it is text. */
export function lowered(body: JsonObject, name: string): Members {
  const value = body[name];
  return typeof value === 'string' ? { [name]: value.toLowerCase() } : {};
}
