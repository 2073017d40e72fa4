import { createPublicKey, randomUUID } from 'node:crypto';
import { makeEc } from '../../carrier/jose/carrier-keys.ts';
import type { CarrierAddress, Platform } from '../../carrier/builders/discovery.ts';
import { asText, type JsonObject } from '../../carrier/json.ts';
import { defineFaults } from '../edit/fault-table.ts';
import { changeConfiguration } from '../edit/messages.ts';
import { withDiscovery, withPolicy } from '../../carrier/seams/definition-parts.ts';

const unknownCarrierExcept = {
  except: {
    'unknown-carrier/redirect-here': 'the response for what is not known is made before',
    'unknown-carrier/not-found-text': 'the response for what is not known is made before',
    'unknown-carrier/not-found-empty': 'the response for what is not known is made before',
  },
};

const nothingSentThere = 'nothing is sent to a site that the target file does not list under origins';

/** Faults of discovery and the key set: §1.8, §2.9, §4.5. */
export const discoveryFaults = defineFaults({
  'discovery-of-some-carrier': [
    'A query without the code of a carrier gets the first of the platform (C1.19).',
    'DSC-003 DSC-012',
    withDiscovery(({ carrierOf }) => ({
      carrierOf: (query, platform) => carrierOf(query, platform) ?? otherCarrier(platform),
    })),
    unknownCarrierExcept,
  ],
  'discovery-unknown-parameter-refused': [
    'A query with a parameter that discovery does not know is refused (C3.1).',
    'DSC-013',
    withDiscovery(({ carrierOf }) => ({
      carrierOf: (query, platform) =>
        Object.keys(query.parameters).every((name) => ['client_id', 'mccmnc'].includes(name))
          ? carrierOf(query, platform)
          : undefined,
    })),
  ],
  'discovery-none-advertised': [
    'id_token_signing_alg_values_supported has none (C2.17).',
    'DSC-011 SEC-39',
    changeConfiguration(() => ({ id_token_signing_alg_values_supported: ['RS256', 'none'] })),
  ],
  'discovery-mccmnc-ignored': [
    'Discovery responds with this carrier, whichever the query names.',
    'DSC-012',
    withDiscovery(() => ({
      carrierOf: ({ client }, { issuer, origin, mccmnc, paths }) =>
        client === undefined || client.disabled ? undefined : { issuer, origin, mccmnc, paths },
    })),
    unknownCarrierExcept,
  ],
  'discovery-fails-for-the-unknown': [
    'A client or a carrier that discovery does not know ends in an internal error (C8.15).',
    'DSC-014',
    withPolicy({ discoveryErrorStatus: 500 }),
    unknownCarrierExcept,
  ],
  'discovery-without-issuer': [
    'The configuration lacks issuer.',
    'DSC-004 SEC-40',
    changeConfiguration(() => ({ issuer: undefined })),
  ],
  'discovery-without-authorization-endpoint': [
    'The configuration lacks authorization_endpoint.',
    'DSC-005',
    changeConfiguration(() => ({ authorization_endpoint: undefined })),
  ],
  'discovery-without-token-endpoint': [
    'The configuration lacks token_endpoint.',
    'DSC-006',
    changeConfiguration(() => ({ token_endpoint: undefined })),
  ],
  'discovery-jwks-uri-relative': [
    'jwks_uri of the configuration is a path.',
    'DSC-007',
    changeConfiguration(() => ({ jwks_uri: '/jwks' })),
  ],
  'discovery-without-code': [
    'response_types_supported lacks code.',
    'DSC-008',
    changeConfiguration(() => ({ response_types_supported: ['token', 'async_token'] })),
  ],
  'discovery-subject-public': [
    'subject_types_supported says public.',
    'DSC-010',
    changeConfiguration(() => ({ subject_types_supported: ['public'] })),
  ],
  'discovery-algorithms-as-text': [
    'id_token_signing_alg_values_supported is a string.',
    'DSC-011',
    changeConfiguration(() => ({ id_token_signing_alg_values_supported: 'RS256' })),
  ],
  'discovery-without-usertrait': [
    'The configuration lacks the usertrait endpoint.',
    'UT-003',
    changeConfiguration(() => ({ usertrait_endpoint: undefined })),
  ],
  'discovery-cancel-is-authorization': [
    'The configuration names the server-initiated endpoint as the cancel endpoint.',
    'CXL-001',
    changeConfiguration((found) => ({
      server_initiated_cancel_endpoint: found['server_initiated_endpoint'] ?? null,
    })),
  ],
  'discovery-jwks-uri-moved': [
    'jwks_uri of the configuration is where the key set was before.',
    'DSC-007',
    changeConfiguration(({ jwks_uri }) => ({ jwks_uri: `${asText(jwks_uri)}.json` })),
  ],
  'discovery-jwks-uri-of-another-site': [
    'jwks_uri of the configuration is on a third-party site.',
    'SEC-51',
    changeConfiguration(() => ({ jwks_uri: 'https://keys.elsewhere.example/jwks' })),
    { undecided: nothingSentThere },
  ],
  'discovery-token-endpoint-of-another-site': [
    'token_endpoint of the configuration is on a third-party site.',
    'SEC-51',
    changeConfiguration(() => ({ token_endpoint: 'https://elsewhere.example/token' })),
    { undecided: nothingSentThere },
  ],
  'discovery-as-text': [
    'The configuration is sent as text/plain.',
    'DSC-001',
    withDiscovery(() => ({ contentType: 'text/plain; charset=utf-8' })),
  ],
  'issuer-stays-http': [
    'The endpoints moved to https, and the issuer stayed where it was.',
    'SEC-40 SEC-37',
    changeConfiguration((found) =>
      Object.fromEntries(
        Object.entries(found).map(([name, value]) => [
          name,
          typeof value === 'string' && name !== 'issuer' ? value.replace(/^http:/, 'https:') : value,
        ]),
      ),
    ),
    { declares: { tls: true } },
  ],
  'jwks-with-private-members': [
    'The key set shows a private member.',
    'EVT-025 SEC-31 SEC-39',
    withDiscovery(({ jwks }) => ({ jwks: (keys) => jwks(keys).map((key) => ({ ...key, d: 'AQAB' })) })),
  ],
  'jwks-kid-twice': [
    'All keys have the same kid.',
    'SEC-39',
    withDiscovery(({ jwks }) => ({
      jwks: (keys) => jwks(keys).map((key, _, [first]) => ({ ...key, kid: first?.['kid'] ?? 'carrierkey01' })),
    })),
  ],
  'jwks-with-a-new-key-each-time': [
    'Every response has a new key for encryption.',
    'SEC-39',
    withDiscovery(({ jwks }) => ({ jwks: (keys) => [...jwks(keys), newEncryptionKey()] })),
  ],
});

function otherCarrier({ otherCarriers: [first], paths }: Platform): CarrierAddress | undefined {
  return first === undefined ? undefined : { ...first, origin: first.issuer, paths };
}

function newEncryptionKey(): JsonObject {
  const { x = '', y = '' } = createPublicKey(makeEc('P-256').publicKey).export({ format: 'jwk' });
  return { kty: 'EC', crv: 'P-256', use: 'enc', alg: 'ECDH-ES', kid: randomUUID(), x, y };
}
