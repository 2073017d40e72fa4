import type { Json, JsonObject } from '../../../lib/json.ts';
import type { Client, Subscriber } from '../../../model/target.ts';

/** What a carrier knows when a request object arrives (§2.12, §3), as far as a target file says it. */
export interface World {
  /** Its time, in epoch seconds. */
  readonly now: number;
  readonly issuer: string;
  readonly clients: readonly Client[];
  readonly subscribers: readonly Subscriber[];
  /** The jtis that each client_id used within the last 5 minutes. */
  readonly used: (clientId: string, jti: string) => boolean;
}

export interface RequestObject {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** What a row looks at beside its own value. */
export interface Arrived extends RequestObject {
  readonly world: World;
  /** The registration of client_id, where there is one. */
  readonly client: Client | undefined;
}

type Holds = (value: Json | undefined, arrived: Arrived) => boolean;

/** A rule that a request object breaks by what the carrier knows. */
export interface WorldRule {
  readonly rule: string;
  readonly path: string;
  readonly holds: Holds;
}

type Row = readonly [rule: string, path: string, holds: Holds];

const rowsOf = (rows: readonly Row[]): readonly WorldRule[] =>
  rows.map(([rule, path, holds]) => ({ rule, path, holds }));

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';
/** What has another type, or is not there, is for a row of the object alone. */
const ofNumber =
  (holds: (value: number, arrived: Arrived) => boolean): Holds =>
  (value, arrived) =>
    typeof value !== 'number' || !Number.isFinite(value) || holds(value, arrived);
const ofText =
  (holds: (value: string, arrived: Arrived) => boolean): Holds =>
  (value, arrived) =>
    !isText(value) || holds(value, arrived);
/** What is not registered is refused for its client_id. */
const ofClient =
  (holds: (value: string, client: Client) => boolean): Holds =>
  (value, { client }) =>
    !isText(value) || client === undefined || holds(value, client);

/** §2.3 iat, exp and jti: seconds. */
const window = 300;
/** What clocks differ by, and what a request is under way. */
const skew = 5;

const isAudience = (aud: Json | undefined, issuer: string): boolean =>
  aud === issuer || (Array.isArray(aud) && (aud as readonly Json[]).includes(issuer));

/** §2.3, §2.12: refused by what the carrier knows. */
export const worldRules = rowsOf([
  ['REQ-026', 'claims.client_id', ofText((id, { world }) => world.clients.some(({ clientId }) => clientId === id))],
  ['REQ-007', 'claims.aud', (aud, { world }) => aud === undefined || isAudience(aud, world.issuer)],
  ['REQ-009', 'claims.iat', ofNumber((iat, { world }) => iat >= world.now - window - skew)],
  ['REQ-011', 'claims.exp', ofNumber((exp, { world }) => exp >= world.now - skew)],
  ['REQ-012', 'claims.exp', ofNumber((exp, { world }) => exp <= world.now + window + skew)],
  [
    'REQ-015',
    'claims.jti',
    ofText((jti, { world, client }) => client === undefined || !world.used(client.clientId, jti)),
  ],
  ['REQ-030', 'claims.redirect_uri', ofClient((uri, { redirectUris }) => redirectUris.includes(uri))],
  ['REQ-033', 'claims.notification_uri', ofClient((uri, { notificationUris }) => notificationUris.includes(uri))],
  ['HDR-001', 'header.kid', (kid, { client }) => kid !== undefined || client === undefined || client.keys.length < 2],
  [
    'REQ-066',
    'claims.login_hint',
    ofClient((hint, { flags }) => !hint.startsWith('+') || flags['enum_enabled'] === true),
  ],
]);

/** What an SP must not send and a carrier may accept all the same: it is open where the row of `decode` does not hold. */
export const tolerated: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  // A carrier may skip the validation of kid (HDR-005).
  'HDR-004': () => true,
  // A carrier may ignore sub (REQ-003).
  'REQ-005': () => true,
  // A sample spells it so (REQ-023).
  'REQ-022': (type) => type === 'async-token',
};

const launchScopes = new Set('name email phone postal_code openid offline_access address birthdate'.split(' '));
const plainOptions = new Set(['light', 'dark', 'local_redirect']);
const wordsIn = (value: string): readonly string[] => value.split(' ');

const isEdge = (value: number, edge: number): boolean => Math.abs(value - edge) <= skew;

/** What the interface leaves open, or what a target file does not say: any outcome. */
export const openRules = rowsOf([
  [
    'HDR-005',
    'header.kid',
    (kid, { client }) => kid === undefined || client?.keys.some((key) => key.kid === kid) === true,
  ],
  ['HDR-006', 'header.typ', (typ) => typ === 'JWT'],
  ['HDR-007', 'header.alg', (alg) => alg === 'RS256' || alg === 'ES256'],
  ['REQ-003', 'claims.sub', (sub, { claims }) => sub !== undefined && sub === claims['client_id']],
  ['REQ-007', 'claims.aud', (aud) => isText(aud)],
  ['REQ-009', 'claims.iat', ofNumber((iat, { world }) => iat <= world.now + skew && !isEdge(iat, world.now - window))],
  ['REQ-011', 'claims.exp', ofNumber((exp, { world }) => !isEdge(exp, world.now))],
  [
    'REQ-012',
    'claims.exp',
    ofNumber(
      (exp, { world, claims: { iat } }) => !isEdge(exp, world.now + window) && (typeof iat !== 'number' || exp >= iat),
    ),
  ],
  ['REQ-015', 'claims.jti', (jti) => jti === undefined || (isText(jti) && jti.length <= 256)],
  ['REQ-019', 'claims.expires_in', ofNumber((life) => life >= 30 && life <= window)],
  ['REQ-038', 'claims.scope', ofText((scope) => wordsIn(scope).every((word) => launchScopes.has(word)))],
  [
    'REQ-037',
    'claims.scope',
    ofClient((scope, { scopes = [] }) => wordsIn(scope).every((word) => scopes.includes(word))),
  ],
  ['REQ-042', 'claims.prompt', (prompt) => prompt === undefined || prompt === 'consent' || prompt === 'login'],
  [
    'REQ-050',
    'claims.options',
    (options) => options === undefined || (isText(options) && wordsIn(options).every((one) => plainOptions.has(one))),
  ],
  ['REQ-059', 'claims.acr_values', (acr) => acr === undefined || acr === 'a1' || acr === 'a3'],
  [
    'REQ-064',
    'claims.login_hint',
    (hint, { client, world }) =>
      world.subscribers.some(
        ({ subs, tags }) => tags.includes('consented') && client !== undefined && subs[client.name] === hint,
      ),
  ],
  ['REQ-069', 'claims.login_hint_token', (token) => token === undefined],
  [
    'REQ-076',
    'claims.context',
    (context) => context === undefined || (typeof context === 'string' && /^[A-Za-z0-9 -]*$/.test(context)),
  ],
  ['REQ-084', 'claims.referred_binding', (key) => key === undefined],
  ['REQ-039', 'claims.state', (state) => state === undefined || isText(state)],
  ['REQ-040', 'claims.nonce', (nonce) => nonce === undefined || isText(nonce)],
  // It is the bearer token of the callback: what no header can carry is for nobody to accept.
  [
    'REQ-034',
    'claims.client_notification_token',
    (token) => token === undefined || (isText(token) && /^[!-~]+$/.test(token)),
  ],
  ['REQ-086', 'claims.sdk_version', (version) => version === undefined || isText(version)],
  ['REQ-087', 'claims.nbf', (nbf) => nbf === undefined],
]);
