import type { Carrier, Route } from '../../carrier/carrier.ts';
import { combineEdits, defineVariants, type Edit } from '../edit/fault-table.ts';
import {
  changeAccessToken,
  changeIdToken,
  changeEventToken,
  omitMembers,
  changeConfiguration,
  changeTokens,
} from '../edit/messages.ts';
import {
  changeRoute,
  withBuilders,
  withDiscovery,
  withEvents,
  withPolicy,
  withRoutes,
} from '../../carrier/seams/definition-parts.ts';
import { algByKind } from '../../carrier/jose/carrier-keys.ts';
import { asText, isJsonList, type JsonObject } from '../../carrier/json.ts';
import type { CarrierKeyKind } from '../../carrier/policy.ts';

/** Variants of ids, tokens and event tokens: §2.4, §2.6, §2.10. */
export const tokenVariants = defineVariants({
  'auth-req-id-one-beginning': [
    'Every auth_req_id has the same eight characters after the prefix (§2.4).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => `ccid-Req2026a${authReqId(wanted).slice(5)}` })),
  ],
  'auth-req-id-of-digits': [
    'auth_req_id has digits only (§2.4: letters and digits).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => `ccid-${toDigits(authReqId(wanted).slice(5))}` })),
  ],
  'auth-req-id-in-lower-case': [
    'auth_req_id has no capital letters (§2.4: letters and digits).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).toLowerCase() })),
  ],
  'auth-req-id-of-64': [
    'auth_req_id has 64 characters after the prefix (§2.4).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => `${authReqId(wanted)}${authReqId(wanted).slice(5)}` })),
  ],
  'id-token-for-5-minutes': [
    'The id token lives five minutes, whatever the access token does (OIDC Core §2 exp).',
    changeIdToken(({ iat }) => ({ exp: Number(iat) + 300 })),
  ],
  'id-token-for-a-day': [
    'The id token lives a day (OIDC Core §2 exp).',
    changeIdToken(({ iat }) => ({ exp: Number(iat) + 86_400 })),
  ],
  'id-token-without-amr': [
    'The id token has no amr (OIDC Core §2: optional).',
    changeIdToken(() => ({ amr: undefined })),
  ],
  'id-token-with-jti': [
    'The id token has a jti and the time before which it is not valid (RFC 7519 §4.1).',
    changeIdToken(({ iat, at_hash: hash }) => ({ jti: `id-${asText(hash)}`, nbf: iat ?? 0 })),
  ],
  'id-token-without-auth-time': [
    'The id token does not say when the user authenticated (OIDC Core §2: optional without max_age).',
    changeIdToken(() => ({ auth_time: undefined })),
  ],
  'access-token-with-aud': [
    'The access token names its audience and a version (§2.6: its contents are not shown).',
    changeAccessToken(({ iss }) => ({ aud: [iss ?? '', 'https://api.carrier.example'], ver: '2' })),
  ],
  'token-type-in-lower-case': [
    'token_type is written bearer (RFC 6749 §5.1: its case does not matter).',
    changeTokens(() => ({ token_type: 'bearer' })),
  ],
  'scope-without-openid': [
    'scope lists the attributes that the user approved, and not openid (§2.6, C1.24).',
    changeTokens(({ scope }) => {
      const left = asText(scope)
        .split(' ')
        .filter((one) => one !== 'openid');
      return left.length === 0 ? {} : { scope: left.join(' ') };
    }),
  ],
  'event-iat-with-fraction': [
    'iat of event tokens has a fraction of a second (RFC 7519 §2, C1.16).',
    changeEventToken((_, { now }) => ({ iat: now / 1000 + 0.25 })),
  ],
  'event-aud-as-list': [
    'aud of event tokens is a list of one (RFC 7519 §4.1.3).',
    changeEventToken(({ aud }) => ({ aud: isJsonList(aud) ? aud : [aud ?? ''] })),
  ],
  'event-jti-with-colons': [
    'jti of event tokens is a URN (§6: unique id).',
    changeEventToken(({ jti }) => ({ jti: `urn:uuid:${asText(jti)}` })),
  ],
  'event-jti-short': [
    'jti of event tokens has 16 characters (§6: unique id).',
    changeEventToken(({ jti }) => ({ jti: asText(jti).replaceAll('-', '').slice(-16) })),
  ],
  'event-with-sub-id': [
    'Event tokens name the subject as sub_id as well (RFC 9493 §3).',
    changeEventToken(({ iss, sub }) => ({ sub_id: { format: 'iss_sub', iss: iss ?? '', sub: sub ?? '' } })),
  ],
  'event-type-with-prefix': [
    'typ of event tokens is application/set+jwt (RFC 7515 §4.1.9: the prefix may be left out).',
    withEvents(() => ({ type: 'application/set+jwt' })),
  ],
  'event-type-in-capitals': [
    'typ of event tokens is SET+JWT (RFC 2045 §5.1: the case of a media type does not matter).',
    withEvents(() => ({ type: 'SET+JWT' })),
  ],
  'events-with-profile-change': [
    'A moved SIM raises profile_change as well, which is another event (§1.5, C1.14).',
    withEvents(({ raisedBy }) => ({
      raisedBy: {
        ...raisedBy,
        'move-sim': ['device_change', 'profile_change'],
        'swap-sim': ['device_change', 'line_port'],
      },
    })),
  ],
  'number-change-raises-profile-change': [
    'A changed number raises profile_change (§1.5).',
    withEvents(({ raisedBy }) => ({ raisedBy: { ...raisedBy, 'change-number': ['profile_change'] } })),
  ],
});

