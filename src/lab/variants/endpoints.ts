import type { Route } from '../../carrier/carrier.ts';
import { respondConfiguration } from '../../carrier/endpoints/discovery.ts';
import { respondUserinfo } from '../../carrier/endpoints/userinfo.ts';
import { combineEdits, defineVariants, type Edit } from '../edit/fault-table.ts';
import { changeConfiguration, changeEventToken, type MemberChanges } from '../edit/messages.ts';
import {
  changeRoute,
  skipChecksIf,
  withDiscovery,
  withEvents,
  withPolicy,
  withRoutes,
  withTraits,
  withTraitSteps,
  withUserinfo,
} from '../../carrier/seams/definition-parts.ts';
import { parseMediaType, queryParameters } from '../../carrier/http/request.ts';
import { asText, isJsonList, isJsonObject } from '../../carrier/json.ts';
import { reader } from '../../carrier/context.ts';
import type { SubscriberState } from '../../carrier/state/accounts.ts';

/** Copy of a subscriber who consented and has an unknown SIM. */
const withUnknownSim = (subscriber: SubscriberState, client: string): SubscriberState => ({
  ...subscriber,
  simUnknown: true,
  enrolled: true,
  consents: new Map([[client, new Set(['openid'])]]),
});

const verification = 'https://schemas.openid.net/secevent/ssf/event-type/verification';
const otherEvents: readonly string[] = [verification, 'https://carrier.test/events/phone-lost'];

const bearerChallenge = { 'www-authenticate': 'Bearer error="invalid_request"' };

/** Variants of the other endpoints: §4.3, §4.4, §4.7 to §4.9. */
export const endpointVariants = defineVariants({
  'tenure-error-for-strangers': [
    'A subscriber that is not known, or not of the SP, gets the value error (C1.8).',
    withTraitSteps(({ readSubscriber }) => ({
      readSubscriber: reader(readSubscriber.name, (context) => {
        const { name } = context.client;
        const found = context.accounts.findSub(asText(context.body['sub']));
        const [any] = context.accounts.subscribers.values();
        if (found?.clientName === name || any === undefined) return readSubscriber.read(context);
        return { ...context, subscriber: withUnknownSim(any, name) };
      }),
    })),
  ],
  'tenure-read-as-text': [
    'A usertrait query of JSON is read under text/plain as well (C1.9).',
    withTraitSteps(({ onMessage }) => ({
      onMessage: skipChecksIf(onMessage, ({ contentType }) => parseMediaType(contentType) === 'text/plain', [
        'trait-content-type-is-json',
      ]),
    })),
  ],
  'tenure-undetermined-as-an-error': [
    'If the tenure cannot be determined, the body has the error beside the value (§7: its shape is not shown).',
    withTraits(({ response }) => ({
      response: (tenure) =>
        tenure === 'error'
          ? { ...response(tenure), error: 'server_error', error_description: 'the network did not answer' }
          : response(tenure),
    })),
  ],
  'event-keys-elsewhere': [
    'Events are signed with a key that is published at an address of its own (C1.15).',
    combineEdits(
      withPolicy({ eventKeys: 'own' }),
      withRoutes(({ keySet }) => ({
        eventKeys: keySet && {
          ...keySet,
          path: '/event-keys',
          respond: ({ eventKey }, _request, reply) =>
            reply.send({ keys: eventKey === undefined ? [] : [eventKey.publicJwk] }),
        },
      })),
    ),
  ],
  'events-with-more-headers': [
    'Events have further header fields (§4.8).',
    withEvents(({ headers }) => ({ headers: { ...headers, 'user-agent': 'carrier/7', accept: 'application/json' } })),
  ],
  'userinfo-wants-a-proof': [
    'User info wants x-authorization beside the token (C1.13).',
    changeRoute('userinfo', {
      respond: (carrier, request, reply) =>
        request.headers['x-authorization'] === undefined
          ? reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'invalid_request' })
          : respondUserinfo(carrier, request, reply),
    }),
  ],
  'empty-bearer-400': [
    'An empty bearer gets a 400 (RFC 6750 §3.1, C1.20).',
    changeRoute('userinfo', {
      respond: (carrier, request, reply) =>
        /^bearer *$/i.test(request.headers.authorization ?? 'none')
          ? reply.code(400).headers(bearerChallenge).send({ error: 'invalid_request' })
          : respondUserinfo(carrier, request, reply),
    }),
  ],
  'userinfo-no-cache': ['User info says no-cache (C1.20).', changeRoute('userinfo', { cacheControl: 'no-cache' })],
  'token-no-cache': [
    'Responses of the token endpoint say no-cache (C1.20).',
    changeRoute('token', { cacheControl: 'no-cache' }),
  ],
  'other-cancel-payload': [
    'Cancellations have another payload, so that ours is refused (C1.12).',
    changeRoute('cancel', {
      respond: (_carrier, _request, reply) =>
        reply.code(400).send({ error: 'invalid_request', error_description: 'a member is missing' }),
    }),
    { declares: { 'cancel-payload': false } },
  ],
});

