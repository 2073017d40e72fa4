import { setTimeout as sleep } from 'node:timers/promises';
import { redirectUriRegistered } from '../checks/claims.ts';
import { respondTo, write } from '../endpoints/signed-requests.ts';
import { queryOf } from '../http/request.ts';
import { asText, isJsonObject, stringMember } from '../json.ts';
import { reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';
import { all, defineFaults, errorCodes } from './edit/define.ts';
import { leaveOut, lowered, refusing, refusingWith, responding, respondingWith } from './edit/messages.ts';
import {
  changedRoute,
  insteadOf,
  withBodyCheck,
  withMessageCheck,
  without,
  withPipeline,
  withRoutes,
} from './edit/parts.ts';

const needsOtherMethods = { except: { 'other-methods': 'it decides what other methods get at the same address' } };

/** Around the request object and its response: §2.1, §2.4, §2.5, §4.1. */
export const serverInitiatedTransportFaults = defineFaults({
  'charset-refused': [
    'The content type is compared as a whole, so a charset parameter or upper case is refused.',
    'TRN-009 TRN-015 ERR-001',
    withMessageCheck('content-type-literal', ({ contentType }) => {
      if (contentType !== 'application/json') refuse('invalid_request', 'the content type is wrong', 415);
    }),
  ],
  'content-type-not-checked': [
    'Whatever the content type says, the body is read as JSON.',
    'SEC-38',
    without('content-type-is-json'),
  ],
  'accept-honoured': [
    'An accept header without JSON gets a 406.',
    'TRN-011 TRN-015 ERR-001',
    withMessageCheck('accept-has-json', ({ accept }) => {
      if (accept !== '' && !/json|\*\/\*(?!;q=0)/.test(accept)) refuse('invalid_request', 'not acceptable', 406);
    }),
  ],
  'duplicate-members-accepted': [
    'The body goes to a JSON parser that takes the last of two members of one name.',
    'SEC-22 TRN-017',
    withPipeline(() => ({
      readBody: reader('body-by-any-parser', (context) => ({ ...context, outside: parseLoosely(context.bytes) })),
    })),
  ],
  'client-id-beside-not-compared': [
    'A client_id in the body may differ from the one in the request object.',
    'SEC-20',
    without('client-id-beside-is-the-same'),
    { except: { 'conflicting-values': 'a value that differs is refused, whatever else is done with it' } },
  ],
  'sdk-version-gates': [
    'A request with an sdk_version below 1 is refused.',
    'TRN-004 ERR-001',
    withBodyCheck('sdk-version-supported', ({ outside }) => {
      const version = stringMember(outside, 'sdk_version');
      if (version !== undefined && !(Number.parseInt(version, 10) >= 1)) {
        refuse('invalid_request', 'the SDK is too old');
      }
    }),
  ],
  'unknown-members-refused': [
    'A member of the body that the carrier does not know is refused.',
    'ERR-001 REQ-088',
    withBodyCheck('members-known', ({ outside }) => {
      if (Object.keys(leaveOut(outside, 'request', 'sdk_version')).length > 0) {
        refuse('invalid_request', 'an unknown member');
      }
    }),
  ],
  'answers-302': [
    'An accepted request gets a redirect, as at the authorization endpoint.',
    'FLOW-001 TRN-015 ERR-002',
    responding(() => ({ status: 302, headers: { location: 'https://sp.test/cb' } })),
  ],
  'answers-201': ['An accepted request gets a 201.', 'TRN-014', responding(() => ({ status: 201 }))],
  'error-200': ['A refusal is sent with HTTP 200.', 'SEC-38 SEC-46 TRN-015', refusing(() => ({ status: 200 }))],
  'error-500': [
    'A refusal is sent with HTTP 500.',
    `
        CFG-001 CRV-004 ERR-005 ERR-006 FLOW-004 FLOW-005 FLOW-006 FLOW-007 FLOW-008 FLOW-009 HDR-001 HDR-003
        HDR-005 HDR-008 LHT-009 REQ-001 REQ-002 REQ-005 REQ-007 REQ-008 REQ-009 REQ-010 REQ-011 REQ-012
        REQ-013 REQ-017 REQ-018 REQ-021 REQ-022 REQ-025 REQ-026 REQ-027 REQ-028 REQ-029 REQ-030 REQ-032
        REQ-033 REQ-035 REQ-042 REQ-058 REQ-059 REQ-063 REQ-066 REQ-074 REQ-075 REQ-077 REQ-084 SEC-01
        SEC-02 SEC-03 SEC-04 SEC-05 SEC-06 SEC-07 SEC-08 SEC-09 SEC-10 SEC-11 SEC-12 SEC-13
        SEC-14 SEC-15 SEC-16 SEC-18 SEC-19 SEC-20 SEC-21 SEC-22 SEC-26 SEC-29 SEC-30 SEC-35
        SEC-36 SEC-38 SEC-43 SEC-45 SEC-46 TRN-001 TRN-002 TRN-010 TRN-015 TRN-017 REQ-098 REQ-099 REQ-100 SEC-48
      `,
    refusing(() => ({ status: 500 })),
  ],
  'error-without-code': [
    'A refusal names a number instead of an error code.',
    [...errorCodes, 'TRN-015'],
    refusingWith(() => ({ error: 400 })),
  ],
  'error-unregistered': [
    'A refusal names an error code of the carrier’s own.',
    errorCodes,
    refusingWith(() => ({ error: 'E4711' })),
  ],
  'error-code-varies': [
    'Two nodes respond in turn, and call a wrong redirect_uri by two codes.',
    'ERR-003',
    (definition) => {
      const refusals = new Map<string, number>();
      return insteadOf(redirectUriRegistered.name, (context) => {
        try {
          redirectUriRegistered.run(context);
        } catch {
          const { redirect_uri: uri = null, login_hint: hint = null } = context.claims;
          const key = JSON.stringify([context.client.clientId, hint, uri]);
          const before = refusals.get(key) ?? 0;
          refusals.set(key, before + 1);
          refuse(before % 2 === 0 ? 'invalid_request' : 'invalid_request_object', 'redirect_uri is not registered');
        }
      })(definition);
    },
    { except: { 'code-redirect-uri': 'every refusal of this check gets the one code' } },
  ],
  'correlation-id-not-echoed-on-400': [
    'A refusal leaves correlation_id out.',
    'ERR-001',
    refusingWith(() => ({ correlation_id: undefined })),
  ],
  'correlation-id-not-echoed-on-200': [
    'The 200 leaves correlation_id out.',
    'RSP-002 REQ-082',
    respondingWith(() => ({ correlation_id: undefined })),
  ],
  'correlation-id-lowercased': [
    'correlation_id is kept in lower case.',
    'RSP-002 REQ-082',
    all(
      respondingWith((body) => lowered(body, 'correlation_id')),
      refusingWith((body) => lowered(body, 'correlation_id')),
    ),
  ],
  'answer-as-text': [
    'The 200 is sent as text/plain.',
    'RSP-001 SEC-38 TRN-011',
    responding(() => ({ headers: { 'content-type': 'text/plain; charset=utf-8' } })),
  ],
  'answer-cacheable': [
    'The responses allow caches to keep them.',
    'SEC-38',
    responding(() => ({ headers: { 'cache-control': 'max-age=60' } })),
  ],
  'error-description-with-trace': [
    'error_description shows where it was thrown.',
    'SEC-36',
    refusing(({ body }) => ({
      body: {
        ...body,
        error_description: `"${asText(body['error_description'])}"\\n at check (/srv/carrier/check.js:1:1)`,
      },
    })),
  ],
  'methods-not-told-apart': [
    'The server-initiated endpoint takes any method that brings a body.',
    'TRN-012',
    changedRoute('serverInitiated', { methods: ['POST', 'PUT', 'PATCH', 'DELETE'] }),
    needsOtherMethods,
  ],
  'other-methods-get-200': [
    'Whatever is no POST gets a 200 that says how to use the endpoint (C1.9).',
    'TRN-012',
    withRoutes(({ serverInitiated: route }) => ({
      help: route && {
        ...route,
        methods: ['GET', 'PUT', 'PATCH', 'DELETE'],
        respond: (_carrier, _request, reply) => reply.send({ usage: 'POST' }),
      },
    })),
    needsOtherMethods,
  ],
  'callback-before-answer': [
    'Where no user takes part, the callback is sent before the response is written (C2.15).',
    'TRN-016',
    changedRoute('serverInitiated', {
      respond: async (carrier, request, reply) => {
        const response = await respondTo(carrier, request);
        if (carrier.deliveries.inFlight() > 0) await sleep(1500);
        await write(reply, response);
      },
    }),
    { except: { 'callback-latency': 'the callback leaves later than the response' } },
  ],
  'sign-in-redirects-anywhere': [
    'The authorization endpoint redirects with an error before it looks whether redirect_uri is registered (C8.13).',
    'REQ-030',
    withRoutes(({ signIn: route }) => ({
      signIn: route && {
        ...route,
        respond: (carrier, request, reply) => {
          const { redirect_uri: uri, response_type: type } = queryOf(request);
          if (typeof uri !== 'string' || type === 'code') return route.respond(carrier, request, reply);
          return reply.redirect(`${uri}?error=unsupported_response_type`, 302);
        },
      },
    })),
  ],
  'sign-in-refuses-context': [
    'The authorization endpoint refuses a context, which it does not know (C3.9).',
    'TRN-018',
    withRoutes(({ signIn: route }) => ({
      signIn: route && {
        ...route,
        respond: (carrier, request, reply) => {
          if ('context' in queryOf(request)) refuse('invalid_request', 'an unknown parameter');
          return route.respond(carrier, request, reply);
        },
      },
    })),
  ],
  'one-endpoint-for-both': [
    'A POST to the authorization endpoint is taken for a server-initiated request.',
    'TRN-013',
    withRoutes(({ signIn, serverInitiated: route }) => ({
      byPost: signIn && route && { ...route, path: signIn.path },
    })),
  ],
});

function parseLoosely(bytes: Uint8Array) {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch {
    // Refused below, as any other body that is no object.
  }
  return refuse('invalid_request', 'the body must be JSON');
}
