import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { asText, type JsonObject } from '../json.ts';
import { defineFault, type Edit, leaveOut, withDiscovery } from './edit/define.ts';

/** On discovery and the key set: §1.8, §2.9, §4.5. */
export const discoveryFaults = [
  defineFault({
    name: 'discovery-for-anyone',
    says: 'Discovery answers without a client_id.',
    breaks: ['DSC-002'],
    apply: withDiscovery(() => ({
      carrierOf: ({ mccmnc }, { issuer, origin, mccmnc: own }) =>
        mccmnc === own ? { issuer, origin, mccmnc: own } : undefined,
    })),
  }),
  defineFault({
    name: 'discovery-mccmnc-ignored',
    says: 'Discovery answers with this carrier, whichever is asked for.',
    breaks: ['DSC-003', 'DSC-012'],
    apply: withDiscovery(() => ({
      carrierOf: ({ client }, { issuer, origin, mccmnc }) =>
        client === undefined || client.disabled ? undefined : { issuer, origin, mccmnc },
    })),
  }),
  defineFault({
    name: 'discovery-without-issuer',
    says: 'The configuration lacks issuer.',
    breaks: ['DSC-004', 'SEC-40'],
    blinds: ['FLOW-002', 'DSC-002', 'DSC-003', 'DSC-012'],
    apply: published((found) => leaveOut(found, 'issuer')),
  }),
  defineFault({
    name: 'discovery-without-authorization-endpoint',
    says: 'The configuration lacks authorization_endpoint.',
    breaks: ['DSC-005'],
    blinds: ['REQ-024', 'TRN-013'],
    apply: published((found) => leaveOut(found, 'authorization_endpoint')),
  }),
  defineFault({
    name: 'discovery-without-token-endpoint',
    says: 'The configuration lacks token_endpoint.',
    breaks: ['DSC-006'],
    blinds: ['CXL-002', 'FLOW-010', 'SEC-17', 'SEC-18', 'SEC-34', 'SEC-41', 'SEC-45', 'TOK-001', 'TOK-002'],
    apply: published((found) => leaveOut(found, 'token_endpoint')),
  }),
  defineFault({
    name: 'discovery-jwks-uri-relative',
    says: 'jwks_uri of the configuration is a path.',
    breaks: ['DSC-007'],
    blinds: ['EVT-001', 'EVT-015', 'EVT-026', 'EVT-029', 'EVT-030', 'SEC-31', 'SEC-39'],
    apply: published((found) => ({ ...found, jwks_uri: '/jwks' })),
  }),
  defineFault({
    name: 'discovery-without-code',
    says: 'response_types_supported lacks code.',
    breaks: ['DSC-008'],
    apply: published((found) => ({ ...found, response_types_supported: ['token', 'async_token'] })),
  }),
  defineFault({
    name: 'discovery-without-async-token',
    says: 'response_types_supported lacks async_token.',
    breaks: ['DSC-009'],
    apply: published((found) => ({ ...found, response_types_supported: ['code', 'token'] })),
  }),
  defineFault({
    name: 'discovery-subject-public',
    says: 'subject_types_supported says public.',
    breaks: ['DSC-010'],
    apply: published((found) => ({ ...found, subject_types_supported: ['public'] })),
  }),
  defineFault({
    name: 'discovery-algorithms-as-text',
    says: 'id_token_signing_alg_values_supported is a string.',
    breaks: ['DSC-011'],
    apply: published((found) => ({ ...found, id_token_signing_alg_values_supported: 'RS256' })),
  }),
  defineFault({
    name: 'discovery-without-usertrait',
    says: 'The configuration lacks the usertrait endpoint.',
    breaks: ['UT-003'],
    blinds: 'what follows',
    apply: published((found) => leaveOut(found, 'usertrait_endpoint')),
  }),
  defineFault({
    name: 'discovery-cancel-is-authorization',
    says: 'The configuration names the server-initiated endpoint as the cancel endpoint.',
    breaks: ['CXL-001', 'SEC-17'],
    blinds: ['CXL-002'],
    apply: published((found) => ({
      ...found,
      server_initiated_cancel_endpoint: found['server_initiated_authorization_endpoint'] ?? null,
    })),
  }),
  defineFault({
    name: 'discovery-jwks-uri-moved',
    says: 'jwks_uri of the configuration is where the key set was before.',
    breaks: ['DSC-007'],
    blinds: ['EVT-001', 'EVT-015', 'EVT-026', 'EVT-029', 'EVT-030', 'SEC-31', 'SEC-39'],
    apply: published((found) => ({ ...found, jwks_uri: `${asText(found['jwks_uri'])}.json` })),
  }),
  defineFault({
    name: 'discovery-as-text',
    says: 'The configuration is sent as text/plain.',
    breaks: ['DSC-001'],
    apply: withDiscovery(() => ({ contentType: 'text/plain; charset=utf-8' })),
  }),
  defineFault({
    name: 'issuer-stays-http',
    says: 'The endpoints moved to https, and the issuer stayed where it was.',
    breaks: ['SEC-40'],
    blinds: 'what follows',
    declares: { tls: true },
    apply: published((found) =>
      Object.fromEntries(
        Object.entries(found).map(([name, value]) => [
          name,
          typeof value === 'string' && name !== 'issuer' ? value.replace(/^http:/, 'https:') : value,
        ]),
      ),
    ),
  }),
  defineFault({
    name: 'jwks-with-private-members',
    says: 'The key set shows a private member.',
    breaks: ['SEC-39'],
    apply: withDiscovery(({ jwks }) => ({ jwks: (keys) => jwks(keys).map((key) => ({ ...key, d: 'AQAB' })) })),
  }),
  defineFault({
    name: 'jwks-kid-twice',
    says: 'All keys have the same kid.',
    breaks: ['SEC-39'],
    apply: withDiscovery(({ jwks }) => ({
      jwks: (keys) => jwks(keys).map((key) => ({ ...key, kid: 'carrierkey01' })),
    })),
  }),
  defineFault({
    name: 'jwks-with-a-new-key-each-time',
    says: 'For every answer a key for encryption is made anew.',
    breaks: ['SEC-39'],
    apply: withDiscovery(({ jwks }) => ({ jwks: (keys) => [...jwks(keys), newEncryptionKey()] })),
  }),
  defineFault({
    name: 'jwks-old-key-dropped',
    says: 'The key set loses the old key when there is a new one.',
    breaks: ['SEC-39'],
    apply: withDiscovery(({ jwks }) => ({ jwks: (keys) => jwks(keys.slice(0, 1)) })),
  }),
] as const;

function published(change: (configuration: JsonObject) => JsonObject): Edit {
  return withDiscovery(({ configuration }) => ({ configuration: (address) => change(configuration(address)) }));
}

function newEncryptionKey(): JsonObject {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'EC', crv: 'P-256', use: 'enc', alg: 'ECDH-ES', kid: randomUUID(), x, y };
}
