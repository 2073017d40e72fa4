import { headersByName, summarizeResponse, isThrottled } from '../../../judge/classify.ts';
import { classifyResponse } from '../../../verdict/response-class.ts';
import type {
  CallbackObservation,
  EventObservation,
  Judgeable,
  ResponseObservation,
} from '../../../judge/observation.ts';
import { isJsonObject, type Json, readMember, omitUndefined } from '../../../lib/json.ts';
import type { HeaderLines } from '../../../model/exchange.ts';
import type { MessageKind } from '../../../model/suite.ts';
import { messages } from '../messages.ts';
import { jwtMembers } from '../checks/readability.ts';
import { withUnknown } from './unknown-members.ts';
import type { MessageType, RecognizedMessage } from './recognize.ts';

export interface RequestHead {
  readonly headers: HeaderLines;
  readonly method: string;
  readonly target: string;
}

/** Head of the HTTP response that carries a message, and the known parts of its request. */
export interface ResponseHead {
  readonly headers: HeaderLines;
  readonly status: number;
  /** Absent if the request is not known. */
  readonly request?: KnownRequest;
}

interface KnownRequest {
  readonly url?: string;
  /** Its body, if it is a POST. */
  readonly found?: RecognizedMessage;
  /** Its body is not known, and may have been a request object. */
  readonly mayAsk?: boolean;
  /** Its body is a form, which §2.1 calls not currently supported: a carrier may refuse it in any way. */
  readonly isForm?: boolean;
}

/** HTTP message around a body; absent for a body given alone. */
export interface HttpSurroundings {
  readonly text: string;
  readonly head: RequestHead | ResponseHead;
}

/** Message as judges read it, and its kinds, which select invariants. */
export interface ObservedMessage {
  readonly observation: Judgeable;
  readonly kinds: readonly MessageKind[];
  /** Possible kinds, if the request that it answers is not known. */
  readonly open?: readonly MessageKind[];
}

/** Values that no expectation on a single message reads. */
const fillerValues = {
  message: 'message',
  receivedAt: 0,
  method: '',
  target: '',
  headers: {},
  headerLines: [],
  text: '',
};

const findRequestObject = (request: RecognizedMessage | undefined): RecognizedMessage | undefined =>
  request?.inside.find(({ member, found }) => member === 'request' && found.claims !== undefined)?.found;

const carriesRequestObject = (request: RecognizedMessage | undefined): boolean =>
  readMember(request?.body, 'request') !== undefined;

/** Status assumed for a body given without its head, by its type. */
const assumedStatus = (type: MessageType): number => (type === 'refusal' ? 400 : 200);

/** One key is judged as a set of one. */
const judgedBody = ({ type, body }: RecognizedMessage): Json | undefined =>
  type === 'jwk' && body !== undefined ? { keys: [body] } : body;

const unknownResponseMembers = ['receivedAt', 'sentAt', 'took', 'samples', 'readable', 'elsewhere'] as const;
const unknownHeadMembers = ['headers', 'headerLines', 'text'] as const;
const unknownObjectMembers = ['claims', 'header', 'jws'] as const;

const readHeaderFields = (headerLines: HeaderLines) => ({ headers: headersByName(headerLines), headerLines });

const objectParts = (object: RecognizedMessage | undefined) =>
  omitUndefined({ claims: object?.claims, header: object?.header, jws: object?.jws });

/** Known parts of the response and its request; unread placeholders for the rest. */
function responseParts(found: RecognizedMessage, head: ResponseHead | undefined) {
  const status = head?.status ?? assumedStatus(found.type);
  const body = judgedBody(found);
  const outcome = classifyResponse(status, body);
  return {
    status,
    ...readHeaderFields(head?.headers ?? []),
    url: head?.request?.url ?? '',
    outcome,
    summary: summarizeResponse(outcome, status, body),
    ...objectParts(findRequestObject(head?.request?.found)),
    ...omitUndefined({ body, received: found.received, granted: messages.grantedSeconds(body) }),
  };
}

function observeResponse(found: RecognizedMessage, around: HttpSurroundings | undefined): ResponseObservation {
  const head = around !== undefined && 'status' in around.head ? around.head : undefined;
  const parts = responseParts(found, head);
  const response: ResponseObservation = {
    kind: 'response',
    ...fillerValues,
    step: '',
    sentAt: 0,
    usual: true,
    readable: 'verified',
    took: 0,
    samples: [],
    ...parts,
    text: around?.text ?? '',
  };
  return withUnknown(response, [
    ...unknownResponseMembers,
    ...(parts.claims === undefined ? unknownObjectMembers : []),
    ...(head === undefined ? unknownHeadMembers : []),
    ...(parts.url === '' ? (['url'] as const) : []),
    ...listUnknownBytes(parts.body),
  ]);
}

/** Kind of a response, by the type of message it carries. */
const kindByType: Readonly<Partial<Record<MessageType, MessageKind>>> = {
  tenure: 'usertrait',
  configuration: 'discovery',
  jwks: 'jwks',
  jwk: 'jwks',
  userinfo: 'userinfo',
  token: 'token',
};

const isLoadRefusal = ({ status, headers }: ResponseHead, body: Json | undefined): boolean =>
  isThrottled({ status, headers: headersByName(headers), ...omitUndefined({ body }) });

/** Whether this is the immediate response to a request object, or grants what only such a response grants. */
function isImmediate({ type, body }: RecognizedMessage, head: ResponseHead | undefined): boolean {
  if (head === undefined) return type === 'response' || type === 'refusal';
  const { request, status } = head;
  if (carriesRequestObject(request?.found)) return request?.isForm !== true || status === 400 || type === 'response';
  return (
    type === 'response' &&
    (readMember(body, 'expires_in') !== undefined || (isNewRequest(request) && !hasOtherMembers(body)))
  );
}

