import type { NamedDifference } from '../../model/exchange.ts';
import { isJsonObject, type Json, plainText } from '../../model/json.ts';
import type { Difference } from '../../model/suite.ts';
import type { Scope } from '../../model/template.ts';
import { form, type HttpRequest, json, mergeHeaders, urlencoded, withQuery } from './http-request.ts';

export interface CarriedRequest {
  readonly http: HttpRequest;
  readonly differences: readonly NamedDifference[];
  /** POSTed as JSON to the endpoint, with a `request` member: what the invariants on responses judge. */
  readonly usual: boolean;
}

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
export function carryRequest(
  endpoint: string,
  jws: string,
  { difference, scope }: { readonly difference: Difference; readonly scope: Scope },
): CarriedRequest {
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
