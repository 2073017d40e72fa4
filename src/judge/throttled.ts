import { parseJson, textMemberOf, defined } from '../lib/json.ts';
import type { CaseResult } from '../model/result.ts';
import type { ResponseObservation } from './observation.ts';

/** Whether a response is about load: 429, or 503 with Retry-After or the code of RFC 6749 §4.1.2.1 (C8.17). */
export const isThrottled = ({
  status,
  headers,
  body,
}: Pick<ResponseObservation, 'status' | 'headers' | 'body'>): boolean =>
  status === 429 ||
  (status === 503 &&
    (headers['retry-after'] !== undefined || textMemberOf(body, 'error') === 'temporarily_unavailable'));

/** A step of the case was throttled for good, so that the case has no verdict. */
export function wasThrottled({
  verdict,
  unmet,
  messages,
}: Pick<CaseResult, 'verdict' | 'unmet' | 'messages'>): boolean {
  if (verdict !== 'inconclusive' || unmet === undefined) return false;
  const last = messages.findLast((one) => one.kind === 'exchange' && one.step === unmet);
  if (last?.kind !== 'exchange' || last.response === undefined) return false;
  const { status, headers: lines, body } = last.response;
  const headers = Object.fromEntries(lines.map(([name, value]) => [name.toLowerCase(), value]));
  return isThrottled({ status, headers, ...defined({ body: parseJson(body) }) });
}
