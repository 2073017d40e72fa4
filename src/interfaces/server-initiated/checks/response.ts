import { isJsonType } from '../../../lib/media-type.ts';
import {
  type CheckMismatch,
  defineCheck,
  comparisonCase,
  defineRunCheck,
  defineSequenceCheck,
  type NamedCheck,
  mismatchPlace,
  type RunMismatch,
} from '../../../judge/check.ts';
import { maxTimeouts } from '../../../engine/context/circuit.ts';
import { judgeTime } from '../../../judge/lag.ts';
import type { Judgeable, ResponseObservation } from '../../../judge/observation.ts';
import { type Json, type JsonObject, readMember, equalsJson, readTextMember } from '../../../lib/json.ts';
import { timing } from '../timing.ts';
import {
  correlationAspect,
  defineReceivedCheck,
  defineResponseCheck,
  listCallbacks,
  receivedBody,
  findResponse,
  headerMismatch,
} from './define-check.ts';

const copiedInputs = ['correlation_id', 'jti', 'sub', 'client_id', 'state', 'nonce', 'login_hint'] as const;

/** Whether an id copies a value; a shorter value could match by chance. */
const isCopiedId = (id: string, value: string | undefined): boolean =>
  value !== undefined && value.length >= 8 && (id === value || id === `ccid-${value}`);

const isGrantedLife = (granted: unknown): boolean =>
  typeof granted === 'string'
    ? /^[0-9]{1,10}$/.test(granted) && Number(granted) > 0
    : typeof granted === 'number' && Number.isSafeInteger(granted) && granted > 0;

/** Seconds of a year: a life beyond it is no time-out that anyone could see. */
const longestInReach = 31_622_400;

/** Body of a message, with the claims of its request. */
interface EchoMessage {
  readonly sent: JsonObject;
  readonly body: Json | undefined;
}

function listEchoes(observation: Judgeable): readonly EchoMessage[] {
  if (observation.kind === 'response') return [{ sent: observation.claims ?? {}, body: observation.body }];
  return listCallbacks(observation).map((one) => ({ sent: one.sent.claims ?? {}, body: one.body }));
}

function judgeCorrelationId({ sent, body }: EchoMessage): readonly CheckMismatch[] {
  const wanted = sent['correlation_id'];
  const given = readMember(body, 'correlation_id');
  if (wanted === undefined || equalsJson(given, wanted) || (wanted === '' && given === undefined)) return [];
  const expected = `correlation_id ${JSON.stringify(wanted)}`;
  return [{ ...correlationAspect(wanted), path: 'body.correlation_id', expected, actual: given ?? null }];
}

/** Identifies a request: by its object or, in a record without one, by its case and claims (C1.4). */
const requestKey = ({ jws, claims = {} }: ResponseObservation, seenIn: string): string =>
  jws ?? `${seenIn} ${JSON.stringify(claims)}`;

/** Words by which a refusal would show how a request stands; an error may have a status, code or state of its own. */
const standingWords =
  /pending|waiting|in.progress|approved|granted|complete|(?<!un)authori[sz]ed|expired|timed.?out|cancel/i;

function showsStanding({ status = 0 }: ResponseObservation, value: Json): boolean {
  if (typeof value !== 'string') return false;
  return status < 400 || standingWords.test(value);
}