/** Replaces each letter or digit with two digits that are unique to it. */
function toDigits(text: string): string {
  return Array.from(text, (letter) => String(letter.charCodeAt(0)).padStart(3, '0').slice(-2)).join('');
}

const signWith = (kind: CarrierKeyKind, ...others: readonly string[]): Edit =>
  combineEdits(
    withPolicy({ carrierKey: kind }),
    changeConfiguration(() => ({ id_token_signing_alg_values_supported: [algByKind[kind], ...others] })),
  );

/** EC key that signs nothing (RFC 7517 A.1); keys of different types may share a kid (RFC 7517 §4.5). */
const alternativeKey: JsonObject = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  use: 'sig',
  alg: 'ES256',
};

const respondFreshKeys: Route['respond'] = ({ definition, signingKey, retiredKeys }, _request, reply) =>
  reply.header('cache-control', 'no-store').send({ keys: definition.discovery.jwks([signingKey, ...retiredKeys]) });

/** Removes an old key from the key set `life` milliseconds after it was first published as an old one. */
function keepOldKeysFor(life: number): Edit {
  return (definition) => {
    const since = new WeakMap<Carrier, Map<string, number>>();
    return withRoutes(({ keySet }) => ({
      keySet: keySet && {
        ...keySet,
        respond: (carrier, _request, reply) => {
          const now = carrier.clock.now();
          const retired = since.get(carrier) ?? new Map<string, number>();
          since.set(carrier, retired);
          const kept = carrier.retiredKeys.filter(({ kid }) => {
            const at = retired.get(kid) ?? now;
            retired.set(kid, at);
            return now - at < life;
          });
          const keys = carrier.definition.discovery.jwks([carrier.signingKey, ...kept]);
          return reply.header('cache-control', 'max-age=60').send({ keys });
        },
      },
    }))(definition);
  };
}

const minutes = 60_000;

/** Variants of the carrier's keys: §2.9, §5. */
export const keyVariants = defineVariants({
  'signs-with-es256': ['The carrier signs with ES256, and lists RS256 beside it (§5.8).', signWith('es256', 'RS256')],
  'signs-with-es384': ['The carrier signs with ES384, and lists it alone (§5.8).', signWith('es384')],
  'signs-with-ps256': ['The carrier signs with PS256, and lists it alone (§5.8).', signWith('ps256')],
  'two-kinds-of-one-kid': [
    'Two keys of the key set have one kid and different types (RFC 7517 §4.5, C1.20).',
    withDiscovery(({ jwks }) => ({
      jwks: (keys) => [...keys.slice(0, 1).map(({ kid }) => ({ ...alternativeKey, kid })), ...jwks(keys)],
    })),
  ],
  'keys-without-use-and-alg': [
    'Published keys name neither their use nor their algorithm (RFC 7517 §4.2, §4.4: optional).',
    withDiscovery(({ jwks }) => ({ jwks: (keys) => jwks(keys).map((key) => omitMembers(key, 'use', 'alg')) })),
  ],
  'key-for-encryption': [
    'The key set has a key for encryption as well (RFC 7517 §4.2; §2.3: only the carrier reads a login_hint_token).',
    withDiscovery(({ jwks }) => ({
      jwks: (keys) => [{ ...alternativeKey, use: 'enc', alg: 'ECDH-ES+A256KW', kid: 'hints1' }, ...jwks(keys)],
    })),
  ],
  'keys-never-cached': ['The key set is not to be kept (§2.9).', changeRoute('keySet', { respond: respondFreshKeys })],
  'old-keys-for-45-minutes': [
    'An old key leaves the key set 45 minutes after a rotation (OIDC Core §10.1.1: a reasonable period).',
    keepOldKeysFor(45 * minutes),
  ],
});
