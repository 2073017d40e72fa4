import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { asText, type JsonObject } from '../json.ts';
import { defineFaults, ruleIds } from './edit/define.ts';
import { published } from './edit/messages.ts';
import { withDiscovery } from './edit/parts.ts';
import { keySetUsers } from './edit/rule-groups.ts';

/** On discovery and the key set: §1.8, §2.9, §4.5. */
export const discoveryFaults = defineFaults({
  'discovery-for-anyone': {
    description: 'Discovery serves queries without a client_id.',
    breaks: ['DSC-002'],
    apply: withDiscovery(() => ({
      carrierOf: ({ mccmnc }, { issuer, origin, mccmnc: own }) =>
        mccmnc === own ? { issuer, origin, mccmnc: own } : undefined,
    })),
  },
  'discovery-mccmnc-ignored': {
    description: 'Discovery responds with this carrier, whichever the query names.',
    breaks: ['DSC-003', 'DSC-012'],
    apply: withDiscovery(() => ({
      carrierOf: ({ client }, { issuer, origin, mccmnc }) =>
        client === undefined || client.disabled ? undefined : { issuer, origin, mccmnc },
    })),
  },
  'discovery-without-issuer': {
    description: 'The configuration lacks issuer.',
    breaks: ['DSC-004', 'SEC-40'],
    masks: ['FLOW-002', 'DSC-002', 'DSC-003', 'DSC-012'],
    apply: published(() => ({ issuer: undefined })),
  },
  'discovery-without-authorization-endpoint': {
    description: 'The configuration lacks authorization_endpoint.',
    breaks: ['DSC-005'],
    masks: ['REQ-024', 'TRN-013'],
    apply: published(() => ({ authorization_endpoint: undefined })),
  },
  'discovery-without-token-endpoint': {
    description: 'The configuration lacks token_endpoint.',
    breaks: ['DSC-006'],
    masks: ruleIds('CXL-002 FLOW-010 SEC-17 SEC-18 SEC-34 SEC-41 SEC-45 TOK-001 TOK-002'),
    apply: published(() => ({ token_endpoint: undefined })),
  },
  'discovery-jwks-uri-relative': {
    description: 'jwks_uri of the configuration is a path.',
    breaks: ['DSC-007'],
    masks: keySetUsers,
    apply: published(() => ({ jwks_uri: '/jwks' })),
  },
  'discovery-without-code': {
    description: 'response_types_supported lacks code.',
    breaks: ['DSC-008'],
    apply: published(() => ({ response_types_supported: ['token', 'async_token'] })),
  },
  'discovery-without-async-token': {
    description: 'response_types_supported lacks async_token.',
    breaks: ['DSC-009'],
    apply: published(() => ({ response_types_supported: ['code', 'token'] })),
  },
  'discovery-subject-public': {
    description: 'subject_types_supported says public.',
    breaks: ['DSC-010'],
    apply: published(() => ({ subject_types_supported: ['public'] })),
  },
  'discovery-algorithms-as-text': {
    description: 'id_token_signing_alg_values_supported is a string.',
    breaks: ['DSC-011'],
    apply: published(() => ({ id_token_signing_alg_values_supported: 'RS256' })),
  },
  'discovery-without-usertrait': {
    description: 'The configuration lacks the usertrait endpoint.',
    breaks: ['UT-003'],
    masks: 'what follows',
    apply: published(() => ({ usertrait_endpoint: undefined })),
  },
  'discovery-cancel-is-authorization': {
    description: 'The configuration names the server-initiated endpoint as the cancel endpoint.',
    breaks: ['CXL-001', 'SEC-17'],
    masks: ['CXL-002'],
    apply: published((found) => ({
      server_initiated_cancel_endpoint: found['server_initiated_authorization_endpoint'] ?? null,
    })),
  },
  'discovery-jwks-uri-moved': {
    description: 'jwks_uri of the configuration is where the key set was before.',
    breaks: ['DSC-007'],
    masks: keySetUsers,
    apply: published(({ jwks_uri }) => ({ jwks_uri: `${asText(jwks_uri)}.json` })),
  },
  'discovery-as-text': {
    description: 'The configuration is sent as text/plain.',
    breaks: ['DSC-001'],
    apply: withDiscovery(() => ({ contentType: 'text/plain; charset=utf-8' })),
  },
  'issuer-stays-http': {
    description: 'The endpoints moved to https, and the issuer stayed where it was.',
    breaks: ['SEC-40'],
    masks: 'what follows',
    declares: { tls: true },
    apply: published((found) =>
      Object.fromEntries(
        Object.entries(found).map(([name, value]) => [
          name,
          typeof value === 'string' && name !== 'issuer' ? value.replace(/^http:/, 'https:') : value,
        ]),
      ),
    ),
  },
  'jwks-with-private-members': {
    description: 'The key set shows a private member.',
    breaks: ['SEC-39'],
    apply: withDiscovery(({ jwks }) => ({ jwks: (keys) => jwks(keys).map((key) => ({ ...key, d: 'AQAB' })) })),
  },
  'jwks-kid-twice': {
    description: 'All keys have the same kid.',
    breaks: ['SEC-39'],
    apply: withDiscovery(({ jwks }) => ({
      jwks: (keys) => jwks(keys).map((key) => ({ ...key, kid: 'carrierkey01' })),
    })),
  },
  'jwks-with-a-new-key-each-time': {
    description: 'Every response has a new key for encryption.',
    breaks: ['SEC-39'],
    apply: withDiscovery(({ jwks }) => ({ jwks: (keys) => [...jwks(keys), newEncryptionKey()] })),
  },
  'jwks-old-key-dropped': {
    description: 'The key set loses the old key when there is a new one.',
    breaks: ['SEC-39'],
    apply: withDiscovery(({ jwks }) => ({ jwks: (keys) => jwks(keys.slice(0, 1)) })),
  },
});

function newEncryptionKey(): JsonObject {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'EC', crv: 'P-256', use: 'enc', alg: 'ECDH-ES', kid: randomUUID(), x, y };
}
