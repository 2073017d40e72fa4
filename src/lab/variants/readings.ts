import { createHash } from 'node:crypto';
import type { Route } from '../../carrier/carrier.ts';
import { countCodePoints, percentDecoded } from '../../carrier/checks/claims.ts';
import { combineEdits, defineVariants, type Edit } from '../edit/fault-table.ts';
import { changeCallbackHeaders, changeCallback, changeCard, changeIdToken, changeRefusal } from '../edit/messages.ts';
import {
  replaceClaimCheck,
  withBuilders,
  addMessageCheck,
  dropChecks,
  withPolicy,
  withRoutes,
} from '../../carrier/seams/definition-parts.ts';
import { addRefusal, tidyRequest } from '../edit/requests.ts';
import { asText, type JsonObject, stringMember, words } from '../../carrier/json.ts';
import type { Policy } from '../../carrier/policy.ts';
import { Refusal, refuse } from '../../carrier/refusal.ts';
import { dropRefused } from './requests.ts';

/** Answers a repetition with the auth_req_id of the first request, and does nothing else. */
const answerRepetition: Edit = (definition) => {
  const first = new Map<string, string>();
  const ids = new Map<string, string>();
  let jti: string | undefined;
  return combineEdits(
    dropRefused('jti-not-repeated'),
    withBuilders(({ claims, authReqId, response }) => ({
      claims: (context) => {
        const id = stringMember(context.claims, 'jti');
        jti = id === undefined ? undefined : JSON.stringify([context.client.clientId, id, context.jws.payloadText]);
        return claims(context);
      },
      authReqId: (wanted) => {
        const id = authReqId(wanted);
        const known = jti === undefined ? undefined : first.get(jti);
        if (jti !== undefined && known === undefined) first.set(jti, id);
        if (known !== undefined) ids.set(id, known);
        return id;
      },
      response: (request, policy) => {
        const built = response(request, policy);
        const known = ids.get(request.id);
        return known === undefined ? built : { ...built, body: { ...built.body, auth_req_id: known } };
      },
    })),
  )(definition);
};

const isShort = (value: unknown): boolean => typeof value === 'string' && value.length < 22;
const decodeContext = (body: JsonObject): JsonObject =>
  typeof body['context'] === 'string' ? { context: percentDecoded(body['context']) } : {};

function checkLength(text: string, { contextMin, contextMax }: Policy): void {
  const length = countCodePoints(text);
  if (length > contextMax) refuse('invalid_request', 'context exceeds 240 characters');
  if (length < contextMin) refuse('invalid_request', 'context is shorter than 8 characters');
}

/** Other conforming readings of a request: section 1 of the decisions. */
export const readingVariants = defineVariants({
  'context-decoded-once': [
    'Percent escapes of context are decoded once; what is shown and signed is the decoded form (C1.2).',
    combineEdits(changeIdToken(decodeContext), changeCard(decodeContext)),
  ],
  'context-counted-clear': [
    'Characters of context are counted after percent escapes are decoded (C1.2).',
    replaceClaimCheck('context-8-to-240', ({ claims: { context }, policy }) => {
      if (typeof context === 'string') checkLength(percentDecoded(context), policy);
    }),
  ],
  'context-pattern-on-decoded-form': [
    'The pattern of context holds for its decoded form, to the letter (C1.2).',
    addRefusal(
      'context-in-its-pattern',
      ({ claims }) => 'context' in claims && !/^[A-Za-z0-9%-]{8,240}$/.test(percentDecoded(asText(claims['context']))),
    ),
  ],
  'context-of-characters-that-are-sure': [
    'context may hold letters, digits and hyphens only (C1.2).',
    addRefusal(
      'context-of-sure-characters',
      ({ claims }) => 'context' in claims && !/^[A-Za-z0-9-]*$/.test(asText(claims['context'])),
    ),
  ],
  'repeats-get-the-same-id': [
    'An exact repetition gets the auth_req_id of the first, and no push (C1.4).',
    answerRepetition,
  ],
  'notification-tokens-of-22': [
    'A client_notification_token under 22 characters is refused (C1.10, CIBA Core §7.1: 128 bits).',
    addRefusal('notification-token-of-128-bits', ({ claims }) => isShort(claims['client_notification_token'])),
  ],
  'request-uri-ignored': [
    'request_uri beside the request object is ignored, and nothing is fetched (§9.5, C1.11).',
    dropChecks('no-request-uri-beside'),
  ],
  'inner-request-ignored': [
    'request and request_uri inside the request object are ignored (§9.5, C1.11).',
    dropChecks('no-request-object-within'),
  ],
  'userinfo-without-openid': [
    'A token that was not issued for openid opens user info (§2.6: openid is optional, C7.6).',
    dropChecks('token-is-for-openid'),
  ],
  'openid-required': [
    'A request without openid is refused (§1.3, C1.26).',
    addRefusal('openid-is-asked', ({ claims }) => !words(asText(claims['scope'])).includes('openid'), 'invalid_scope'),
    { declares: { 'scopes-without-openid': false } },
  ],
  'state-up-to-1-kb': [
    'state and nonce over 1 kB are refused (C1.26).',
    withPolicy({ stateMax: 1024 }),
    { declares: { 'long-values': false } },
  ],
  'byte-order-mark-ignored': [
    'A byte order mark at the beginning of the claims is ignored (RFC 8259 §8.1, C1.27).',
    tidyRequest((request) =>
      request
        .split('.')
        .map((part) => part.replace(/^77-7/, ''))
        .join('.'),
    ),
  ],
  'future-iat-refused': [
    'A request object signed two seconds ahead is refused (§5.1 says nothing of the future).',
    withPolicy({ iatMaxAhead: 1 }),
  ],
  'iat-a-minute-late': [
    'A minute is allowed for clocks that differ (§8: generally 5 minutes).',
    withPolicy({ expLeeway: 60, notBeforeLeeway: 60 }),
  ],
});

