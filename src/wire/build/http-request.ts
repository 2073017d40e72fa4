import type { NamedDifference } from '../../model/exchange.ts';
import { isJsonObject, type Json, plainText } from '../../model/json.ts';
import type { Difference, HttpAct, TemplateMap } from '../../model/suite.ts';
import type { HttpDriver } from '../../model/target.ts';
import { MissingValue, type Scope, type Template } from '../../model/template.ts';

/** An HTTP request ready to be sent. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
}

export interface CarriedRequest {
  readonly http: HttpRequest;
  readonly differences: readonly NamedDifference[];
  /** POSTed as JSON to the endpoint, with a `request` member: what the invariants on answers judge. */
  readonly usual: boolean;
}

/** The given parameters instead of those of the same name; null removes one. */
export function withQuery(url: string, query: TemplateMap | undefined, scope: Scope): string {
  if (query === undefined || query.length === 0) return url;
  const target = new URL(url);
  for (const [name, template] of query) {
    const value = template.evaluate(scope);
    target.searchParams.delete(name);
    if (value !== null) target.searchParams.append(name, plainText(value));
  }
  return target.href;
}

/** The given headers over the defaults; null removes one; the name's case is kept as written. */
export function mergeHeaders(
  defaults: readonly (readonly [string, string])[],
  given: TemplateMap | undefined,
  scope: Scope,
): (readonly [string, string])[] {
  const named = new Set((given ?? []).map(([name]) => name.toLowerCase()));
  const merged = defaults.filter(([name]) => !named.has(name.toLowerCase()));
  for (const [name, template] of given ?? []) {
    const value = template.evaluate(scope);
    if (value !== null) merged.push([name, plainText(value)]);
  }
  return merged;
}

export const form = (members: Iterable<readonly [string, Json]>): string => {
  const encoded = new URLSearchParams();
  for (const [name, value] of members) encoded.append(name, plainText(value));
  return encoded.toString();
};

export const json = 'application/json';
export const urlencoded = 'application/x-www-form-urlencoded';

function bodyOf(jws: string, difference: Difference, scope: Scope): { body: string; members?: Map<string, Json> } {
  if (difference.text !== undefined) return { body: plainText(difference.text.evaluate(scope)) };
  if (difference.body !== undefined) {
    const body = difference.body.evaluate(scope);
    if (difference.form === true && isJsonObject(body)) return { body: form(Object.entries(body)) };
    return { body: JSON.stringify(body) };
  }
  const request = difference.request === undefined ? jws : difference.request.evaluate(scope);
  const members = new Map<string, Json>([['request', request]]);
  for (const [name, value] of difference.beside ?? []) members.set(name, value.evaluate(scope));
  return { body: difference.form === true ? form(members) : JSON.stringify(Object.fromEntries(members)), members };
}

const namedMaps = ['beside', 'query', 'headers'] as const;
const namedTemplates = ['request', 'body', 'text'] as const;

/** The differences of the HTTP side by name, for reports. */
function nameDifferences(difference: Difference, scope: Scope): NamedDifference[] {
  const set = (key: string, value: Json): NamedDifference => ({ what: `http.${key}`, change: 'set', value });
  const found: NamedDifference[] = [];
  if (difference.method !== undefined) found.push(set('method', difference.method));
  if (difference.form === true) found.push(set('form', true));
  for (const key of namedTemplates) {
    const template = difference[key];
    if (template !== undefined) found.push(set(key, template.evaluate(scope)));
  }
  for (const key of namedMaps) {
    for (const [name, template] of difference[key] ?? []) found.push(set(`${key}.${name}`, template.evaluate(scope)));
  }
  return found;
}

/** The POST of §4.1 that carries a signed request object, with the declared differences of its HTTP side. */
export function carryRequest(endpoint: string, jws: string, difference: Difference, scope: Scope): CarriedRequest {
  const method = difference.method ?? 'POST';
  const { body, members } = bodyOf(jws, difference, scope);
  const contentType = difference.form === true ? urlencoded : json;
  const headers = mergeHeaders([['content-type', contentType]], difference.headers, scope);
  const sendsBody = method !== 'GET' && method !== 'HEAD';
  const sentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return {
    http: {
      method,
      url: withQuery(endpoint, difference.query, scope),
      headers,
      ...(sendsBody ? { body } : {}),
    },
    differences: nameDifferences(difference, scope),
    usual: method === 'POST' && sentType?.toLowerCase().startsWith(json) === true && members !== undefined,
  };
}

/** The request of an http driver; headers and body members whose value is not there are left out. Throws MissingValue for the URL. */
export function driverRequest(driver: HttpDriver, scope: Scope): HttpRequest {
  const url = plainText(driver.url.evaluate(encoding(scope)));
  const given = driver.headers?.filter(([, value]) => valueIfThere(value, scope) !== undefined);
  const headers = mergeHeaders(driver.json === undefined ? [] : [['content-type', json]], given, scope);
  if (driver.json === undefined) return { method: driver.method, url, headers };
  const members = driver.json.flatMap(([name, value]) => {
    const found = valueIfThere(value, scope);
    return found === undefined ? [] : [[name, found] as const];
  });
  return { method: driver.method, url, headers, body: JSON.stringify(Object.fromEntries(members)) };
}

/** In a driver's URL every value is one segment, but the operator's own (`env`): a carrier must not steer the driver. */
function encoding(scope: Scope): Scope {
  return { ...scope, root: (name) => (name === 'env' ? scope.root(name) : encodeStrings(scope.root(name))) };
}

function encodeStrings(value: unknown): unknown {
  if (typeof value === 'string') return encodeURIComponent(value);
  if (Array.isArray(value)) return value.map(encodeStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encodeStrings(member)]));
}

export function valueIfThere(value: Template, scope: Scope): Json | undefined {
  try {
    return value.evaluate(scope);
  } catch (error) {
    if (error instanceof MissingValue) return undefined;
    throw error;
  }
}

/** Any other exchange of a suite (`http:`). */
export function plainRequest(endpoint: string, act: HttpAct, scope: Scope): HttpRequest {
  const path = act.path === undefined ? '' : plainText(act.path.evaluate(scope));
  const [place = '', ...query] = endpoint.split('?');
  const url = withQuery([`${place}${path}`, ...query].join('?'), act.query, scope);
  if (act.json !== undefined) {
    const body = JSON.stringify(act.json.evaluate(scope));
    return { method: act.method, url, headers: mergeHeaders([['content-type', json]], act.headers, scope), body };
  }
  const members = act.form ?? act.parameters;
  if (members !== undefined) {
    const body = form(members.map(([name, value]) => [name, value.evaluate(scope)] as const));
    return { method: act.method, url, headers: mergeHeaders([['content-type', urlencoded]], act.headers, scope), body };
  }
  const headers = mergeHeaders([], act.headers, scope);
  if (act.text === undefined) return { method: act.method, url, headers };
  return { method: act.method, url, headers, body: plainText(act.text.evaluate(scope)) };
}
