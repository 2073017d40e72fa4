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

/** Whether an answer names the request that was taken up (§4.1). */
export const hasRequestId = (body: Json | undefined): boolean =>
  isJsonObject(body) && typeof body['auth_req_id'] === 'string';

/** §4.1: 200 is success, 400 immediate failure. A 2xx that carries an error did deny; its form is judged elsewhere. */
export function classifyResponse(status: number, body: Json | undefined): ResponseClass {
  if (status >= 200 && status < 300) return carriesError(body) ? 'denied' : 'accepted';
  if (status >= 400 && status < 500) return 'denied';
  return status >= 300 && status < 400 ? 'redirected' : 'broken';
}

export function summarizeResponse(outcome: ResponseClass, status: number, body: Json | undefined): string {
  const error = isJsonObject(body) && typeof body['error'] === 'string' ? ` ${body['error']}` : '';
  return `${outcome} ${status}${error}`;
}

/** Seconds of life the answer grants (§2.4): a number, or digits in a string as the sample has it. */
export function grantedSeconds(body: Json | undefined): number | undefined {
  if (!isJsonObject(body)) return undefined;
  const granted = body['expires_in'];
  if (typeof granted === 'number' && Number.isFinite(granted) && granted >= 0) return granted;
  if (typeof granted === 'string' && /^(?:ccid-)?\d{1,10}$/.test(granted)) return Number(granted.replace('ccid-', ''));
  return undefined;
}

const present = (body: Json | undefined, name: string): boolean => isJsonObject(body) && name in body;

export function callbackKind(body: Json | undefined): Pick<CallbackObservation, 'tokens' | 'error'> {
  return { tokens: present(body, 'access_token'), error: present(body, 'error') };
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