/** Changes the response for an unknown client or carrier (§4.5 names none). */
function changeUnknownCarrier(respond: Route['respond']): Edit {
  return changeRoute('configuration', {
    respond: (carrier, request, reply) => {
      const { client_id: id, mccmnc } = queryParameters(request);
      const known = typeof id === 'string' && carrier.accounts.clients.get(id)?.disabled === false;
      const own = [carrier.mccmnc, ...carrier.ownCodes].some((code) => code === mccmnc);
      return known && own ? respondConfiguration(carrier, request, reply) : respond(carrier, request, reply);
    },
  });
}

const requiredLists = ['response_types_supported', 'subject_types_supported', 'id_token_signing_alg_values_supported'];
const isFurtherList = (name: string): boolean => name.endsWith('_supported') && !requiredLists.includes(name);

const withoutMembers = (...names: readonly string[]): MemberChanges =>
  Object.fromEntries(names.map((name) => [name, undefined]));

/** Variants of discovery: §2.9, §4.5. */
export const discoveryVariants = defineVariants({
  'discovery-404-text': [
    'An unknown client or carrier gets a 404 in plain text (C1.19).',
    changeUnknownCarrier((_carrier, _request, reply) => reply.code(404).type('text/plain').send('not found')),
  ],
  'discovery-404-empty': [
    'An unknown client or carrier gets an empty 404 (C1.19).',
    changeUnknownCarrier((_carrier, _request, reply) => reply.code(404).send('')),
  ],
  'discovery-redirect-here': [
    'An unknown client or carrier is sent to the discovery_ui of the carrier itself (C1.19).',
    changeUnknownCarrier((carrier, _request, reply) =>
      reply.send({ error: 'provider_not_found', redirect_uri: `${carrier.origin}/discovery-ui` }),
    ),
  ],
  'discovery-is-public': [
    'The configuration is public, whatever the client_id (C1.19).',
    withDiscovery(() => ({
      carrierOf: ({ mccmnc: asked }, { issuer, origin, mccmnc, ownCodes, paths }) => {
        const own = [mccmnc, ...ownCodes].find((code) => code === asked);
        return own === undefined ? undefined : { issuer, origin, mccmnc: own, paths };
      },
    })),
  ],
  'discovery-never-cached': [
    'The configuration is not to be kept (§4.5).',
    changeRoute('configuration', { cacheControl: 'no-cache' }),
  ],
  'discovery-of-methods': [
    'The configuration names further methods, algorithms and scopes (OIDC Discovery §3).',
    changeConfiguration(
      ({ scopes_supported: scopes, acr_values_supported: acrs, id_token_signing_alg_values_supported: algs }) => ({
        scopes_supported: [...(isJsonList(scopes) ? scopes : []), 'profile', 'premiuminfo'],
        acr_values_supported: [...(isJsonList(acrs) ? acrs : []), 'a2'],
        id_token_signing_alg_values_supported: [...new Set([...(isJsonList(algs) ? algs : []), 'ES256'])],
        backchannel_token_delivery_modes_supported: ['push'],
      }),
    ),
  ],
  'discovery-with-endpoint-aliases': [
    'The configuration names the endpoint under the name of CIBA as well.',
    changeConfiguration(({ server_initiated_endpoint: endpoint }) => ({
      backchannel_authentication_endpoint: endpoint ?? '',
    })),
  ],
  'discovery-code-of-two-types-only': [
    'response_types_supported lists code and token (§2.9, C1.27).',
    changeConfiguration(() => ({ response_types_supported: ['code', 'token'] })),
  ],
  'discovery-without-mccmnc': [
    'The configuration does not repeat the carrier code (§2.9 does not name it).',
    changeConfiguration(() => ({ mccmnc: undefined })),
  ],
  'discovery-of-2-9-alone': [
    'The configuration has only the lists of §2.9.',
    changeConfiguration((found) => withoutMembers(...Object.keys(found).filter(isFurtherList))),
  ],
  'discovery-async-with-hyphen': [
    'response_types_supported spells async-token (§2.3, C1.27).',
    changeConfiguration(() => ({ response_types_supported: ['code', 'token', 'async-token'] })),
  ],
});

