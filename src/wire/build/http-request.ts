import { mediaType } from '../../lib/media-type.ts';
import { findHeader, type NamedDifference } from '../../model/exchange.ts';
import { isJsonObject, type Json, renderPlain, omitUndefined } from '../../lib/json.ts';
import {
  type Difference,
  type HttpAct,
  type TemplateMap,
  MissingValue,
  type Scope,
  type Template,
} from '../../model/suite.ts';

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
  /** Name of a way to write the request that no HTTP client offers; absent for the usual way. */
  readonly writing?: string;
}

/** Replaces the parameters of the same name: null removes one, a list repeats it. */
export function withQuery(url: string, query: TemplateMap | undefined, scope: Scope): string {
  if (query === undefined || query.length === 0) return url;
  const target = new URL(url);
  for (const [name, template] of query) {
    const value = template.evaluate(scope);
    target.searchParams.delete(name);
    const all: readonly Json[] = Array.isArray(value) ? value : [value];
    for (const one of all) if (one !== null) target.searchParams.append(name, renderPlain(one));
  }
  return target.href;
}

/** Lays the given headers over the defaults: null removes one; names keep their case. */
export function mergeHeaders(
  defaults: readonly (readonly [string, string])[],
  given: TemplateMap | undefined,
  scope: Scope,
): (readonly [string, string])[] {
  const named = new Set((given ?? []).map(([name]) => name.toLowerCase()));
  const merged = defaults.filter(([name]) => !named.has(name.toLowerCase()));
  for (const [name, template] of given ?? []) {
    const value = template.evaluate(scope);
    if (value !== null) merged.push([name, renderPlain(value)]);
  }
  return merged;
}

export const encodeForm = (members: Iterable<readonly [string, Json]>): string => {
  const encoded = new URLSearchParams();
  for (const [name, value] of members) encoded.append(name, renderPlain(value));
  return encoded.toString();
};

export const jsonContentType = 'application/json';
export const formContentType = 'application/x-www-form-urlencoded';

/** Value of a template; undefined if a value that it reads is missing. */
export function valueIfThere(value: Template, scope: Scope): Json | undefined {
  try {
    return value.evaluate(scope);
  } catch (error) {
    if (error instanceof MissingValue) return undefined;
    throw error;
  }
}

/** Request of an `http:` step. */
export function plainRequest(endpoint: string, act: HttpAct, scope: Scope): HttpRequest {
  const path = act.path === undefined ? '' : renderPlain(act.path.evaluate(scope));
  const [place = '', ...query] = endpoint.split('?');
  const url = withQuery([`${place}${path}`, ...query].join('?'), act.query, scope);
  const [body, contentType] = actBody(act, scope);
  const defaults = contentType === undefined ? [] : ([['content-type', contentType]] as const);
  const request = { method: act.method, url, headers: mergeHeaders(defaults, act.headers, scope) };
  return body === undefined ? request : { ...request, body };
}

/** Body of an exchange, and the content type that its kind of body implies. */
function actBody(act: HttpAct, scope: Scope): readonly [body?: string, contentType?: string] {
  if (act.json !== undefined) return [JSON.stringify(act.json.evaluate(scope)), jsonContentType];
  const members = act.form ?? act.parameters;
  if (members === undefined) return act.text === undefined ? [] : [renderPlain(act.text.evaluate(scope))];
  return [encodeForm(members.map(([name, value]) => [name, value.evaluate(scope)] as const)), formContentType];
}

export interface CarriedRequest {
  readonly http: HttpRequest;
  readonly differences: readonly NamedDifference[];
  /** POSTed to the endpoint as JSON with a `request` member, and not too long: the invariants on responses judge only these. */
  readonly usual: boolean;
}

function carriedBody(jws: string, difference: Difference, scope: Scope): { body: string; members?: Map<string, Json> } {
  if (difference.text !== undefined) return { body: renderPlain(difference.text.evaluate(scope)) };
  if (difference.body !== undefined) {
    const body = difference.body.evaluate(scope);
    if (difference.form === true && isJsonObject(body)) return { body: encodeForm(Object.entries(body)) };
    return { body: JSON.stringify(body) };
  }
  const request = difference.request === undefined ? jws : difference.request.evaluate(scope);
  const members = new Map<string, Json>([['request', request]]);
  for (const [name, value] of difference.beside ?? []) members.set(name, value.evaluate(scope));
  return {
    body: difference.form === true ? encodeForm(members) : JSON.stringify(Object.fromEntries(members)),
    members,
  };
}

const namedMaps = ['beside', 'query', 'headers'] as const;
const namedTemplates = ['request', 'body', 'text'] as const;

function nameDifferences(difference: Difference, scope: Scope): NamedDifference[] {
  const set = (key: string, value: Json): NamedDifference => ({ what: `http.${key}`, change: 'set', value });
  const found: NamedDifference[] = [];
  if (difference.method !== undefined) found.push(set('method', difference.method));
  if (difference.form === true) found.push(set('form', true));
  if (difference.writing !== undefined) found.push(set('writing', difference.writing));
  for (const key of namedTemplates) {
    const template = difference[key];
    if (template !== undefined) found.push(set(key, template.evaluate(scope)));
  }
  for (const key of namedMaps) {
    for (const [name, template] of difference[key] ?? []) found.push(set(`${key}.${name}`, template.evaluate(scope)));
  }
  return found;
}

/** Bytes of URL, headers and body that every front server passes on; a longer request may be refused unread. */
const maxSafeRequest = 8192;

const requestSize = ({ url, headers, body = '' }: HttpRequest): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, url.length + Buffer.byteLength(body));

/** POST that carries a signed request object, with the declared differences of its HTTP part. */
export function carryRequest(
  endpoint: string,
  jws: string,
  { difference, scope }: { readonly difference: Difference; readonly scope: Scope },
): CarriedRequest {
  const { method = 'POST', writing } = difference;
  const { body, members } = carriedBody(jws, difference, scope);
  const contentType = difference.form === true ? formContentType : jsonContentType;
  const headers = mergeHeaders([['content-type', contentType]], difference.headers, scope);
  const sendsBody = method !== 'GET' && method !== 'HEAD';
  const sentType = findHeader(headers, 'content-type');
  const url = withQuery(endpoint, difference.query, scope);
  const http = { method, url, headers, ...(sendsBody ? { body } : {}), ...omitUndefined({ writing }) };
  const isJson = mediaType(sentType) === jsonContentType;
  return {
    http,
    differences: nameDifferences(difference, scope),
    usual:
      writing === undefined &&
      method === 'POST' &&
      isJson &&
      members !== undefined &&
      requestSize(http) <= maxSafeRequest,
  };
}