/** Whether a request is known, and names no auth_req_id of an earlier one. */
const isNewRequest = (asked: ResponseHead['request']): boolean =>
  asked !== undefined && asked.mayAsk !== true && readMember(asked.found?.body, 'auth_req_id') === undefined;

/** Members of §2.4, and the interval of CIBA. */
const immediateMembers: ReadonlySet<string> = new Set(['auth_req_id', 'correlation_id', 'expires_in', 'interval']);

const hasOtherMembers = (body: Json | undefined): boolean =>
  isJsonObject(body) && Object.keys(body).some((name) => !immediateMembers.has(name));

const hasResponseType = ({ type }: RecognizedMessage): boolean => type === 'response' || type === 'refusal';

/** Kinds of an immediate response. */
function immediateKinds(found: RecognizedMessage, head: ResponseHead | undefined): readonly MessageKind[] {
  const outcome = classifyResponse(head?.status ?? assumedStatus(found.type), found.body);
  return ['response', outcome === 'accepted' ? 'accepted' : 'refused'];
}

function listMessageKinds(found: RecognizedMessage, head: ResponseHead | undefined): readonly MessageKind[] {
  const asked = head?.request?.found;
  if (head !== undefined && isLoadRefusal(head, found.body)) return [];
  if (asked?.type === 'tenure-request') return ['message', 'usertrait'];
  const kind = carriesRequestObject(asked) ? undefined : kindByType[found.type];
  if (kind !== undefined) return ['message', kind];
  return isImmediate(found, head) ? ['message', ...immediateKinds(found, head)] : ['message'];
}

function buildDeliveryFrame(around: HttpSurroundings | undefined) {
  const head = around !== undefined && 'method' in around.head ? around.head : undefined;
  if (head === undefined) return fillerValues;
  const { method, target, headers } = head;
  return { ...fillerValues, method, target, ...readHeaderFields(headers), text: around?.text ?? '' };
}

/** A text has no unreadable bytes, so TRN-019 is judged by the JWTs in a body alone. */
const listUnknownBytes = (body: Json | undefined): readonly 'unreadable'[] =>
  jwtMembers.some((name) => readMember(body, name) !== undefined) ? [] : ['unreadable'];

const unknownDeliveryMembers = (around: HttpSurroundings | undefined) =>
  around === undefined
    ? (['receivedAt', 'method', 'target', ...unknownHeadMembers] as const)
    : (['receivedAt'] as const);

/** A callback that carries neither an error nor tokens is judged as one with tokens. */
function observeCallback(found: RecognizedMessage, around: HttpSurroundings | undefined): ObservedMessage {
  const { body = null, inside } = found;
  const { tokens, error } = messages.callbackKind(body);
  const token = inside.find(({ member }) => member === 'id_token')?.found;
  const callback: CallbackObservation = {
    kind: 'callback',
    ...buildDeliveryFrame(around),
    body,
    tokens,
    error,
    sent: observeResponse({ type: 'response', inside: [] }, undefined),
    ...omitUndefined({ received: found.received, idToken: token?.claims, idTokenHeader: token?.header }),
  };
  return {
    observation: withUnknown(callback, [...unknownDeliveryMembers(around), ...listUnknownBytes(body), 'sent', 'ahead']),
    kinds: [
      'message',
      'callback',
      ...(error ? (['callback-error'] as const) : []),
      ...(error && !tokens ? [] : (['tokens'] as const)),
    ],
  };
}

/** Observes a SET, or the body that carries one; the content of a SET is judged where it stands alone. */
function observeEvent(found: RecognizedMessage, around: HttpSurroundings | undefined): ObservedMessage {
  const carried = found.inside.find(({ member }) => member === 'set')?.found;
  const { header, claims, jws } = carried ?? found;
  const event: EventObservation = {
    kind: 'event',
    ...buildDeliveryFrame(around),
    ...omitUndefined({ body: found.body, received: found.received, set: claims, setHeader: header, jws }),
  };
  const unknown = [...unknownDeliveryMembers(around), ...listUnknownBytes(found.body)];
  return {
    observation: withUnknown(event, found.body === undefined ? [...unknown, 'body'] : unknown),
    kinds: ['message', 'event'],
  };
}

const responseTypes: ReadonlySet<MessageType> = new Set([
  'response',
  'refusal',
  'tenure',
  'configuration',
  'jwks',
  'jwk',
  'userinfo',
]);

/** Observation of a message as judges of the wire read it; undefined if the carrier sends no such message. */
export function observeRecognized(found: RecognizedMessage, around?: HttpSurroundings): ObservedMessage | undefined {
  if (around !== undefined && 'status' in around.head) {
    const { head } = around;
    const kinds = listMessageKinds(found, head);
    const isOpen = kinds.length === 1 && !carriesRequestObject(head.request?.found) && hasResponseType(found);
    const open = isOpen ? { open: immediateKinds(found, head) } : {};
    return { observation: observeResponse(found, around), kinds, ...open };
  }
  if (found.type === 'callback') return observeCallback(found, around);
  const isEvent = found.type === 'event-token' || found.inside.some(({ member }) => member === 'set');
  if (isEvent) return observeEvent(found, around);
  if (around !== undefined || !responseTypes.has(found.type)) return undefined;
  return { observation: observeResponse(found, undefined), kinds: listMessageKinds(found, undefined) };
}