/** Variants of events, traits, user info and discovery: §2.8 to §2.11, §4.5, §4.8, §6. */
export const serviceVariants = defineVariants({
  'events-retried-a-little-early': [
    'Retries are 54 seconds apart (§6: a minute; some seconds of jitter).',
    withPolicy({ eventRetryAfter: 54 }),
  ],
  'events-retried-a-little-late': [
    'Retries are 68 seconds apart (§6: a minute; some seconds of jitter).',
    withPolicy({ eventRetryAfter: 68 }),
  ],
  'event-window-slides': [
    'A duplicate that is dropped begins the hour anew (§6, A30).',
    withEvents(() => ({ duplicateSlides: true })),
  ],
  'event-confirmed-by-2xx': [
    'Any 2xx confirms an event (EVT-017: RFC 8935 answers 202; a warning).',
    withEvents(() => ({ confirms: (status = 0) => status >= 200 && status < 300 })),
  ],
  'events-with-charset': [
    'The content type of events has a charset, and cache-control says no-store as well (§4.8).',
    withEvents(({ headers }) => ({
      headers: { ...headers, 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store, no-cache' },
    })),
  ],
  'set-typed-secevent': [
    'The event token is typed secevent+jwt (RFC 8417 §2.3, A9).',
    withEvents(() => ({ type: 'secevent+jwt' })),
  ],
  'events-of-other-kinds': [
    'Each event comes with two others: a verification (RFC 8935), and one of a kind that the interface does not know (P27).',
    combineEdits(
      withEvents(({ raisedBy }) => ({
        raisedBy: Object.fromEntries(
          Object.entries(raisedBy).map(([change, events]) => [change, [...otherEvents, ...events]]),
        ),
      })),
      changeEventToken((_, { event }) =>
        otherEvents.includes(event)
          ? {
              events: { [event]: { state: 'x' } },
              jti: undefined,
              ...(event === verification ? { sub: undefined } : {}),
            }
          : {},
      ),
    ),
  ],
  'set-events-as-object': [
    'events of the event token is an object with a member for each event (RFC 8417 §2.2, A10).',
    changeEventToken((_, { event }) => ({ events: { [event]: {} } })),
  ],
  'set-without-security-event': [
    'events of the event token lists device_change alone (§6 dc5, A10).',
    changeEventToken((_, { event }) => ({ events: [event] })),
  ],
  'trait-with-more-members': [
    'The response to a usertrait query repeats the name of the trait (§9.5).',
    withTraits(({ response }) => ({ response: (tenure) => ({ ...response(tenure), usertrait: 'sim_tenure' }) })),
  ],
  'age-flags-with-underscores': [
    'The age flags are spelled as their scopes (§2.11 and §2.3 differ, A16).',
    withUserinfo(({ members }) => ({
      members: { ...members, is_adult_18: 'is_adult_18', is_adult_21: 'is_adult_21', is_over_13: 'is_over_13' },
    })),
  ],
  'verified-claims-nested': [
    'verified_claims names members that stand inside an attribute (§2.11, C1.17).',
    withUserinfo(({ verification }) => ({
      verification: (members, call) => {
        const found = verification(members, call);
        const documents = found?.['identity_documents'] ?? null;
        if (!isJsonList(documents) || !members.includes('name')) return found;
        const nested = documents.map((one) => ({
          ...(isJsonObject(one) ? one : {}),
          verified_claims: 'given_name,family_name',
        }));
        return { ...found, identity_documents: nested };
      },
    })),
  ],
  'userinfo-plain-values': [
    'Without levels an attribute is its value, and no object around it (§2.11: responses differ without ial_enabled).',
    withUserinfo(() => ({
      unlevelled: (attribute) => (Object.keys(attribute).length === 1 ? (attribute['value'] ?? attribute) : attribute),
    })),
  ],
  'discovery-error-400': [
    'An unknown client or carrier code gets a 400 (§4.5 names no status).',
    withPolicy({ discoveryErrorStatus: 400 }),
  ],
  'discovery-of-one-carrier': [
    'The code of any other carrier gets an error (DSC-012: a platform that does not know it).',
    withDiscovery(({ carrierOf }) => ({
      carrierOf: (query, carrier) =>
        [carrier.mccmnc, ...carrier.ownCodes].some((code) => code === query.mccmnc)
          ? carrierOf(query, carrier)
          : undefined,
    })),
  ],
  'no-cancel-endpoint': [
    'There is no cancel endpoint, and the configuration names none (§4.4, supports).',
    changeConfiguration(() => withoutMembers('server_initiated_cancel_endpoint')),
    { declares: { cancel: false } },
  ],
  'discovery-carrier-code-as-number': [
    'mccmnc of the configuration is a number (public documents have both).',
    changeConfiguration(({ mccmnc }) => ({ mccmnc: Number(mccmnc) })),
  ],
  'discovery-response-types-without-token': [
    'response_types_supported lacks token (§2.3: only code, A3).',
    changeConfiguration(() => ({ response_types_supported: ['code', 'async_token'] })),
  ],
  'discovery-without-lists': [
    'The configuration leaves out what no clause names.',
    changeConfiguration(() =>
      withoutMembers(
        'response_modes_supported',
        'grant_types_supported',
        'prompt_values_supported',
        'request_parameter_supported',
        'request_uri_parameter_supported',
        'request_object_signing_alg_values_supported',
      ),
    ),
  ],
  'any-proof-format': [
    'Any of three formats of the proof of possession is taken (§5.8 leaves it open).',
    withPolicy({ proofFormat: 'any' }),
  ],
  'sim-tenure-of-level-1': [
    'sim_tenure_24 has level 1, because other swaps take hours to show (§2.11, C1.18).',
    withUserinfo(({ level }) => ({ level: (scope, call) => (scope === 'sim_tenure_24' ? 1 : level(scope, call)) })),
  ],
});
