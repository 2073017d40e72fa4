import type { ResponseHead } from '../../interfaces/server-initiated/decode/observe.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { type RecognizedMessage, recognizeForm } from '../../interfaces/server-initiated/decode/recognize.ts';
import { isJsonObject, readMember, omitUndefined } from '../../lib/json.ts';
import { type HeaderLines, findHeader } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { learnMessage, redactHeaders } from '../../wire/record/recorder.ts';
import { parseMark } from '../../model/redaction-mark.ts';
import type { Redactor } from '../../wire/record/redactor.ts';
import {
  type DecodedInput,
  breaksRequired,
  type DecodeJudges,
  judgeDecoded,
  recognizeSafely,
  openRedactor,
  withoutSecrets,
} from './judge-decoded.ts';
import type { Capture, CapturedExchange, CapturedMessage, CapturedRequest, CapturedResponse } from './http-text.ts';

/** A judged request or response, without secrets. */
export interface DecodedHalf {
  readonly headers: HeaderLines;
  readonly cut?: string;
  /** Body that is not a message; absent if there is no body. */
  readonly text?: string;
  /** Absent for a request without a body, or with an incomplete one. */
  readonly decoded?: DecodedInput;
}

export interface DecodedExchange {
  readonly number: number;
  readonly notes: readonly string[];
  readonly url?: string;
  readonly request?: DecodedHalf & {
    readonly method: string;
    readonly target: string;
    /** How it deviates from the JSON request of §2.1. */
    readonly form?: string;
  };
  readonly response?: DecodedHalf & { readonly status: number };
}

export interface DecodedCapture extends Pick<Capture, 'kind' | 'leftOut'> {
  readonly exchanges: readonly DecodedExchange[];
}

const isForm = (headers: HeaderLines): boolean =>
  findHeader(headers, 'content-type')?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;

const noMessage: RecognizedMessage = { type: 'text', inside: [] };

/** Recognises a body; an incomplete one is never a message. */
export function recognizeBody({ headers, body, cut }: CapturedMessage): RecognizedMessage {
  if (body === '' || cut !== undefined) return noMessage;
  if (isForm(headers)) return recognizeForm(body);
  const found = recognizeSafely(body);
  return 'why' in found ? noMessage : found;
}

/** In a request, an error can only be a callback; a lone auth_req_id is ambiguous, because a cancellation has it too. */
function recognizeRequest(request: CapturedRequest): RecognizedMessage {
  const found = recognizeBody(request);
  if (found.type === 'refusal') return { ...found, type: 'callback' };
  return found.type === 'response' ? { ...found, type: 'json' } : found;
}

/** In a response, tokens come from the token endpoint, not from a notification. */
function recognizeResponse(response: CapturedResponse): RecognizedMessage {
  const found = recognizeBody(response);
  return found.type === 'callback' ? { ...found, type: 'token' } : found;
}

/** True for a callback or event: its response is the SP's, and no rule concerns it. */
const isCarrierDelivery = (found: RecognizedMessage | undefined): boolean =>
  found?.type === 'callback' || found?.inside.some(({ member }) => member === 'set') === true;

/** True without a Content-Type as well. */
const mayBeJson = (headers: HeaderLines): boolean => /\bjson\b/i.test(findHeader(headers, 'content-type') ?? 'json');

function buildResponseHead(
  { headers, status }: CapturedResponse,
  { url, request }: CapturedExchange,
  asked?: RecognizedMessage,
): ResponseHead {
  if (request === undefined) return { headers, status };
  const isPost = request.method === 'POST';
  const isAsForm = isForm(request.headers);
  // A request object is sent as JSON or as a form (§2.1).
  const found = isPost && (isAsForm || mayBeJson(request.headers)) ? asked : undefined;
  const mayAsk = isPost && request.cut !== undefined;
  return { headers, status, request: { mayAsk, isForm: isAsForm, ...omitUndefined({ url, found }) } };
}

/** Describes a form, or another request that is not the JSON POST of §2.1 although its response matches §2.4 or §2.5. */
function describeDeviation(
  request: CapturedRequest,
  asked: RecognizedMessage,
  came: RecognizedMessage | undefined,
): string | undefined {
  const hasObject = readMember(asked.body, 'request') !== undefined;
  if (isForm(request.headers)) {
    return hasObject ? 'a request object in a form: §2.1 names it as not currently supported' : 'a form';
  }
  if (came?.type !== 'response' && came?.type !== 'refusal') return undefined;
  if (request.method !== 'POST') return `${request.method}: a server-initiated request is a POST (§4.1)`;
  const isShown = request.cut === undefined && asked.type === 'json' && isJsonObject(asked.body);
  return isShown && !hasObject ? 'JSON without a request object (§2.1)' : undefined;
}