interface ThrottleResponse {
  readonly status: number;
  readonly error: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** Deterministic but aperiodic, so that a request retried in step with others gets through in the end. */
const isThrottledAt = (every: number, count: number): boolean =>
  createHash('sha256').update(String(count)).digest().readUInt32BE() % every === 0;

/** Throttles one request in `every`. */
function throttleOne(every: number, { status, error, retryAfter = 0 }: ThrottleResponse): Edit {
  return (definition) => {
    let count = 0;
    return addMessageCheck('load-is-not-too-high', () => {
      count += 1;
      if (!isThrottledAt(every, count)) return;
      throw new Refusal(error, 'try again', { status, headers: { 'retry-after': String(retryAfter) } });
    })(definition);
  };
}

/** Answers other methods at the server-initiated endpoint. */
function answerOtherMethods(respond: Route['respond']): Edit {
  return withRoutes(({ serverInitiated }) => ({
    otherMethods: serverInitiated && { ...serverInitiated, methods: ['GET', 'PUT', 'PATCH', 'DELETE'], respond },
  }));
}

const tooLongDescription = /^the body is too long$/;

/** Variants of the exchange of a request, and of callbacks: §4.1, §4.2. */
export const conversationVariants = defineVariants({
  'callbacks-twice': ['Each callback is sent twice (C1.4).', withBuilders(() => ({ callbackCopies: () => 2 }))],
  'consent-screen-without-openid': [
    'The consent screen lists attributes: openid stands for none (§2.3 prompt).',
    withBuilders(({ consentScreen }) => ({
      consentScreen: (...wanted) => consentScreen(...wanted).filter((scope) => scope !== 'openid'),
    })),
  ],
  'unconsented-users-asked': [
    'A user who has not consented is asked for the consent in the push (§1.3; a warning).',
    dropChecks('subscriber-consented-to-openid'),
  ],
  'callbacks-confirmed-by-200-only': [
    'Only 200 confirms a callback (§4.2 shows no response).',
    combineEdits(
      withBuilders(() => ({ callbackConfirms: (status) => status === 200 })),
      withPolicy({ callbackRetries: 2 }),
    ),
  ],
  'callbacks-confirmed-by-anything': [
    'Any response confirms a callback (§4.2 shows no response).',
    withBuilders(() => ({ callbackConfirms: () => true })),
  ],
  'callbacks-with-more-headers': [
    'Callbacks have further header fields (§4.2).',
    changeCallbackHeaders(() => ({
      'user-agent': 'carrier/7',
      accept: '*/*',
      'x-correlation': 'f00d',
      pragma: 'no-cache',
    })),
  ],
  'callbacks-say-no-cache-in-capitals': [
    'cache-control of callbacks is No-Cache (RFC 9111 §5.2: its case does not matter).',
    changeCallbackHeaders(() => ({ 'cache-control': 'No-Cache' })),
  ],
  'callbacks-typed-in-capitals': [
    'The content type of callbacks is Application/JSON (RFC 9110 §8.3.1: its case does not matter).',
    changeCallbackHeaders(() => ({ 'content-type': 'Application/JSON' })),
  ],
  'correlation-id-made-up': [
    'The carrier makes a correlation_id where none was sent (C1.7).',
    withBuilders(({ response }) => ({
      response: (request, policy) => {
        const built = response(request, policy);
        return { ...built, body: { correlation_id: `gen-${request.id.slice(-12)}`, ...built.body } };
      },
    })),
  ],
  'callbacks-make-up-a-correlation-id': [
    'Callbacks have a correlation_id of the carrier where none was sent (C1.7).',
    changeCallback((body) =>
      'correlation_id' in body ? {} : { correlation_id: asText(body['auth_req_id']).slice(-12) },
    ),
  ],
  'throttled-503-now-and-then': [
    'One request in 40 gets a 503 (C1.21).',
    throttleOne(40, { status: 503, error: 'temporarily_unavailable' }),
  ],
  'throttled-429-now-and-then': [
    'One request in 40 gets a 429 (C1.21).',
    throttleOne(40, { status: 429, error: 'temporarily_unavailable' }),
  ],
  'throttled-503-one-in-seven': [
    'One request in seven gets a 503, to be sent again a second later (C1.21).',
    throttleOne(7, { status: 503, error: 'temporarily_unavailable', retryAfter: 1 }),
  ],
  'throttled-429-one-in-seven': [
    'One request in seven gets a 429, to be sent again a second later (C1.21).',
    throttleOne(7, { status: 429, error: 'temporarily_unavailable', retryAfter: 1 }),
  ],
  'long-bodies-413-in-html': [
    'A body that is too long gets a 413 in HTML from the server in front (C1.21).',
    changeRefusal(({ body }) =>
      tooLongDescription.test(asText(body['error_description']))
        ? { status: 413, headers: { 'content-type': 'text/html' } }
        : {},
    ),
  ],
  'other-methods-302': [
    'Another method leads to the documentation (C1.9).',
    answerOtherMethods((_carrier, _request, reply) => reply.redirect('https://developer.carrier.example/', 302)),
  ],
  'other-methods-501': [
    'Another method is not implemented (C1.9).',
    answerOtherMethods((_carrier, _request, reply) => reply.code(501).send({ error: 'invalid_request' })),
  ],
  'other-methods-404': [
    'Another method finds nothing (C1.9).',
    answerOtherMethods((_carrier, _request, reply) => reply.code(404).send({ error: 'invalid_request' })),
  ],
});