/** The immediate response of the server-initiated endpoint (§2.4, §4.1). */
export const responseChecks: readonly NamedCheck[] = [
  /** §2.4: seconds until the request times out. A moment in their place is decades, for which no request waits, unless it was asked for. */
  defineResponseCheck('granted-life-in-reach', ({ claims, granted }) => {
    const asked = claims?.['expires_in'];
    const longest = typeof asked === 'number' && asked > longestInReach ? asked : longestInReach;
    return granted === undefined || granted <= longest
      ? []
      : [{ path: 'body.expires_in', expected: 'seconds until the time-out, a year at most', actual: granted }];
  }),

  /** §1.4: polling is not supported, so no response shows how a request stands (RFC 9457 has a `status` of its own). */
  defineResponseCheck('standing-not-shown', (response) =>
    ['state', 'status', 'code'].flatMap((name) => {
      const value = readMember(response.body, name) ?? null;
      if (!showsStanding(response, value)) return [];
      return [{ path: `body.${name}`, expected: 'nothing of how the request stands', actual: value }];
    }),
  ),

  /** §4.1: later errors come by callback, so the response does not wait for the user. */
  defineResponseCheck('answered-within-30-seconds', (response) =>
    judgeTime(response.receivedAt - response.sentAt, response, timing.slowestResponse),
  ),

  /** §4.1: the endpoint answers. If its last requests had no response but its origin has responded, the network works. */
  defineRunCheck('requests-answered', () => {
    const responding = new Set<string>();
    const unanswered: RunMismatch[] = [];
    let [judged, origin]: [number, string | undefined] = [0, undefined];
    return {
      observe: (message) => {
        const response = findResponse(message);
        if (response === undefined || !URL.canParse(response.url)) return;
        const { usual, noResponse, status, url, summary } = response;
        if (status !== undefined) responding.add(new URL(url).origin);
        if (!usual || (status === undefined && noResponse !== 'timeout')) return;
        judged += 1;
        origin = new URL(url).origin;
        if (status !== undefined) unanswered.length = 0;
        else unanswered.push({ ...mismatchPlace(message), expected: 'a response within 30 seconds', actual: summary });
      },
      conclude: () => {
        const isSilent = unanswered.length >= maxTimeouts && origin !== undefined && responding.has(origin);
        return { mismatches: isSilent ? unanswered.slice(0, 1) : [], judged };
      },
    };
  }),

  /** §4.1: a request that is no POST starts nothing, whatever the status says. */
  defineResponseCheck('starts-nothing', ({ status, body, summary }) => {
    const id = readTextMember(body, 'auth_req_id');
    const isSuccess = status !== undefined && status >= 200 && status < 300;
    if (!isSuccess && id === undefined) return [];
    return [{ expected: 'no 2xx and no auth_req_id', actual: summary }];
  }),

  /** §2.4, §2.6: correlation_id as it was sent; an empty one may be left out, and the carrier may make one if none was sent. */
  defineCheck('correlation-id-repeated', (observation) => listEchoes(observation).flatMap(judgeCorrelationId)),

  /** §2.4, C1.7: recorded if the carrier makes one. */
  defineCheck('correlation-id-not-invented', (observation) =>
    listEchoes(observation).flatMap(({ sent, body }) => {
      const given = readMember(body, 'correlation_id');
      if (sent['correlation_id'] !== undefined || given === undefined || given === '') return [];
      return [{ path: 'body.correlation_id', expected: 'none, as none was sent', actual: given }];
    }),
  ),

  /** §2.4: the media type is JSON; parameters and case are free. */
  defineReceivedCheck('json-media-type', ({ headers }) =>
    isJsonType(headers['content-type']) ? [] : [headerMismatch(headers, 'content-type', 'application/json')],
  ),

  /** §2.4, A2: seconds as an integer above 0 or digits in a string; the published pattern, a slip, is softer. */
  defineResponseCheck('granted-expires-in', (response) => {
    const granted = readMember(receivedBody(response), 'expires_in');
    if (isGrantedLife(granted)) return [];
    const expected = 'an integer above 0, or up to 10 digits in a string';
    const found = { path: 'body.expires_in', expected, actual: granted ?? null };
    const published = typeof granted === 'string' && /^ccid-[ 0-9]{2,10}$/.test(granted);
    return [published ? { ...found, aspect: 'published-pattern' } : found];
  }),

  /** §2.3 expires_in: a carrier may grant a shorter life, never a longer one. */
  defineResponseCheck('granted-at-most-asked', ({ claims, granted }) => {
    const asked = claims?.['expires_in'];
    if (granted === undefined || typeof asked !== 'number' || granted <= asked) return [];
    return [{ path: 'body.expires_in', expected: `at most ${asked} s`, actual: granted }];
  }),

  /** §2.4: the carrier generates auth_req_id: it differs between requests, and is no value of its request. */
  defineSequenceCheck('auth-req-ids-distinct', () => {
    /** Last request that got each id. */
    const seen = new Map<string, { readonly request: string; readonly seenIn: string }>();
    return (message) => {
      const response = findResponse(message);
      const id = readTextMember(response?.body, 'auth_req_id');
      if (response?.usual !== true || response.outcome !== 'accepted' || id === undefined) return undefined;
      const request = requestKey(response, message.seenIn);
      const before = seen.get(id);
      const isSeen = before !== undefined && before.request !== request;
      seen.set(id, { request, seenIn: message.seenIn });
      const copied = copiedInputs.find((name) => isCopiedId(id, readTextMember(response.claims, name)));
      const wrong = { path: 'body.auth_req_id', actual: id };
      return [
        ...(isSeen
          ? [{ ...wrong, expected: 'an id that no other request has', ...comparisonCase(before, message) }]
          : []),
        ...(copied === undefined ? [] : [{ ...wrong, expected: `not the ${copied} of the request` }]),
      ];
    };
  }),
];
