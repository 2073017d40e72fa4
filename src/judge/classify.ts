import type { HeaderLines } from '../model/exchange.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { ResponseClass, CallbackObservation } from './observation.ts';

export function headersByName(lines: HeaderLines): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    const before = found.get(key);
    found.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(found);
}

const carriesError = (body: Json | undefined): boolean => isJsonObject(body) && typeof body['error'] === 'string';

/** 2xx is success, 4xx failure. A 2xx that carries an error is a denial; another expectation judges its form. */
export function classifyResponse(status: number, body: Json | undefined): ResponseClass {
  if (status >= 200 && status < 300) return carriesError(body) ? 'denied' : 'accepted';
  if (status >= 400 && status < 500) return 'denied';
  return status >= 300 && status < 400 ? 'redirected' : 'broken';
}

export function summarizeResponse(outcome: ResponseClass, status: number, body: Json | undefined): string {
  const error = isJsonObject(body) && typeof body['error'] === 'string' ? ` ${body['error']}` : '';
  return `${outcome} ${status}${error}`;
}

export function summarizeCallback({
  tokens,
  error,
  body,
}: Pick<CallbackObservation, 'tokens' | 'error' | 'body'>): string {
  const code = isJsonObject(body) && typeof body['error'] === 'string' ? ` ${body['error']}` : '';
  if (tokens && error) return `a callback with tokens and error${code}`;
  if (tokens) return 'a callback with tokens';
  return error ? `a callback with error${code}` : 'a callback with neither tokens nor error';
}
