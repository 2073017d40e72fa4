import { defineVariants } from '../faults/edit/define.ts';
import { changedSet, leaveOut } from '../faults/edit/messages.ts';
import { isJsonList, isJsonObject } from '../json.ts';
import { withDiscovery, withEvents, withPolicy, withTraits, withUserinfo } from '../faults/edit/parts.ts';

/** What a carrier may do otherwise with events, traits, user info and discovery: §2.8 to §2.11, §4.5, §4.8, §6. */
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
    'Any 2xx confirms an event (EVT-017: RFC 8935 answers 202).',
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
  'set-events-as-object': [
    'events of the event token is an object with a member for each event (RFC 8417 §2.2, A10).',
    changedSet((_, { event }) => ({ events: { [event]: {} } })),
  ],
  'set-without-security-event': [
    'events of the event token lists device_change alone (§6 dc5, A10).',
    changedSet((_, { event }) => ({ events: [event] })),
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
      carrierOf: (query, carrier) => (query.mccmnc === carrier.mccmnc ? carrierOf(query, carrier) : undefined),
    })),
  ],
  'no-cancel-endpoint': [
    'There is no cancel endpoint, and the configuration names none (§4.4, supports).',
    withDiscovery(({ configuration }) => ({
      configuration: (address) => leaveOut(configuration(address), 'server_initiated_cancel_endpoint'),
    })),
    { declares: { cancel: false } },
  ],
  'discovery-carrier-code-as-number': [
    'mccmnc of the configuration is a number (public documents have both).',
    withDiscovery(({ configuration }) => ({
      configuration: (address) => ({ ...configuration(address), mccmnc: Number(address.mccmnc) }),
    })),
  ],
  'discovery-response-types-without-token': [
    'response_types_supported lacks token (§2.3: only code, A3).',
    withDiscovery(({ configuration }) => ({
      configuration: (address) => ({ ...configuration(address), response_types_supported: ['code', 'async_token'] }),
    })),
  ],
  'discovery-without-lists': [
    'The configuration leaves out what no clause names.',
    withDiscovery(({ configuration }) => ({
      configuration: (address) =>
        leaveOut(
          configuration(address),
          'response_modes_supported',
          'grant_types_supported',
          'prompt_values_supported',
          'request_parameter_supported',
          'request_uri_parameter_supported',
          'request_object_signing_alg_values_supported',
        ),
    })),
  ],
  'any-proof-format': [
    'Any of three formats of the proof of possession is taken (§5.8 leaves it open).',
    withPolicy({ proofFormat: 'any' }),
  ],
});
