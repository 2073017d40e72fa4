import { cutAt } from '../lib/cut.ts';
import { type Json, textMemberOf } from '../lib/json.ts';
import type { HeaderLines } from '../model/exchange.ts';
import type { CallbackObservation, ResponseClass } from './observation.ts';

/** Header values by lower-case name; repetitions joined in order. */
export function headersByName(lines: HeaderLines): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    const before = found.get(key);
    found.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(found);
}

/** Characters of an error code in a summary; those of the interface have at most 30. */
const longestError = 100;

const errorOf = (body: Json | undefined): string | undefined => textMemberOf(body, 'error');

/** 2xx is success, 4xx failure. A 2xx that carries an error is a denial; another expectation judges its form. */
export function classifyResponse(status: number, body: Json | undefined): ResponseClass {
  if (status >= 200 && status < 300) return errorOf(body) === undefined ? 'accepted' : 'denied';
  if (status >= 400 && status < 500) return 'denied';
  return status >= 300 && status < 400 ? 'redirected' : 'broken';
}

function withError(words: string, body: Json | undefined): string {
  const error = errorOf(body);
  return error === undefined ? words : `${words} ${cutAt(error, longestError)}`;
}

export const summarizeResponse = (outcome: ResponseClass, status: number, body: Json | undefined): string =>
  withError(`${outcome} ${status}`, body);

type Kind = Pick<CallbackObservation, 'tokens' | 'error' | 'body'>;

export function summarizeCallback({ tokens, error, body }: Kind): string {
  if (tokens && error) return withError('a callback with tokens and error', body);
  if (tokens) return 'a callback with tokens';
  return error ? withError('a callback with error', body) : 'a callback with neither tokens nor error';
}
