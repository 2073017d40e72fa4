import { createHash } from 'node:crypto';
import type { Route } from '../carrier.ts';
import { all, defineVariants, type Edit } from '../faults/edit/define.ts';
import { calling, callingBack, refusing } from '../faults/edit/messages.ts';
import { withBuilders, withMessageCheck, withPolicy, withRoutes } from '../faults/edit/parts.ts';
import { asText } from '../json.ts';
import { Refusal } from '../refusal.ts';

interface Throttled {
  readonly status: number;
  readonly error: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The same for every start, and without a beat: a request that is sent again in step with others gets through in the end. */
const isOneOf = (every: number, count: number): boolean =>
  createHash('sha256').update(String(count)).digest().readUInt32BE() % every === 0;

/** One request of so many is throttled. */
function throttling(every: number, { status, error, retryAfter = 0 }: Throttled): Edit {
  return (definition) => {
    let count = 0;
    return withMessageCheck('load-is-not-too-high', () => {
      count += 1;
      if (!isOneOf(every, count)) return;
      throw new Refusal(error, 'try again', { status, headers: { 'retry-after': String(retryAfter) } });
    })(definition);
  };
}

/** Another method at the address of server-initiated requests gets this. */
function otherMethods(respond: Route['respond']): Edit {
  return withRoutes(({ serverInitiated }) => ({
    otherMethods: serverInitiated && { ...serverInitiated, methods: ['GET', 'PUT', 'PATCH', 'DELETE'], respond },
  }));
}

const tooLong = /^the body is too long$/;

/** What a carrier may do otherwise in the exchange of a request, and in its callbacks: §4.1, §4.2. */
export const conversationVariants = defineVariants({
  'callbacks-twice': ['Each callback is sent twice (C1.4).', withBuilders(() => ({ callbackCopies: () => 2 }))],
  'consent-screen-without-openid': [
    'The consent screen lists attributes: openid stands for none (§2.3 prompt).',
    withBuilders(({ consentScreen }) => ({
      consentScreen: (...wanted) => consentScreen(...wanted).filter((scope) => scope !== 'openid'),
    })),
  ],
  'callbacks-confirmed-by-200-only': [
    'Only 200 confirms a callback (§4.2 shows no response).',
    all(
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
    calling(() => ({ 'user-agent': 'carrier/7', accept: '*/*', 'x-correlation': 'f00d', pragma: 'no-cache' })),
  ],
  'callbacks-say-no-cache-in-capitals': [
    'cache-control of callbacks is No-Cache (RFC 9111 §5.2: its case does not matter).',
    calling(() => ({ 'cache-control': 'No-Cache' })),
  ],
  'callbacks-typed-in-capitals': [
    'The content type of callbacks is Application/JSON (RFC 9110 §8.3.1: its case does not matter).',
    calling(() => ({ 'content-type': 'Application/JSON' })),
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
    callingBack((body) => ('correlation_id' in body ? {} : { correlation_id: asText(body['auth_req_id']).slice(-12) })),
  ],
  'throttled-503-now-and-then': [
    'One request in 40 gets a 503 (C1.21).',
    throttling(40, { status: 503, error: 'temporarily_unavailable' }),
  ],
  'throttled-429-now-and-then': [
    'One request in 40 gets a 429 (C1.21).',
    throttling(40, { status: 429, error: 'temporarily_unavailable' }),
  ],
  'throttled-503-one-in-seven': [
    'One request in seven gets a 503, to be sent again a second later (C1.21).',
    throttling(7, { status: 503, error: 'temporarily_unavailable', retryAfter: 1 }),
  ],
  'throttled-429-one-in-seven': [
    'One request in seven gets a 429, to be sent again a second later (C1.21).',
    throttling(7, { status: 429, error: 'temporarily_unavailable', retryAfter: 1 }),
  ],
  'long-bodies-413-in-html': [
    'A body that is too long gets a 413 in HTML from the server in front (C1.21).',
    refusing(({ body }) =>
      tooLong.test(asText(body['error_description'])) ? { status: 413, headers: { 'content-type': 'text/html' } } : {},
    ),
  ],
  'other-methods-302': [
    'Another method leads to the documentation (C1.9).',
    otherMethods((_carrier, _request, reply) => reply.redirect('https://developer.carrier.example/', 302)),
  ],
  'other-methods-501': [
    'Another method is not implemented (C1.9).',
    otherMethods((_carrier, _request, reply) => reply.code(501).send({ error: 'invalid_request' })),
  ],
  'other-methods-404': [
    'Another method finds nothing (C1.9).',
    otherMethods((_carrier, _request, reply) => reply.code(404).send({ error: 'invalid_request' })),
  ],
});
