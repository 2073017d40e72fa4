import { asText, isJsonList, type Json, type JsonObject, words } from '../../carrier/json.ts';
import {
  type BodyContext,
  check,
  type Check,
  type ClientContext,
  type KeyContext,
  type MessageContext,
  type ObjectContext,
  reader,
} from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState, RegisteredKey, SubscriberState } from '../../carrier/state/accounts.ts';
import type { Edit } from './fault-table.ts';
import { addClaimCheck, addSubscriberCheck, skipChecksIf, withPipeline } from '../../carrier/seams/definition-parts.ts';

type ObjectPredicate = (context: ObjectContext) => boolean;
type ClaimsPredicate = (context: KeyContext) => boolean;

/** Skips the checks of these names for every request where `isExcused` is true. */
export function skipCheckIf(names: readonly string[], isExcused: ClaimsPredicate): Edit {
  return withPipeline(({ onClaims }) => ({ onClaims: skipChecksIf(onClaims, isExcused, names) }));
}

/** Like skipCheckIf, for checks that run before the client is known. */
export function skipObjectCheckIf(names: readonly string[], isExcused: ObjectPredicate): Edit {
  return withPipeline(({ onObject }) => ({ onObject: skipChecksIf(onObject, isExcused, names) }));
}

/** Refuses every request where `isBad` is true, after all other checks on the claims. */
export function addRefusal(name: string, isBad: ClaimsPredicate, error = 'invalid_request'): Edit {
  return addClaimCheck(name, (context) => {
    if (isBad(context)) refuse(error, `${name} does not hold`);
  });
}

/** Fails with an internal error where `breaksIt` is true, before header and claims are checked. */
export function failOnObject(breaksIt: ObjectPredicate): Edit {
  return withPipeline(({ onObject }) => ({ onObject: [internalError(breaksIt), ...onObject] }));
}

/** Like failOnObject, for a body before it is read. */
export function failOnMessage(breaksIt: (bytes: Buffer) => boolean): Edit {
  return withPipeline(({ onMessage }) => ({
    onMessage: [...onMessage, internalError(({ bytes }: MessageContext) => breaksIt(Buffer.from(bytes)))],
  }));
}

/** Like failOnObject, for the value of `request` before it is read. */
export function failOnRequest(breaksIt: (request: string) => boolean): Edit {
  return withPipeline(({ onBody }) => ({
    onBody: [internalError(({ outside }: BodyContext) => breaksIt(asText(outside['request']))), ...onBody],
  }));
}

function internalError<C>(breaksIt: (context: C) => boolean): Check<C> {
  return check('no-internal-error', (context) => {
    if (breaksIt(context)) refuse('server_error', 'the carrier failed', 500);
  });
}

/** Looks the client up with `find` first. */
export function findClientFirst(find: (context: ObjectContext) => ClientState | undefined): Edit {
  return withPipeline(({ readClient }) => ({
    readClient: reader(readClient.name, (context: ObjectContext) => {
      const client = find(context);
      return client === undefined ? readClient.read(context) : { ...context, client };
    }),
  }));
}

/** Looks the subscriber up with `find` first. */
export function findSubscriberFirst(find: (context: KeyContext) => SubscriberState | undefined): Edit {
  return withPipeline(({ readSubscriber }) => ({
    readSubscriber: reader(readSubscriber.name, (context: KeyContext) => {
      const subscriber = find(context);
      return subscriber === undefined ? readSubscriber.read(context) : { ...context, subscriber };
    }),
  }));
}

/** Looks the key up with `find` first. */
export function findKeyFirst(find: (context: ClientContext) => RegisteredKey | undefined): Edit {
  return withPipeline(({ readKey }) => ({
    readKey: reader(readKey.name, (context: ClientContext) => {
      const key = find(context);
      return key === undefined ? readKey.read(context) : { ...context, key };
    }),
  }));
}

/** Refuses every request where `isBad` is true, after all other checks. */
export function addLastRefusal(name: string, isBad: ClaimsPredicate, error = 'invalid_request'): Edit {
  return addSubscriberCheck(name, (context) => {
    if (isBad(context)) refuse(error, `${name} does not hold`);
  });
}

/** Rewrites the value of `request` before it is read. */
export function rewriteRequest(rewrite: (request: Json | undefined) => Json | undefined): Edit {
  return withPipeline(({ readObject }) => ({
    readObject: reader(readObject.name, (context: BodyContext) => {
      const request = rewrite(context.outside['request']);
      return readObject.read(request === undefined ? context : withRequest(context, request));
    }),
  }));
}

