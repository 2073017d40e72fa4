import { all, defineVariants, type Edit } from '../faults/edit/define.ts';
import {
  callingBack,
  changedIdToken,
  changedSet,
  failing,
  published,
  refusingWith,
  respondingWith,
  succeeding,
} from '../faults/edit/messages.ts';
import { withDiscovery, withTraits, withUserinfo } from '../faults/edit/parts.ts';
import { type Json, type JsonObject, stringMember } from '../json.ts';

/** Members that are null where they are absent on the plain carrier (P5). */
const nulls = (...names: readonly string[]): Record<string, null> =>
  Object.fromEntries(names.map((name) => [name, null]));

/** As nulls, where the body has no such member. */
const missingNull =
  (...names: readonly string[]) =>
  (body: JsonObject): JsonObject => ({ ...nulls(...names.filter((name) => !(name in body))) });

const more: JsonObject = { x_carrier: { build: 7, tags: ['a', 'b'] }, vendor: 'north' };

const traitWith = (change: (body: JsonObject) => JsonObject): Edit =>
  withTraits(({ response, refusal }) => ({
    response: (tenure) => withMembers(response(tenure), change),
    refusal: (reason) => withMembers(refusal(reason), change),
  }));

const withMembers = (body: JsonObject, change: (body: JsonObject) => JsonObject): JsonObject => ({
  ...body,
  ...change(body),
});

/** A member of every attribute beside its value. */
const attributesWith = (members: JsonObject): Edit =>
  withUserinfo(({ attribute }) => ({
    attribute: (scope, call) => {
      const found = attribute(scope, call);
      return found === undefined ? undefined : { ...found, ...members };
    },
  }));

/** Null and further members of every body: P5, and §9.5. */
export const bodyVariants = defineVariants({
  'null-error-beside-tokens': [
    'error and error_description are null beside tokens (P5, C1.6).',
    succeeding(() => nulls('error', 'error_description')),
  ],
  'null-tokens-beside-an-error': [
    'Tokens are null beside an error (P5, C1.6).',
    failing(() => nulls('access_token', 'id_token', 'token_type', 'expires_in', 'scope', 'refresh_token')),
  ],
  'null-for-what-was-not-sent': [
    'correlation_id and state are null where none was sent (P5).',
    all(respondingWith(missingNull('correlation_id')), callingBack(missingNull('correlation_id', 'state'))),
  ],
  'null-error-in-the-200': [
    'error is null in the 200 (P5).',
    respondingWith(() => nulls('error', 'error_description')),
  ],
  'null-request-id-in-refusals': [
    'auth_req_id and expires_in are null in a refusal (P5).',
    refusingWith(() => nulls('auth_req_id', 'expires_in')),
  ],
  'null-refresh-token': ['refresh_token is null (§2.6: not supported yet).', succeeding(() => nulls('refresh_token'))],
  'null-in-tenure': ['error is null beside sim_tenure (P5).', traitWith(missingNull('error', 'sim_tenure'))],
  'null-in-configuration': [
    'The configuration has members that are null (P5).',
    published(() => nulls('registration_endpoint', 'service_documentation', 'claims_locales_supported')),
  ],
  'null-in-event-tokens': ['txn and toe of an event token are null (P5).', changedSet(() => nulls('txn', 'toe'))],
  'null-in-id-tokens': [
    'Claims of the id token that are not known are null (P5).',
    changedIdToken(missingNull('nonce', 'sid')),
  ],
  'more-in-the-200': ['The 200 has further members (§9.5).', respondingWith(() => ({ ...more, interval: 5 }))],
  'more-in-refusals': [
    'Refusals have further members (§9.5).',
    refusingWith(() => ({ ...more, error_uri: 'https://docs.carrier.example/errors' })),
  ],
  'more-in-callbacks': [
    'Callbacks with tokens have further members (§9.5).',
    succeeding(() => ({ ...more, issued_at: 7 })),
  ],
  'more-in-error-callbacks': [
    'Callbacks with an error have further members (§9.5).',
    failing(() => ({ ...more, error_uri: 'https://docs.carrier.example/errors' })),
  ],
  'more-in-id-tokens': [
    'The id token has further claims (OIDC Core §2).',
    changedIdToken(() => ({ ...more, sid: 'f00d', ver: 2 })),
  ],
  'more-in-event-tokens': [
    'Event tokens have further claims (RFC 8417 §2.2).',
    changedSet((_, { now }) => ({ ...more, txn: 'f00d', toe: Math.floor(now / 1000) })),
  ],
  'more-in-tenure': ['Responses to usertrait queries have further members (§9.5).', traitWith(() => more)],
  'more-in-configuration': [
    'The configuration has further members (OIDC Discovery §3).',
    published(() => ({ ...more, claims_parameter_supported: false })),
  ],
  'more-in-keys': [
    'Published keys have further members, and there is one of a type of its own (RFC 7517 §4, §5).',
    withDiscovery(({ jwks }) => ({
      jwks: (keys) => [
        ...jwks(keys).map((key) => ({ ...key, key_ops: ['verify'], x_issued: 7 })),
        { kty: 'OKP', crv: 'Ed25519', kid: 'other-type', use: 'sig', x: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      ],
    })),
  ],
  'attributes-with-last-used': [
    'Attributes say when they were last used (§2.11: last_used_timestamp).',
    attributesWith({ last_used_timestamp: '2026-01-01T00:00:00Z' }),
  ],
  'attributes-with-current': [
    'Attributes have current beside value (§2.11: current value).',
    withUserinfo(({ attribute }) => ({
      attribute: (scope, call) => withCurrent(attribute(scope, call)),
    })),
  ],
  'error-description-empty': [
    'error_description is empty (§2.5: text).',
    all(
      refusingWith(() => ({ error_description: '' })),
      failing(() => ({ error_description: '' })),
    ),
  ],
  'error-description-of-another-language': [
    'error_description is in another language (§2.5: text; carriers are not consistent in it).',
    all(
      refusingWith(() => ({ error_description: 'Solicitud rechazada: inténtelo más tarde, por favor 🙏' })),
      failing(() => ({ error_description: 'El usuario no respondió a tiempo, o dijo «no» 🙅' })),
    ),
  ],
  'error-description-of-500': [
    'error_description is a long text with a link (§2.5: carriers are not consistent in it).',
    all(
      refusingWith((body) => described(body)),
      failing((body) => described(body)),
    ),
  ],
});

function withCurrent(attribute: JsonObject | undefined): JsonObject | undefined {
  const value: Json | undefined = attribute?.['value'];
  return attribute === undefined || value === undefined ? attribute : { ...attribute, current: value };
}

function described(body: JsonObject): JsonObject {
  const text = stringMember(body, 'error_description') ?? '';
  return { error_description: `${text}. ${'See the developer portal for more. '.repeat(14)}`.slice(0, 500) };
}
