import { mediaType } from '../../../lib/media-type.ts';
import { type CheckMismatch, defineCheck, type MessageCheck, type RunMessage } from '../../../judge/check.ts';
import type { CallbackObservation, Judgeable, ResponseObservation } from '../../../judge/observation.ts';
import type { Json } from '../../../lib/json.ts';

export type HeaderValues = Readonly<Record<string, string>>;

/** Callbacks of an observation: one, or all that an await took. */
export function listCallbacks(observation: Judgeable): readonly CallbackObservation[] {
  if (observation.kind === 'callback') return [observation];
  return observation.kind === 'await' ? observation.deliveries : [];
}

export const defineCallbackCheck = (
  name: string,
  judge: (callback: CallbackObservation) => readonly CheckMismatch[],
): MessageCheck => defineCheck(name, (observation) => listCallbacks(observation).flatMap(judge));

/** Check of a response; any other observation conforms. */
export const defineResponseCheck = (
  name: string,
  judge: (response: ResponseObservation) => readonly CheckMismatch[],
): MessageCheck => defineCheck(name, (observation) => (observation.kind === 'response' ? judge(observation) : []));

type ReceivedResponse = ResponseObservation & { readonly status: number };

const isReceivedResponse = (response: ResponseObservation): response is ReceivedResponse =>
  response.status !== undefined;

/** Check of a response that came; a request without one conforms. */
export const defineReceivedCheck = (
  name: string,
  judge: (response: ReceivedResponse) => readonly CheckMismatch[],
): MessageCheck => defineResponseCheck(name, (response) => (isReceivedResponse(response) ? judge(response) : []));

export const findResponse = (message: RunMessage): ResponseObservation | undefined =>
  'response' in message ? message.response : undefined;

/** Body as received, which rules of tolerated forms judge (P10). */
export const receivedBody = ({ body, received }: Pick<ResponseObservation, 'body' | 'received'>): Json | undefined =>
  received ?? body;

/** §2.3: whether a correlation_id has its published pattern. One outside it need not be repeated (C7.9). */
export const isCorrelationId = (sent: Json): boolean => typeof sent === 'string' && /^[a-zA-Z0-9-_]{0,128}$/.test(sent);

export const correlationAspect = (sent: Json): Pick<CheckMismatch, 'aspect'> =>
  isCorrelationId(sent) ? {} : { aspect: 'outside-pattern' };

/** Words of a space-separated list (§2.3 scope); none if it is no string. */
export function splitWords(value: Json | undefined): readonly string[] {
  return typeof value === 'string' ? value.split(' ').filter((word) => word !== '') : [];
}

export const headerMismatch = (headers: HeaderValues, name: string, expected: string): CheckMismatch => ({
  path: `headers.${name}`,
  expected,
  actual: headers[name] ?? null,
});

/** content-type application/json; parameters and case are free. */
export const requireJson = (headers: HeaderValues): readonly CheckMismatch[] =>
  mediaType(headers['content-type']) === 'application/json'
    ? []
    : [headerMismatch(headers, 'content-type', 'application/json')];

/** cache-control has this directive (RFC 9111 §5.2). */
export function checkDirective(headers: HeaderValues, directive: string): readonly CheckMismatch[] {
  const directives = (headers['cache-control'] ?? '').split(',');
  const isThere = directives.some((one) => one.trim().toLowerCase() === directive);
  return isThere ? [] : [headerMismatch(headers, 'cache-control', directive)];
}
