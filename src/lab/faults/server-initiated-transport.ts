import { setTimeout as sleep } from 'node:timers/promises';
import type { EncodedContent } from '../../carrier/builders/content.ts';
import { redirectUriRegistered, responseTypeIsAsyncToken } from '../../carrier/checks/claims.ts';
import { authorizeRequest, sendResponse } from '../../carrier/endpoints/signed-requests.ts';
import { queryParameters } from '../../carrier/http/request.ts';
import { asText, isJsonObject, type Json, type JsonObject, stringMember } from '../../carrier/json.ts';
import { signSegments } from '../../carrier/jose/jws.ts';
import { check, type KeyContext, reader } from '../../carrier/context.ts';
import { Refusal, refuse } from '../../carrier/refusal.ts';
import {
  combineEdits,
  defineFaults,
  type Edit,
  errorCodeRules,
  type Fault,
  type FaultRow,
  freshEdit,
  type RuleIds,
} from '../edit/fault-table.ts';
import { otherKey } from '../edit/keys.ts';
import { changeRefusal, changeRefusalBody, changeResponse, changeResponseBody, omitMembers } from '../edit/messages.ts';
import {
  addBodyCheck,
  addClaimCheck,
  addMessageCheck,
  changeRoute,
  dropChecks,
  withBuilders,
  withContent,
  withPipeline,
  withRoutes,
} from '../../carrier/seams/definition-parts.ts';

const neverBusy = {
  except: {
    'waiting-pushes': 'a carrier that has too much to do repeats no correlation_id',
    throttling: 'a carrier that has too much to do repeats no correlation_id',
  },
};
const needsOtherMethods = { except: { 'other-methods': 'it decides what other methods get at the same address' } };

