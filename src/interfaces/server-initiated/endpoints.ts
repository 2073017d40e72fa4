import type { CarrierFacts, Discovery, Endpoint, FeatureSign } from '../../model/interface.ts';
import type { Latency } from '../../model/target.ts';

/** Endpoints of a carrier, by the name used in target files and suites (A28 has the members of the first). */
export const endpoints = {
  server_initiated: {
    members: [
      'server_initiated_endpoint',
      'server_initiated_authorization_endpoint',
      'backchannel_authentication_endpoint',
    ],
  },
  authorization: { members: ['authorization_endpoint'] },
  token: { members: ['token_endpoint'], kind: 'token', gives: 'tokens' },
  userinfo: { members: ['userinfo_endpoint'], kind: 'userinfo', gives: 'data' },
  jwks: { members: ['jwks_uri'], kind: 'jwks', showsKeys: true },
  event_jwks: { members: [], kind: 'jwks', showsKeys: true, elseAs: 'jwks' },
  discovery: { members: [], kind: 'discovery' },
  usertrait: {
    members: ['usertrait_endpoint', 'usertraits_endpoint', 'usertrait_uri', 'usertraits_uri'],
    kind: 'usertrait',
    gives: 'data',
  },
  cancel: { members: ['server_initiated_cancel_endpoint'], kind: 'cancel', cancels: 'auth_req_id' },
} as const satisfies Readonly<Record<string, Endpoint>>;

/** §4.5: the carrier of a subscriber is found by client id and carrier code. */
export const discovery: Discovery = {
  path: '/.well-known/openid_configuration',
  query: ({ clientId, mccmnc }) => ({ ...(clientId === undefined ? {} : { client_id: clientId }), mccmnc }),
  isConfiguration: (document) =>
    typeof document['issuer'] === 'string' ||
    endpoints.server_initiated.members.some((name) => typeof document[name] === 'string'),
};

const hasEndpoint =
  (name: string) =>
  ({ urls, configuration }: CarrierFacts): boolean | undefined =>
    configuration === undefined && urls[name] === undefined ? undefined : urls[name] !== undefined;

const listsMetadata =
  (metadata: string, value: string) =>
  ({ configuration }: CarrierFacts): boolean | undefined => {
    const list = configuration?.[metadata];
    return Array.isArray(list) ? list.includes(value) : undefined;
  };

/** Words of `supports` that a carrier's configuration (§2.9) or URLs show. */
export const featureSigns: Readonly<Record<string, FeatureSign>> = {
  discovery: { description: 'a discovery issuer', isThere: (facts) => facts.discovery !== undefined },
  usertrait: { description: 'a SIM tenure endpoint (usertrait_endpoint)', isThere: hasEndpoint('usertrait') },
  cancel: { description: 'a cancel endpoint (server_initiated_cancel_endpoint)', isThere: hasEndpoint('cancel') },
  events: { description: 'the scope events (scopes_supported)', isThere: listsMetadata('scopes_supported', 'events') },
  location: {
    description: 'the claim location (claims_supported)',
    isThere: listsMetadata('claims_supported', 'location'),
  },
  tls: {
    description: 'https URLs only',
    isThere: ({ urls }) => {
      const all = Object.values(urls);
      return all.length === 0 ? undefined : all.every((url) => url.startsWith('https:'));
    },
    claimIsJudged: true,
  },
};

const hourSeconds = 3600;

/** §2.11: the latency of a SIM swap tells which of two behaviours the SIM tenure endpoint has (UI-037). */
export function impliedFeatures({ sim_swap: seconds }: Partial<Latency>): Readonly<Record<string, boolean>> {
  if (seconds === undefined) return {};
  return seconds > hourSeconds ? { 'sim-swap-within-an-hour': false } : { 'sim-swap-lag': false };
}
