import { truncateText } from '../lib/truncation.ts';
import { type Json, readTextMember, parseBody, omitUndefined } from '../lib/json.ts';
import type { HeaderLines, Message } from '../model/exchange.ts';
import type { CaseResult } from '../model/result.ts';
import type { ResponseClass } from '../verdict/response-class.ts';
import type { CallbackObservation, ResponseObservation } from './observation.ts';

/** Header values by lower-case name; repeated ones are joined in order. */
export function headersByName(lines: HeaderLines): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    const before = found.get(key);
    found.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(found);
}

/** Maximum characters of an error code in a summary; the interface's own have at most 30. */
const maxErrorCode = 100;

const errorCode = (body: Json | undefined): string | undefined => readTextMember(body, 'error');

function withError(words: string, body: Json | undefined): string {
  const error = errorCode(body);
  return error === undefined ? words : `${words} ${truncateText(error, maxErrorCode)}`;
}

export const summarizeResponse = (outcome: ResponseClass, status: number, body: Json | undefined): string =>
  withError(`${outcome} ${status}`, body);

type CallbackKind = Pick<CallbackObservation, 'tokens' | 'error' | 'body'>;

export function summarizeCallback({ tokens, error, body }: CallbackKind): string {
  if (tokens && error) return withError('a callback with tokens and error', body);
  if (tokens) return 'a callback with tokens';
  return error ? withError('a callback with error', body) : 'a callback with neither tokens nor error';
}

/** Whether a response is about load: 429, or 503 with Retry-After or the code of RFC 6749 §4.1.2.1 (C8.17). */
export const isThrottled = ({
  status,
  headers,
  body,
}: Pick<ResponseObservation, 'status' | 'headers' | 'body'>): boolean =>
  status === 429 ||
  (status === 503 &&
    (headers['retry-after'] !== undefined || readTextMember(body, 'error') === 'temporarily_unavailable'));

/** Statuses of a failure that may be gone when the same request is sent again (P26). */
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether a response failed so, or its connection broke before it came. */
export const mayPass = ({ status, noResponse }: Pick<ResponseObservation, 'status' | 'noResponse'>): boolean =>
  status === undefined ? noResponse === 'reset' : passingStatuses.has(status);

/** Headers of the throttled response in such a message; else undefined. */
function throttledIn(one: Message): ResponseObservation['headers'] | undefined {
  if (one.kind !== 'exchange' || one.response === undefined) return undefined;
  const { status, headers: lines, body } = one.response;
  const headers = Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value]));
  return isThrottled({ status, headers, ...omitUndefined({ body: parseBody(body) }) }) ? headers : undefined;
}

/** Headers of the last response that left a step of the case throttled, so that the case has no verdict; else undefined. Any of several copies may be the one. */
export function throttledHeaders({
  verdict,
  unmet,
  messages,
}: Pick<CaseResult, 'verdict' | 'unmet' | 'messages'>): ResponseObservation['headers'] | undefined {
  if (verdict !== 'inconclusive' || unmet === undefined) return undefined;
  const last = messages.findLast((one) => one.step === unmet && throttledIn(one) !== undefined);
  return last && throttledIn(last);
}
