import type { ClientState } from '../state/accounts.ts';
import type { OtherCarrier } from '../state/registrations.ts';
import type { Json, JsonObject } from '../json.ts';
import { requestObjectAlgorithms, type CarrierSigningKey } from '../jose/jws.ts';

export type EndpointPaths = Readonly<Record<string, string>>;

/** A discovery query (§4.5). */
interface DiscoveryQuery {
  readonly client: ClientState | undefined;
  readonly mccmnc: Json | undefined;
  readonly parameters: JsonObject;
}

/** Documents that the carrier publishes about itself (§2.9), by name; a fault replaces one. */
export interface DiscoveryBuilders {
  /** Carrier that the query names; undefined: none for this client. */
  readonly carrierOf: (query: DiscoveryQuery, platform: Platform) => CarrierAddress | undefined;
  readonly configuration: (address: CarrierAddress) => JsonObject;
  /** Content type of the configuration. */
  readonly contentType: string;
  readonly jwks: (keys: readonly CarrierSigningKey[]) => readonly JsonObject[];
}

/** The carrier, and the others of its platform (§1.8). */
export interface Platform extends CarrierAddress {
  readonly ownCodes: readonly string[];
  readonly otherCarriers: readonly OtherCarrier[];
}

export interface CarrierAddress {
  readonly issuer: string;
  readonly origin: string;
  readonly mccmnc: string;
  readonly paths: EndpointPaths;
}

export const strictDiscovery: DiscoveryBuilders = {
  carrierOf: findCarrier,
  configuration: buildConfiguration,
  contentType: 'application/json; charset=utf-8',
  jwks: (keys) => keys.map(({ publicJwk }) => publicJwk),
};

/** §1.8: needs both parameters; the code selects one carrier of the platform. */
function findCarrier({ client, mccmnc }: DiscoveryQuery, platform: Platform): CarrierAddress | undefined {
  if (client === undefined || client.disabled) return undefined;
  const { issuer, origin, otherCarriers, paths } = platform;
  const own = [platform.mccmnc, ...platform.ownCodes].find((code) => code === mccmnc);
  if (own !== undefined) return { issuer, origin, mccmnc: own, paths };
  const other = otherCarriers.find((entry) => entry.mccmnc === mccmnc);
  return other === undefined ? undefined : { ...other, origin: other.issuer, paths };
}

/** Members of §2.9, and the addresses of the endpoints of §4. */
function buildConfiguration({ issuer, origin, mccmnc, paths }: CarrierAddress): JsonObject {
  const at = (route: string): string => `${origin}${paths[route] ?? ''}`;
  return {
    issuer,
    authorization_endpoint: at('signIn'),
    token_endpoint: at('token'),
    jwks_uri: at('keySet'),
    userinfo_endpoint: at('userinfo'),
    server_initiated_endpoint: at('serverInitiated'),
    // Older name of the same endpoint, for SPs that still look for it.
    server_initiated_authorization_endpoint: at('serverInitiated'),
    server_initiated_cancel_endpoint: at('cancel'),
    usertrait_endpoint: at('usertrait'),
    discovery_ui_endpoint: at('discoveryUi'),
    response_types_supported: ['code', 'token', 'async_token'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    request_object_signing_alg_values_supported: requestObjectAlgorithms,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: requestObjectAlgorithms,
    acr_values_supported: ['a1', 'a3'],
    prompt_values_supported: ['none', 'consent', 'login'],
    scopes_supported: [...launchScopes, ...premiumScopes, 'events'],
    events_supported: ['device_change', 'security_event', 'consent_revoked'],
    usertraits_supported: ['sim_tenure'],
    request_parameter_supported: true,
    request_uri_parameter_supported: false,
    mccmnc,
  };
}

const launchScopes = ['openid', 'name', 'email', 'phone', 'postal_code', 'offline_access', 'address', 'birthdate'];
const premiumScopes = [
  'picture',
  'location',
  'last_4_social',
  'is_adult_21',
  'is_adult_18',
  'is_over_13',
  'sim_tenure_24',
];
