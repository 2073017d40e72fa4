import { type Json, renderPlain } from '../../lib/json.ts';
import type { HttpAct, Scope } from '../../model/suite.ts';
import type { CancelCall } from '../../model/target.ts';
import {
  encodeForm,
  type HttpRequest,
  jsonContentType,
  mergeHeaders,
  formContentType,
  valueIfThere,
  withQuery,
} from './http-request.ts';

/** Default cancellation, as the carriers' documents show it: a form that is POSTed. */
const defaultCall = (member: string): CancelCall => ({ method: 'POST', as: 'form', member, env: {} });

type Parameters = ReadonlyMap<string, Json>;

const urlPlaceholder = /\{(\w+)\}/g;

/** Names in braces in a cancel URL, as in `/requests/{id}`. */
const placeholderNames = (url: string): readonly string[] =>
  [...url.matchAll(urlPlaceholder)].map(([, name = '']) => name);

/** Each value becomes one segment of the URL; a place without a value becomes an empty segment. */
export const fillPlaceholders = (url: string, given: Parameters): string =>
  url.replaceAll(urlPlaceholder, (_, name: string) => encodeURIComponent(renderPlain(given.get(name) ?? '')));

/** Parameters that are not in the URL, under the carrier's names, with those of the target file. */
function cancelPayload(endpoint: string, given: Parameters, { call, scope, id }: CancelCalling): Parameters {
  const inUrl = new Set(placeholderNames(endpoint));
  const sent = new Map<string, Json>();
  for (const [name, value] of given) {
    if (!inUrl.has(name)) sent.set(name === id ? call.member : name, value);
  }
  for (const [name, template] of call.parameters ?? []) {
    const value = valueIfThere(template, scope);
    if (value === null) sent.delete(name);
    else if (value !== undefined) sent.set(name, value);
  }
  return sent;
}

interface CancelCalling {
  readonly call: CancelCall;
  readonly scope: Scope;
  /** The parameter that names the request. */
  readonly id: string;
}

/** Scope of the target file's templates: `with` holds the suite's parameters. */
function callingScope(scope: Scope, { env }: CancelCall, given: Parameters): Scope {
  const own: Readonly<Record<string, unknown>> = { env, with: Object.fromEntries(given) };
  return { ...scope, root: (name) => (Object.hasOwn(own, name) ? own[name] : scope.root(name)) };
}

const contentTypes = { form: formContentType, json: jsonContentType } as const;

/** Builds a cancellation: the step supplies the `parameters`, the target file says how they are sent. Query and headers of the step win. */
export function cancelRequest(
  endpoint: string,
  act: HttpAct,
  { call: given, scope, id }: Omit<CancelCalling, 'call'> & { readonly call: CancelCall | undefined },
): HttpRequest {
  const call = given ?? defaultCall(id);
  const parameters = new Map((act.parameters ?? []).map(([name, value]) => [name, value.evaluate(scope)] as const));
  const calling: CancelCalling = { call, scope: callingScope(scope, call, parameters), id };
  const { method, as } = call;
  const payload = cancelPayload(endpoint, parameters, calling);
  const path = act.path === undefined ? '' : renderPlain(act.path.evaluate(scope));
  const [place = '', ...query] = fillPlaceholders(endpoint, parameters).split('?');
  const url = new URL([`${place}${path}`, ...query].join('?'));
  if (as === 'query') for (const [name, value] of payload) url.searchParams.append(name, renderPlain(value));
  const type: readonly (readonly [string, string])[] = as === 'query' ? [] : [['content-type', contentTypes[as]]];
  const own = call.headers?.filter(([, value]) => valueIfThere(value, calling.scope) !== undefined);
  const headers = mergeHeaders(mergeHeaders(type, own, calling.scope), act.headers, scope);
  const request = { method, url: withQuery(url.href, act.query, scope), headers };
  if (as === 'query') return request;
  return { ...request, body: as === 'form' ? encodeForm(payload) : JSON.stringify(Object.fromEntries(payload)) };
}