/** Reads the request object as if it had been tidied; the signature is still over the original. */
export function tidyRequest(tidy: (request: string) => string): Edit {
  return withPipeline(({ readObject }) => ({
    readObject: reader(readObject.name, (context: BodyContext) => {
      const sent = context.outside['request'];
      if (typeof sent !== 'string') return readObject.read(context);
      const object = readObject.read(withRequest(context, tidy(sent)));
      const signed = Buffer.from(sent.split('.').slice(0, 2).join('.'), 'utf8');
      return { ...object, jws: { ...object.jws, signed } };
    }),
  }));
}

function withRequest(context: BodyContext, request: Json): BodyContext {
  return { ...context, outside: { ...context.outside, request } };
}

/** Tidies each segment as it stands in base64url. */
export function tidySegments(tidy: (segment: string) => string): (request: string) => string {
  return (request) => request.split('.').map(tidy).join('.');
}

/** Tidies the bytes of header and payload if they are plain base64url. */
export function tidyContent(tidy: (content: Buffer) => Uint8Array | string): (request: string) => string {
  return (request) => {
    const [header = '', payload = '', ...rest] = request.split('.');
    const again = (text: string): string => {
      const content = Buffer.from(text, 'base64url');
      return content.toString('base64url') === text ? Buffer.from(tidy(content)).toString('base64url') : text;
    };
    return [again(header), again(payload), ...rest].join('.');
  };
}

/** Keeps only the first member of each name in a JSON object; returns any other text unchanged. */
export function keepFirstMembers(text: string): string {
  return keepOnePerName(text, (members, name, member) => {
    if (!members.has(name)) members.set(name, member);
  });
}

/** Like keepFirstMembers, but keeps the last member of each name. */
export function keepLastMembers(text: string): string {
  return keepOnePerName(text, (members, name, member) => members.set(name, member));
}

function keepOnePerName(
  text: string,
  keep: (members: Map<string, string>, name: string, member: string) => void,
): string {
  const [, inside] = /^[ \t\r\n]*\{(.*)\}[ \t\r\n]*$/s.exec(text) ?? [];
  if (inside === undefined) return text;
  const kept = new Map<string, string>();
  for (const member of splitMembers(inside)) {
    const name = readMemberName(member);
    if (name === undefined) return text;
    keep(kept, name, member);
  }
  return `{${[...kept.values()].join(',')}}`;
}

/** Source text of each member, split at the commas of the outermost level. */
function splitMembers(inside: string): string[] {
  const members = [''];
  let depth = 0;
  for (const [token] of inside.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]|[^"{}[\],]+/gs)) {
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (token === ',' && depth === 0) members.push('');
    else members.push(`${members.pop() ?? ''}${token}`);
  }
  return members;
}

function readMemberName(member: string): string | undefined {
  const [, quoted] = /^\s*("(?:[^"\\]|\\.)*")\s*:/s.exec(member) ?? [];
  try {
    return quoted === undefined ? undefined : String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

/** Condition on the claims of a request object. */
export type ClaimsCondition = (claims: JsonObject) => boolean;

export const hasClaims =
  (...names: readonly string[]): ClaimsCondition =>
  (claims) =>
    names.every((name) => Object.hasOwn(claims, name));

export const lacksClaims =
  (...names: readonly string[]): ClaimsCondition =>
  (claims) =>
    !names.some((name) => Object.hasOwn(claims, name));

export const claimIs =
  (name: string, value: Json): ClaimsCondition =>
  (claims) =>
    claims[name] === value;

/** The space-separated list has each of these words. */
export const claimLists =
  (name: string, ...wanted: readonly string[]): ClaimsCondition =>
  (claims) =>
    wanted.every((word) => words(asText(claims[name])).includes(word));

/** A check, and the conditions that must all hold to skip it. */
type SkippedCheck = readonly [check: string, ...whens: readonly ClaimsCondition[]];

export function skipWhen([check, ...whens]: SkippedCheck): Edit {
  return skipCheckIf([check], ({ claims }) => whens.every((when) => when(claims)));
}

/** Whether a value or anything within it satisfies the predicate. */
export function containsValue(value: Json | undefined, isSuch: (value: Json) => boolean): boolean {
  if (value === undefined) return false;
  if (isSuch(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  return (isJsonList(value) ? value : Object.values(value)).some((inner: Json) => containsValue(inner, isSuch));
}