interface JudgedHalves {
  readonly form?: string | undefined;
  readonly request?: DecodedInput | undefined;
  readonly response?: DecodedInput | undefined;
}

const leaveUnjudged = (found: RecognizedMessage): DecodedInput => ({
  found,
  judged: [],
  findings: [],
  notJudged: [],
  inside: [],
});

/** True if the finding is about a redacted value, which cannot be judged. */
const isAboutMark = ({ path, actual }: Finding): boolean =>
  typeof actual === 'string' &&
  parseMark(actual) !== undefined &&
  (path?.split('.') ?? []).some((part) => serverInitiated.secretMembers.has(part) || part === 'authorization');

/** Only a HAR can be our own record: elsewhere a mark was sent by the carrier itself. */
const dropMarksInHar = (decoded: DecodedInput, kind: Capture['kind']): DecodedInput =>
  kind === 'har' ? dropMarkFindings(decoded) : decoded;

const dropMarkFindings = (decoded: DecodedInput): DecodedInput => ({
  ...decoded,
  findings: decoded.findings.filter((finding) => !isAboutMark(finding)),
});

function judgeHalves(exchange: CapturedExchange, kind: Capture['kind'], judging: DecodeJudges): JudgedHalves {
  const { request, response } = exchange;
  const asked = request && recognizeRequest(request);
  const came = response && recognizeResponse(response);
  const isWhole = request !== undefined && request.body !== '' && request.cut === undefined;
  const judgeResponse = (found: RecognizedMessage, given: CapturedResponse): DecodedInput =>
    given.cut !== undefined || isCarrierDelivery(asked)
      ? leaveUnjudged(found)
      : dropMarksInHar(
          judgeDecoded(found, judging, { text: given.body, head: buildResponseHead(given, exchange, asked) }),
          kind,
        );
  return {
    form: request && asked && describeDeviation(request, asked, came),
    request:
      isWhole && asked !== undefined
        ? dropMarksInHar(judgeDecoded(asked, judging, { text: request.body, head: request }), kind)
        : undefined,
    response: came && response && judgeResponse(came, response),
  };
}

/** Learns the credentials of the head and of a non-JSON body; those of JSON are learned with the message. */
export function learnHttpSecrets(
  { headers, body }: Pick<CapturedMessage, 'headers' | 'body'>,
  redactor: Redactor,
): void {
  redactor.learnText(body);
  for (const [, value] of headers) redactor.learnText(value);
  learnMessage({ headers, body }, redactor);
}

function decodeHalf(message: CapturedMessage, decoded: DecodedInput | undefined, redactor: Redactor): DecodedHalf {
  const { headers, body, cut } = message;
  const isText = body !== '' && (decoded === undefined || decoded.found.type === 'text');
  return {
    headers: redactHeaders(headers, redactor),
    ...omitUndefined({ cut: cut && redactor.text(cut), text: isText ? redactor.text(body) : undefined, decoded }),
  };
}

interface ExchangePosition {
  readonly number: number;
  readonly kind: Capture['kind'];
}

function decodeExchange(
  exchange: CapturedExchange,
  { number, kind }: ExchangePosition,
  judging: DecodeJudges,
): DecodedExchange {
  const { notes, url, request, response } = exchange;
  const redactor = openRedactor();
  if (url !== undefined) {
    redactor.learnText(url);
    redactor.learnForms(url);
  }
  for (const half of [request, response]) if (half !== undefined) learnHttpSecrets(half, redactor);
  const judged = judgeHalves(exchange, kind, judging);
  const [asked, came] = [judged.request, judged.response].map((one) => one && withoutSecrets(one, redactor));
  return {
    number,
    notes: notes.map((note) => redactor.text(note)),
    ...omitUndefined({
      url: url && redactor.text(url),
      request: request && {
        method: redactor.text(request.method),
        target: redactor.text(request.target),
        ...omitUndefined({ form: judged.form && redactor.text(judged.form) }),
        ...decodeHalf(request, asked, redactor),
      },
      response: response && { status: response.status, ...decodeHalf(response, came, redactor) },
    }),
  };
}

export const judgeCapture = ({ kind, exchanges, leftOut }: Capture, judging: DecodeJudges): DecodedCapture => ({
  kind,
  leftOut,
  exchanges: exchanges.map((exchange, at) => decodeExchange(exchange, { number: at + 1, kind }, judging)),
});

const decodedHalves = ({ request, response }: DecodedExchange): readonly DecodedInput[] =>
  [request?.decoded, response?.decoded].filter((one) => one !== undefined);

export const exchangeBreaksRequired = (exchange: DecodedExchange): boolean =>
  decodedHalves(exchange).some(breaksRequired);
