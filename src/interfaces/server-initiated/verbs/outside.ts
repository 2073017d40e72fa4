import { isJsonObject, type Json, parseJson } from '../../../lib/json.ts';
import type { HttpRequest } from '../../../wire/build/http-request.ts';

/** §2.1: what stands beside the request object, in the URL and in the body; the body's where both have a name. */
export function outsideOf({ url, body }: Pick<HttpRequest, 'url' | 'body'>): Readonly<Record<string, Json>> {
  const sent = parseJson(body ?? '');
  const inBody = isJsonObject(sent) ? Object.entries(sent) : new URLSearchParams(body);
  const all = [...new URL(url).searchParams, ...inBody].filter(([name]) => name !== 'request');
  return Object.fromEntries(all);
}
