import type { RunMessage } from '../judge/check.ts';
import type {
  CallbackObservation,
  EventObservation,
  RequestHistory,
  ResponseObservation,
} from '../judge/observation.ts';
import { omitUndefined, isJsonObject, type Json, parseOwnJson, withoutNulls } from '../lib/json.ts';
import type { CaseEvidence } from '../judge/evidence.ts';
import type { Delivery, Exchange, RecordedMessage } from '../model/exchange.ts';
import { parseMark } from '../model/redaction-mark.ts';
import type { CaseResult, ContributedMessage, Contribution } from '../model/result.ts';
import { headersByName } from '../judge/classify.ts';

/** Response observation as far as the record of an exchange shows it, whatever the carrier sent. */
export const recordedExchange = ({ id, step, url, sentAt, receivedAt }: Exchange) => ({
  kind: 'response' as const,
  step,
  message: id,
  url,
  sentAt: sentAt / 1000,
  receivedAt: receivedAt / 1000,
  readable: 'verified' as const,
  took: receivedAt - sentAt,
  samples: [],
});

export const recordedContent = ({ headers, body: text }: RecordedMessage) => ({
  headers: headersByName(headers),
  headerLines: headers,
  text,
});

function contributedMessage(message: RunMessage): ContributedMessage {
  if ('response' in message) {
    const { message: id, outcome, usual, client } = message.response;
    return omitUndefined({ id, kind: 'response' as const, outcome, usual: usual || undefined, client });
  }
  if ('event' in message)
    return omitUndefined({ id: message.event.message, kind: 'event' as const, client: message.event.client });
  const { message: id, tokens, error, sent, history } = message.callback;
  const done = history?.calls.flatMap((call) => (call.done === true ? [call.action] : [])) ?? [];
  const carried = { tokens: tokens || undefined, error: error || undefined, done: done.length > 0 ? done : undefined };
  return omitUndefined({ id, kind: 'callback' as const, sent: sent.message, client: sent.client, ...carried });
}

/** Part of a case's evidence that a merge needs; it contains no secrets. */
export function toContribution({ tallies, messages }: CaseEvidence): Contribution {
  return {
    judged: Object.fromEntries(tallies.map(({ invariant, judged }) => [invariant, judged])),
    violations: Object.fromEntries(
      tallies
        .filter(({ violations }) => violations > 0)
        .map(({ invariant, violations, findings }) => [invariant, { count: violations, findings }]),
    ),
    messages: messages.map(contributedMessage),
  };
}

/** Replaces each redaction mark by an object, so that secrets can be compared but are never taken for a token. */
function hideMarks(value: Json): Json {
  if (typeof value === 'string') {
    const mark = parseMark(value);
    return mark === undefined ? value : { redacted: mark.secret };
  }
  if (Array.isArray(value)) return value.map(hideMarks);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hideMarks(member)]));
}

const asObject = (value: Json | undefined) => (isJsonObject(value) ? value : undefined);

/** Members of an observation that a recorded message shows. A body cut in the record is not parsed as JSON. */
function recordedMembers(message: RecordedMessage) {
  const body = parseOwnJson(message.body);
  return omitUndefined({
    ...recordedContent(message),
    body: body === undefined ? undefined : hideMarks(withoutNulls(body)),
  });
}

function rebuildResponse(exchange: Exchange, { outcome, usual, client }: ContributedMessage): ResponseObservation {
  const { response, noResponse, object } = exchange;
  return {
    ...recordedExchange(exchange),
    usual: usual === true,
    outcome: outcome ?? 'no-answer',
    summary: '',
    ...recordedMembers(response ?? { headers: [], body: '', bytes: 0 }),
    ...omitUndefined({ status: response?.status, noResponse: noResponse?.reason, client }),
    ...omitUndefined({ claims: asObject(object?.claims), header: asObject(object?.header) }),
  };
}

const rebuildDelivery = ({ id, receivedAt, method, target, request }: Delivery) => ({
  message: id,
  receivedAt: receivedAt / 1000,
  method,
  target,
  ...recordedMembers(request),
});

function rebuildEvent(delivery: Delivery, { client }: ContributedMessage): EventObservation {
  const { idToken: token } = delivery;
  const set = { set: token?.claims, setHeader: asObject(token?.header) };
  return { kind: 'event', ...rebuildDelivery(delivery), ...omitUndefined({ client, ...set }) };
}

/** A contribution lists only driver calls about the request itself. */
const rebuildHistory = ({ sent = '', client = '', done = [] }: ContributedMessage): RequestHistory => ({
  request: sent,
  calls: done.map((action) => ({ action, at: 0, given: {}, client, done: true })),
  ofSubscriber: [],
  ofClient: [],
  tags: [],
  flags: {},
  registered: [],
  settles: 0,
  earlier: 0,
  isDriven: false,
});

function rebuildCallback(
  delivery: Delivery,
  noted: ContributedMessage,
  sent: ResponseObservation,
): CallbackObservation {
  const { idToken: token } = delivery;
  const carried = { tokens: noted.tokens === true, error: noted.error === true };
  const idToken = omitUndefined({ idToken: token?.claims, idTokenHeader: asObject(token?.header) });
  return {
    kind: 'callback',
    ...rebuildDelivery(delivery),
    ...idToken,
    ...carried,
    sent,
    history: rebuildHistory(noted),
  };
}

/** Rebuilds a message of the run from the record; undefined if the record does not contain it. */
function rebuildRunMessage(noted: ContributedMessage, { id: seenIn, messages }: CaseResult): RunMessage | undefined {
  const found = messages.find(({ id }) => id === noted.id);
  if (found === undefined) return undefined;
  if (found.kind === 'exchange') {
    return noted.kind === 'response' ? { seenIn, response: rebuildResponse(found, noted) } : undefined;
  }
  if (noted.kind === 'event') return { seenIn, event: rebuildEvent(found, noted) };
  const sent = messages.find(({ id }) => id === noted.sent);
  if (noted.kind !== 'callback' || sent?.kind !== 'exchange') return undefined;
  const request = omitUndefined({ id: sent.id, kind: 'response' as const, client: noted.client });
  return { seenIn, callback: rebuildCallback(found, noted, rebuildResponse(sent, request)) };
}

/** Rebuilds a case's evidence from its record and contribution, without signed tokens. */
export function rebuildEvidence(result: CaseResult, { judged, violations, messages }: Contribution): CaseEvidence {
  return {
    tallies: Object.entries(judged).map(([invariant, count]) => {
      const broken = Object.hasOwn(violations, invariant) ? violations[invariant] : undefined;
      return { invariant, judged: count, violations: broken?.count ?? 0, findings: broken?.findings ?? [] };
    }),
    messages: messages.flatMap((noted) => rebuildRunMessage(noted, result) ?? []),
  };
}
