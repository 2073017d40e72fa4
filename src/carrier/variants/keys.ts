import type { Carrier, Route } from '../carrier.ts';
import { all, defineVariants, type Edit } from '../faults/edit/define.ts';
import { leaveOut, published } from '../faults/edit/messages.ts';
import { changedRoute, withDiscovery, withPolicy, withRoutes } from '../faults/edit/parts.ts';
import { algOf } from '../jose/carrier-keys.ts';
import type { JsonObject } from '../json.ts';
import type { KeyKind } from '../policy.ts';

/** Signs with a key of this kind, and advertises the algorithm. */
const signingWith = (kind: KeyKind, ...others: readonly string[]): Edit =>
  all(
    withPolicy({ carrierKey: kind }),
    published(() => ({ id_token_signing_alg_values_supported: [algOf[kind], ...others] })),
  );

/** RFC 7517 §4.5: keys of different types may share a kid; an EC key that signs nothing (the example of RFC 7517 A.1). */
const alternative: JsonObject = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  use: 'sig',
  alg: 'ES256',
};

/** The key set of this very moment. */
const freshKeys: Route['respond'] = ({ definition, signingKey, retiredKeys }, _request, reply) =>
  reply.header('cache-control', 'no-store').send({ keys: definition.discovery.jwks([signingKey, ...retiredKeys]) });

/** An old key leaves the key set this many milliseconds after it was first shown as one. */
function oldKeysFor(life: number): Edit {
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

/** What keys of the carrier may be like: §2.9, §5. */
export const keyVariants = defineVariants({
  'signs-with-es256': [
    'The carrier signs with ES256, and lists RS256 beside it (§5.8).',
    signingWith('es256', 'RS256'),
  ],
  'signs-with-es384': ['The carrier signs with ES384, and lists it alone (§5.8).', signingWith('es384')],
  'signs-with-ps256': ['The carrier signs with PS256, and lists it alone (§5.8).', signingWith('ps256')],
  'two-kinds-of-one-kid': [
    'Two keys of the key set have one kid and different types (RFC 7517 §4.5, C1.20).',
    withDiscovery(({ jwks }) => ({
      jwks: (keys) => [...keys.slice(0, 1).map(({ kid }) => ({ ...alternative, kid })), ...jwks(keys)],
    })),
  ],
  'keys-without-use-and-alg': [
    'Published keys name neither their use nor their algorithm (RFC 7517 §4.2, §4.4: optional).',
    withDiscovery(({ jwks }) => ({ jwks: (keys) => jwks(keys).map((key) => leaveOut(key, 'use', 'alg')) })),
  ],
  'key-for-encryption': [
    'The key set has a key for encryption as well (RFC 7517 §4.2; §2.3: only the carrier reads a login_hint_token).',
    withDiscovery(({ jwks }) => ({
      jwks: (keys) => [{ ...alternative, use: 'enc', alg: 'ECDH-ES+A256KW', kid: 'hints1' }, ...jwks(keys)],
    })),
  ],
  'keys-never-cached': ['The key set is not to be kept (§2.9).', changedRoute('keySet', { respond: freshKeys })],
  'old-keys-for-45-minutes': [
    'An old key leaves the key set 45 minutes after a rotation (OIDC Core §10.1.1: a reasonable period).',
    oldKeysFor(45 * minutes),
  ],
});
