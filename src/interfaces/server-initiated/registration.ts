import type { Observation, ResponseObservation } from '../../judge/observation.ts';
import { renderPlain, readTextMember } from '../../lib/json.ts';
import type { ClientRole, RefusalHint } from '../../model/interface.ts';
import type { Client } from '../../model/target.ts';

const eventFlags = ['server_initiated', 'usertraits_enabled', 'events'];

/** The registrations that cases use (docs/target-file.md, clients). */
export const clientRoles: Readonly<Record<string, ClientRole>> = {
  main: { algs: ['RS256'], events: true, flags: eventFlags },
  second: { algs: ['RS256'], events: true, flags: eventFlags },
  'two-keys': { algs: ['RS256', 'ES256'], secret: true, flags: ['server_initiated'] },
  privileged: {
    algs: ['RS256'],
    events: true,
    flags: ['server_initiated', 'silent_authorization_enabled', 'enum_enabled', 'ial_enabled', 'events'],
  },
  plain: { algs: ['RS256'], flags: [] },
  'secret-only': { algs: [], secret: true, flags: ['server_initiated'] },
  disabled: { algs: ['RS256'], flags: ['server_initiated'] },
};

/** Launch scopes (§2.3), for which the client `main` is registered. */
export const launchScopes: readonly string[] = [
  'openid',
  'name',
  'email',
  'phone',
  'postal_code',
  'address',
  'birthdate',
  'offline_access',
];

/** Scopes of a plain request, which every SP may use. */
export const plainScopes: ReadonlySet<string> = new Set(['openid', 'name']);

/** C1.25: a launch scope is refused to an SP not registered for it, and only the target file can tell. */
export function unregisteredReason({ claims }: ResponseObservation, { name, scopes }: Client): string | undefined {
  const scope = claims?.['scope'];
  if (scopes !== undefined || typeof scope !== 'string') return undefined;
  const unsure = scope.split(' ').filter((one) => launchScopes.includes(one) && !plainScopes.has(one));
  return unsure.length === 0
    ? undefined
    : `the target file does not say under "scopes" whether client ${name} is registered for ${unsure.join(', ')}`;
}

/** §2.3 prompt: a carrier without silent authorization reports the needed interaction, at once or by callback (C7.19). */
export function undeclaredReason(observation: Observation): string | undefined {
  const sent = observation.kind === 'await' ? observation.sent : observation;
  if (sent.kind !== 'response' || (observation.kind !== 'await' && observation.kind !== 'response')) return undefined;
  const isSilent = renderPlain(sent.claims?.['prompt']).split(' ').includes('none');
  if (!isSilent || readTextMember(observation.body, 'error') !== 'interaction_required') return undefined;
  return 'a carrier whose prompt none never brings tokens declares supports: { silent-authorization: false }';
}

/** Attributes that a carrier has by default (§2.3, §2.11); `location` is not scheduled yet. */
export const usualAttributes: readonly string[] = [
  'name',
  'birthdate',
  'email',
  'picture',
  'address',
  'postal_code',
  'phone',
  'is_adult_18',
  'is_adult_21',
  'is_over_13',
  'last_4_social',
  'sim_tenure_24',
];

/** Scopes that the interface names (§2.3, §6); a carrier may have more. */
export const interfaceScopes: readonly string[] = [
  ...new Set([...launchScopes, ...usualAttributes, 'location', 'events']),
];

/** Requirements that a target file meets by its own entries. */
export const targetRequirements: ReadonlySet<string> = new Set([
  'event-endpoint',
  'second-key',
  'secret',
  'virtual-clock',
  'foreign-code',
  'second-notification-uri',
  'wrong-receiver',
  'known-proof-format',
  'proof-of-the-body',
  'proof-of-the-method',
]);

/** Hints by a refusal, the most specific first: where registration and target file may disagree, or the carrier has to mend it. */
export const refusalHints: readonly RefusalHint[] = [
  {
    matches: /^broken 5\d\d\b/,
    isWhole: true,
    change: () => 'the carrier has to fix it: a valid request is answered with 200, and a refused one with 400 (§4.1)',
  },
  {
    matches: /^redirected\b/,
    isWhole: true,
    change: () => 'the carrier has to fix it: a valid request is answered with 200 and no redirect (TRN-014)',
  },
  { matches: /notification_uri/, change: ({ notificationUri }) => `is ${notificationUri} registered?` },
  { matches: /redirect_uri/, change: ({ client }) => `is ${client.redirectUris[0] ?? 'a redirect_uri'} registered?` },
  {
    matches: /\b(?:iat|exp|nbf)\b|expired|fresh|clock|too (?:old|new)|in the future/,
    change: () => 'is the clock of this machine right?',
  },
  {
    matches:
      /login_hint|unknown[ _](?:user|subscriber)|user_id|access_denied|consent|interaction_required|login_required/,
    change: ({ client, subscriber }) =>
      `is "subs: { ${client.name} }" of subscriber ${subscriber.name} the carrier’s pairwise id, has the subscriber the app, and consented to this SP?`,
  },
  { matches: /\baud\b|audience|issuer/, change: ({ issuer }) => `is the issuer of the carrier exactly ${issuer}?` },
  { matches: /scope/, change: () => 'are the scopes openid and name allowed to this SP?' },
  {
    matches: /\b(?:missing|required|mandatory)\b/,
    change: () => 'does the carrier demand a member that the plain request leaves out, because §2.3 makes it optional?',
  },
  {
    matches: /invalid_client|unauthorized_client|request_object|signature|\bkid\b/,
    change: ({ client }) =>
      `are client_id and the public key of kid ${client.keys[0]?.kid ?? ''} registered, and is server-initiated access on?`,
  },
];