/** Faults around the request object and its response: §2.1, §2.4, §2.5, §4.1. */
export const serverInitiatedTransportFaults = defineFaults({
  'charset-refused': [
    'The content type is compared as a whole, so a charset parameter or upper case is refused.',
    'TRN-009 TRN-015 ERR-001',
    addMessageCheck('content-type-literal', ({ contentType }) => {
      if (contentType !== 'application/json') refuse('invalid_request', 'the content type is wrong', 415);
    }),
  ],
  'accept-honoured': [
    'An accept header without JSON gets a 406.',
    'TRN-011 TRN-015 ERR-001',
    addMessageCheck('accept-has-json', ({ accept }) => {
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
    dropChecks('client-id-beside-is-the-same'),
    { except: { 'conflicting-values': 'a value that differs is refused, whatever else is done with it' } },
  ],
  'sdk-version-gates': [
    'A request with an sdk_version that does not begin with 2 is refused, beside the request object or inside it.',
    'TRN-004',
    addClaimCheck('sdk-version-supported', ({ outside, claims }) => {
      const version = stringMember(outside, 'sdk_version') ?? stringMember(claims, 'sdk_version') ?? '2';
      if (!version.startsWith('2')) refuse('invalid_request', 'the SDK is too old');
    }),
  ],
  'unknown-members-refused': [
    'A member of the body that the carrier does not know is refused.',
    'ERR-001 REQ-088',
    addBodyCheck('members-known', ({ outside }) => {
      if (Object.keys(omitMembers(outside, 'request', 'sdk_version')).length > 0) {
        refuse('invalid_request', 'an unknown member');
      }
    }),
  ],
  'answers-302': [
    'An accepted request gets a redirect, as at the authorization endpoint.',
    'FLOW-001 TRN-015 ERR-002',
    changeResponse(() => ({ status: 302, headers: { location: 'https://sp.test/cb' } })),
  ],
  'answers-201': ['An accepted request gets a 201.', 'TRN-014', changeResponse(() => ({ status: 201 }))],
  'error-200': [
    'A refusal is sent with HTTP 200.',
    'SEC-38 SEC-46 TRN-015',
    changeRefusal(() => ({ status: 200 })),
    neverBusy,
  ],
  'error-500': [
    'A refusal is sent with HTTP 500.',
    `
        CFG-001 CRV-004 ERR-005 ERR-006 REQ-036 REQ-057 FLOW-004 FLOW-005 FLOW-006 FLOW-007 FLOW-008 FLOW-009 HDR-001 HDR-003
        HDR-005 HDR-008 LHT-009 REQ-001 REQ-002 REQ-005 REQ-007 REQ-008 REQ-009 REQ-010 REQ-011 REQ-012
        REQ-013 REQ-015 REQ-017 REQ-018 REQ-021 REQ-022 REQ-025 REQ-026 REQ-027 REQ-028 REQ-029 REQ-030 REQ-032
        REQ-033 REQ-035 REQ-039 REQ-040 REQ-042 REQ-043 REQ-058 REQ-059 REQ-063 REQ-066 REQ-074 REQ-075 REQ-077 REQ-082 REQ-084 SEC-01
        SEC-02 SEC-03 SEC-04 SEC-05 SEC-06 SEC-07 SEC-08 SEC-09 SEC-10 SEC-11 SEC-12 SEC-13
        SEC-14 SEC-15 SEC-16 SEC-18 SEC-19 SEC-20 SEC-21 SEC-22 SEC-26 SEC-29 SEC-30 SEC-35
        SEC-36 SEC-38 SEC-43 SEC-45 SEC-46 TRN-001 TRN-002 TRN-010 TRN-015 TRN-017 REQ-098 REQ-099 REQ-100 SEC-48 TRN-004 TRN-005`,
    changeRefusal(() => ({ status: 500 })),
    neverBusy,
  ],
  'error-without-code': [
    'A refusal names a number instead of an error code.',
    [...errorCodeRules, 'TRN-015'],
    changeRefusalBody(() => ({ error: 400 })),
  ],
  'error-unregistered': [
    'A refusal names an error code of the carrier’s own.',
    errorCodeRules,
    changeRefusalBody(() => ({ error: 'E4711' })),
  ],
  'error-code-varies': [
    'Two nodes respond in turn, and call the same wrong response_type, redirect_uri or login_hint by two codes.',
    'ERR-003 REQ-098',
    freshEdit(varyCodes),
    { stateful: true, except: { 'code-redirect-uri': 'every refusal of this check gets the one code' } },
  ],
  'correlation-id-not-echoed-on-200': [
    'The 200 leaves correlation_id out.',
    'RSP-002 REQ-082',
    changeResponseBody(() => ({ correlation_id: undefined })),
  ],
  'answer-as-text': [
    'The 200 is sent as text/plain.',
    'RSP-001 SEC-38 TRN-011',
    changeResponse(() => ({ headers: { 'content-type': 'text/plain; charset=utf-8' } })),
  ],
  'answer-cacheable': [
    'The 200 may be stored.',
    'SEC-38',
    changeRoute('serverInitiated', { cacheControl: 'private, max-age=300' }),
  ],
  'no-json-has-a-code-of-its-own': [
    'A body that is no JSON is refused with a code of the carrier’s own.',
    'ERR-002 SEC-44',
    changeRefusalBody(({ error, error_description: text }) => ({
      error: asText(text).includes('JSON') ? 'E4711' : (error ?? null),
    })),
    { except: { 'error-description': 'the text does not show which refusal it is' } },
  ],
  'error-description-with-trace': [
    'error_description shows where it was thrown.',
    'SEC-36',
    changeRefusal(({ body }) => ({
      body: {
        ...body,
        error_description: `"${asText(body['error_description'])}"\\n at check (/srv/carrier/check.js:1:1)`,
      },
    })),
    { except: { 'error-description': 'it gives every description another text' } },
  ],
  'methods-not-told-apart': [
    'The server-initiated endpoint takes any method that brings a body.',
    'TRN-012',
    changeRoute('serverInitiated', { methods: ['POST', 'PUT', 'PATCH', 'DELETE'] }),
    needsOtherMethods,
  ],
  'other-methods-get-200': [
    'Whatever is no POST gets a 200 that says how to use the endpoint (C1.9).',
    'TRN-012 SEC-49',
    withRoutes(({ serverInitiated: route }) => ({
      help: route && {
        ...route,
        methods: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
        respond: (_carrier, _request, reply) => reply.send({ usage: 'POST' }),
      },
    })),
    needsOtherMethods,
  ],
  'callback-before-answer': [
    'The callback of a request that no user decides is sent before the response is written (C2.15).',
    'TRN-016',
    changeRoute('serverInitiated', {
      respond: async (carrier, request, reply) => {
        const response = await authorizeRequest(carrier, request);
        if (carrier.deliveries.inFlight() > 0) await sleep(1500);
        await sendResponse(reply, response);
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
          const { redirect_uri: uri, response_type: type } = queryParameters(request);
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
          if ('context' in queryParameters(request)) refuse('invalid_request', 'an unknown parameter');
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

/** Refuses every second time that a client sends the same wrong value by another code. */
function varyCodes(): Edit {
  const refusals = new Map<string, number>();
  const vary = <T>({ client, claims }: KeyContext, name: string, act: () => T): T => {
    try {
      return act();
    } catch (error) {
      // The refusals of phone numbers are alike, known or not.
      if (!(error instanceof Refusal) || asText(claims['login_hint']).startsWith('+')) throw error;
      const key = JSON.stringify([client.clientId, name, claims['login_hint'] ?? null, claims[name] ?? null]);
      const before = refusals.get(key) ?? 0;
      refusals.set(key, before + 1);
      throw before % 2 === 0 ? error : new Refusal('invalid_request_object', error.description);
    }
  };
  const varied = { [responseTypeIsAsyncToken.name]: 'response_type', [redirectUriRegistered.name]: 'redirect_uri' };
  return withPipeline(({ onClaims, readSubscriber }) => ({
    onClaims: onClaims.map((one) => {
      const name = varied[one.name];
      return name === undefined ? one : check(one.name, (context) => vary(context, name, () => one.run(context)));
    }),
    readSubscriber: reader(readSubscriber.name, (context) =>
      vary(context, 'login_hint', () => readSubscriber.read(context)),
    ),
  }));
}

function parseLoosely(bytes: Uint8Array) {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch {
    // Refused below, like any other body that is not an object.
  }
  return refuse('invalid_request', 'the body must be JSON');
}

/** Adds a member with these bytes as its value to a JSON object. */
function withMember(text: string, value: readonly number[]): EncodedContent {
  const start = text.lastIndexOf('}');
  const isObject = start > 0 && text.trimStart().startsWith('{');
  if (!isObject) return { bytes: Buffer.from(text), headers: {} };
  const [comma, name] = [text.slice(0, start).trimEnd().endsWith('{') ? '' : ',', '"note":"'];
  const before = Buffer.from(`${text.slice(0, start)}${comma}${name}`);
  return { bytes: Buffer.concat([before, Buffer.from(value), Buffer.from(`"${text.slice(start)}`)]), headers: {} };
}

const addByteOrderMark = ({ bytes, headers }: EncodedContent): EncodedContent =>
  bytes.length === 0 ? { bytes, headers } : { bytes: Buffer.concat([Buffer.from('\u{FEFF}'), bytes]), headers };

function signUserinfo(text: string): EncodedContent {
  const jws = signSegments('{"alg":"RS256","typ":"JWT"}', text, { alg: 'RS256', privateKey: otherKey() });
  return { bytes: Buffer.from(jws), headers: { 'content-type': 'application/jwt' } };
}

/** é in ISO 8859-1, a slash in two bytes, and the first two bytes of a three-byte character. */
const latin1 = [0xe9];
const overlong = [0xc0, 0xaf];

/** Error page of a proxy, in place of the carrier's message. */
const proxyPage = (): EncodedContent => ({
  bytes: Buffer.from('<!DOCTYPE html><title>400 Bad Request</title><h1>Bad Request</h1>'),
  headers: { 'content-type': 'text/html' },
});

const isConfiguration = (text: string): boolean => text.includes('"jwks_uri"');
/** Spares the configuration, because a run begins with it. */
const isNotConfiguration = (text: string): boolean => !isConfiguration(text);

/** Changes the responses of one kind. */
const changeResponses = (change: (text: string) => EncodedContent, isMeant = isNotConfiguration) =>
  withContent(({ response }) => ({ response: (text) => (isMeant(text) ? change(text) : response(text)) }));

/** Faults of messages that are not what they declare: §2.4 to §2.11, §6. */
export const contentFaults = defineFaults({
  'responses-in-latin-1': [
    'A further member of every response has a character in ISO 8859-1.',
    'TRN-019',
    changeResponses((text) => withMember(text, latin1)),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'refusals-in-html': [
    'A server in front replaces refusals by a page of its own (C7.15).',
    'ERR-001 ERR-002 ERR-005 ERR-006 REQ-004 REQ-042 REQ-058 REQ-074 REQ-075 REQ-077 SEC-38 TRN-015',
    changeResponses(proxyPage, (text) => /"error":\s*"[^"]/.test(text) && text.includes('"correlation_id"')),
  ],
  'messages-with-a-byte-order-mark': [
    'A library writes a byte order mark before all JSON: responses, the configuration, callbacks and events (P10).',
    'TRN-019',
    withContent(({ response, callback, event }) => ({
      response: (text) => addByteOrderMark(response(text)),
      callback: (text) => addByteOrderMark(callback(text)),
      event: (text) => addByteOrderMark(event(text)),
    })),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'userinfo-as-jwt': [
    'User info is a signed JWT, although the SP did not register for that (P25).',
    'TRN-019',
    changeResponses(signUserinfo, (text) => text.startsWith('{"sub":')),
  ],
  'events-overlong': [
    'A further member of every event has a character in more bytes than UTF-8 gives it.',
    'TRN-019 EVT-010',
    withContent(() => ({ event: (text) => withMember(text, overlong) })),
  ],
});

/** Place of an unsigned value. */
type UnsignedPlace = 'outside' | 'query';

const placeWords: Readonly<Record<UnsignedPlace, string>> = { outside: 'in the body', query: 'in the URL' };

const conflictExcept = {
  'conflicting-values': 'a value that differs is refused, whatever else is done with it',
} as const;
const placeExcepts: Readonly<Record<UnsignedPlace, NonNullable<Fault['except']>>> = {
  outside: conflictExcept,
  query: {},
};

/** Replaces one claim with the value from outside, if there is one. */
const overrideClaim = (claims: JsonObject, name: string, value: Json | undefined): JsonObject =>
  value === undefined ? claims : { ...claims, [name]: value };

const takeClaimFrom = (place: UnsignedPlace, name: string): Edit =>
  withBuilders(({ claims }) => ({
    claims: (context) => overrideClaim(claims(context), name, context[place][name]),
  }));

/** Like `takeClaimFrom`, for login_hint: the subscriber is found before the effective claims are chosen. */
const takeHintFrom = (place: UnsignedPlace): Edit =>
  withPipeline(({ readSubscriber }) => ({
    readSubscriber: reader(readSubscriber.name, (context) => {
      const claims = overrideClaim(context.claims, 'login_hint', context[place]['login_hint']);
      return { ...readSubscriber.read({ ...context, claims }), claims: context.claims };
    }),
  }));

/** Like `takeClaimFrom`, for claims that are checked before a request is made of them. */
const readClaimFrom = (place: UnsignedPlace, name: string): Edit =>
  withPipeline(({ readObject }) => ({
    readObject: reader(readObject.name, (context) => {
      const read = readObject.read(context);
      const value = read[place][name];
      if (value === undefined) return read;
      return {
        ...read,
        claims: overrideClaim(read.claims, name, value),
        texts: new Map([...read.texts, [name, JSON.stringify(value)]]),
      };
    }),
  }));

const checkedClaims: ReadonlySet<string> = new Set(['exp', 'iat', 'jti', 'aud', 'login_hint_token']);

const overrideFrom = (place: UnsignedPlace, claim: string): Edit => {
  if (claim === 'login_hint') return takeHintFrom(place);
  return checkedClaims.has(claim) ? readClaimFrom(place, claim) : takeClaimFrom(place, claim);
};

/** Faults of one place, by name: the claim that its unsigned value overrides, and the broken rules. */
function outsideFaults(
  place: UnsignedPlace,
  rows: Readonly<Record<string, readonly [claim: string, breaks: RuleIds, except?: Fault['except']]>>,
): readonly Fault[] {
  const faults = Object.entries(rows).map(([name, [claim, breaks, except]]): readonly [string, FaultRow<Edit>] => [
    name,
    [
      `The ${claim} ${placeWords[place]} takes the place of the signed one (C2.2).`,
      breaks,
      overrideFrom(place, claim),
      { except: { ...placeExcepts[place], ...except }, keeps: 'each claim has a fault of its own' },
    ],
  ]);
  return defineFaults(Object.fromEntries(faults));
}

/** Faults of values beside the request object, name by name: §2.1. */
export const outsideValueFaults: readonly Fault[] = [
  ...outsideFaults('outside', {
    'outside-state-wins': ['state', 'TRN-005 CB-010 CB-011'],
    'outside-nonce-wins': ['nonce', 'TRN-005 REQ-040 SEC-31'],
    'outside-correlation-id-wins': ['correlation_id', 'TRN-005 RSP-002 CB-008'],
    'outside-scope-wins': ['scope', 'TRN-005 CB-012'],
    'outside-notification-uri-wins': [
      'notification_uri',
      'TRN-005 CB-001',
      { 'notification-uris/one': 'there is one URI only' },
    ],
    'outside-client-notification-token-wins': ['client_notification_token', 'TRN-005 CB-004'],
    'outside-expires-in-wins': ['expires_in', 'TRN-005', { 'granted-life': 'both lives are cut to the same' }],
    'outside-login-hint-wins': ['login_hint', 'TRN-005 REQ-005'],
    'outside-context-wins': ['context', 'TRN-005 REQ-079'],
    'outside-acr-values-wins': ['acr_values', 'TRN-005'],
    'outside-options-wins': ['options', 'TRN-005'],
    'outside-redirect-uri-wins': ['redirect_uri', 'TRN-005'],
    'outside-prompt-wins': ['prompt', 'TRN-005'],
    'outside-exp-wins': ['exp', 'TRN-005'],
    'outside-iat-wins': ['iat', 'TRN-005'],
    'outside-jti-wins': ['jti', 'TRN-005'],
    'outside-aud-wins': ['aud', 'TRN-005'],
    'outside-login-hint-token-wins': ['login_hint_token', 'TRN-005 REQ-005'],
    'outside-referred-binding-wins': ['referred_binding', 'TRN-005'],
  }),
  ...outsideFaults('query', {
    'query-login-hint-wins': ['login_hint', 'TRN-008 REQ-005'],
    'query-context-wins': ['context', 'TRN-008 REQ-079'],
    'query-acr-values-wins': ['acr_values', 'TRN-008'],
    'query-prompt-wins': ['prompt', 'TRN-008'],
  }),
  ...defineFaults({
    'outside-dates-win': [
      'iat and exp in the body take the place of the signed ones (C2.2).',
      'TRN-005',
      combineEdits(readClaimFrom('outside', 'iat'), readClaimFrom('outside', 'exp')),
      { except: conflictExcept, keeps: 'one date alone does not rescue a request object of yesterday' },
    ],
    'query-wins': [
      'Parameters of the query replace those of the request object.',
      'CB-001 CB-004 CB-008 CB-010 CB-012 REQ-040 REQ-079 RSP-002 SEC-31 TRN-008',
      withBuilders(() => ({ claims: ({ claims, query }) => ({ ...claims, ...query }) })),
    ],
    'outside-values-checked': [
      'The values of the body count if they differ from those of the request object (C2.2).',
      'TRN-005 CB-001 CB-024',
      withPipeline(({ readObject }) => ({
        readObject: reader(readObject.name, (context) => {
          const object = readObject.read(context);
          const checked = ['response_type', 'redirect_uri', 'notification_uri', 'acr_values'].filter(
            (name) => stringMember(context.outside, name) !== undefined,
          );
          const beside = Object.fromEntries(checked.map((name) => [name, context.outside[name] ?? null]));
          return { ...object, claims: { ...object.claims, ...beside } };
        }),
      })),
      { except: conflictExcept },
    ],
  }),
];
