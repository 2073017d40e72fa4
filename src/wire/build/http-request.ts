import { type Json, plainText } from '../../model/json.ts';
import type { HttpAct, TemplateMap } from '../../model/suite.ts';
import { MissingValue, type Scope, type Template } from '../../model/template.ts';

/** An HTTP request ready to be sent. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
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

/** The value of a template; undefined where something that it reads is not there. */
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
  const [body, contentType] = bodyOf(act, scope);
  const defaults = contentType === undefined ? [] : ([['content-type', contentType]] as const);
  const request = { method: act.method, url, headers: mergeHeaders(defaults, act.headers, scope) };
  return body === undefined ? request : { ...request, body };
}

/** The body of an exchange, and its content type where the suite's kind of body has one. */
function bodyOf(act: HttpAct, scope: Scope): readonly [body?: string, contentType?: string] {
  if (act.json !== undefined) return [JSON.stringify(act.json.evaluate(scope)), json];
  const members = act.form ?? act.parameters;
  if (members === undefined) return act.text === undefined ? [] : [plainText(act.text.evaluate(scope))];
  return [form(members.map(([name, value]) => [name, value.evaluate(scope)] as const)), urlencoded];
}
