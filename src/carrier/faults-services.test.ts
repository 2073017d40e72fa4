import { createServer } from 'node:https';
import { expect, test } from 'vitest';
import { discoveryFaults } from './faults/discovery.ts';
import { eventFaults } from './faults/events.ts';
import { tokenFaults } from './faults/token.ts';
import { traitFaults } from './faults/traits.ts';
import { userinfoFaults } from './faults/userinfo.ts';
import { isJsonList, isJsonObject, type JsonObject } from './json.ts';
import {
  askTrait,
  askUserinfo,
  assertionOf,
  authorizeAs,
  codeFor,
  happen,
  headerOf,
  parties,
  postForm,
  setsOf,
  tokensFor,
  type TraitAsk,
  userinfoOf,
  verifiesWith,
} from './testing/calls.ts';
import { claimsOf, inner, openRig, readRegistrations, type Rig, signText, startAt, text } from './testing/rig.ts';
import { selfSigned } from './testing/self-signed.ts';
import { createCarrier } from './create-carrier.ts';

type Probe = (rig: Rig) => Promise<unknown>;
type Row = readonly [fault: string, probe: Probe, conforming: unknown, faulty: unknown];

/** Events that came to the main client's endpoint after something happened. */
const raised =
  (change: string, subscriber = 'first', before?: (rig: Rig) => Promise<unknown>): Probe =>
  async (rig) => {
    await before?.(rig);
    await happen(rig, change, subscriber);
    return setsOf(rig, 'main').map(({ events }) => events);
  };
const reported = [['device_change', 'security_event']];
const switchOff = (rig: Rig, flag: string) =>
  rig.admin('PUT', `/clients/${parties.main.id}/flags`, { flag, on: false });
const scopeOff = (rig: Rig) =>
  rig.admin('POST', '/subscribers/first/remove-consent', { client_id: parties.main.id, scopes: ['events'] });

/** The main client's event, as it came. */
const delivered =
  (pick: (event: Rig['events'][number] | undefined, rig: Rig) => unknown): Probe =>
  async (rig) => {
    await happen(rig, 'move-sim');
    return pick(
      [...rig.events, ...rig.callbacks].find(({ body }) => claimsOf(text(body, 'set'))['aud'] === parties.main.id) ??
        rig.events[0],
      rig,
    );
  };
const set = (name: string): Probe =>
  delivered(({ body } = { target: '', headers: {}, body: {} }) => claimsOf(text(body, 'set'))[name]);

const addressed: Probe = async (rig) => {
  await happen(rig, 'move-sim');
  return setsOf(rig, 'main').length;
};
const received: Probe = async (rig) => {
  await happen(rig, 'move-sim');
  return rig.events.length;
};

/** How many attempts each of these spans of time brings. */
const attempts =
  (statuses: readonly number[], ...spans: readonly number[]): Probe =>
  async (rig) => {
    for (const name of ['second', 'privileged'] as const) {
      await rig.admin('PUT', `/clients/${parties[name].id}/flags`, { events: false });
    }
    rig.eventReplies.push(...statuses.map((status) => ({ status })));
    await happen(rig, 'move-sim');
    const counts = [rig.events.length];
    for (const seconds of spans) {
      await rig.move(seconds);
      counts.push(rig.events.length);
    }
    return counts;
  };
/** Whether a change so many seconds after the first one is reported. */
const again =
  (...spans: readonly number[]): Probe =>
  async (rig) => {
    const counts: number[] = [];
    for (const seconds of [0, ...spans]) {
      await rig.move(seconds);
      await happen(rig, 'move-sim');
      counts.push(setsOf(rig, 'main').length);
    }
    return counts;
  };
const revoked =
  (scopes?: string[]): Probe =>
  async (rig) => {
    const body = { client_id: parties.main.id, ...(scopes === undefined ? {} : { scopes }) };
    await happen(rig, 'remove-consent', 'first', body);
    return setsOf(rig, 'main').length;
  };

const trait =
  (ask: (rig: Rig) => TraitAsk = () => ({}), before?: (rig: Rig) => Promise<unknown>): Probe =>
  async (rig) => {
    await before?.(rig);
    const { status, body } = await askTrait(rig, ask(rig));
    return status === 200 ? (body['sim_tenure'] ?? body) : status;
  };
const swapped =
  (seconds: number) =>
  async (rig: Rig): Promise<void> => {
    await happen(rig, 'swap-sim');
    await rig.move(seconds);
  };
const replayedProof: Probe = async (rig) => {
  const proof = { claims: { jti: 'same' } };
  await askTrait(rig, { proof });
  return (await askTrait(rig, { proof })).status;
};

/** A member of what userinfo says to the client with levels. */
const told =
  (scope: string, member: string, subscriber = 'first', before?: (rig: Rig) => Promise<unknown>): Probe =>
  async (rig) => {
    await before?.(rig);
    return (await userinfoOf(rig, { client: 'privileged', subscriber, scope: `openid ${scope}` }))[member];
  };
const part =
  (
    scope: string,
    member: string,
    name: string,
    ...rest: [subscriber?: string, before?: (rig: Rig) => Promise<unknown>]
  ): Probe =>
  async (rig) => {
    const found = await told(scope, member, ...rest)(rig);
    return isJsonObject(found) ? found[name] : found;
  };
const level = (scope: string, subscriber = 'first', before?: (rig: Rig) => Promise<unknown>): Probe =>
  part(scope, scope.replace(/^(is_\w+)_(\d\d)$/, '$1$2'), 'verified', subscriber, before);
const paper =
  (name: string): Probe =>
  async (rig) => {
    const { identity_documents: documents } = inner(
      await userinfoOf(rig, { client: 'privileged', scope: 'openid name birthdate' }),
      'verification',
    );
    const first: unknown = Array.isArray(documents) ? documents[0] : documents;
    return isJsonObject(first) ? first[name] : first;
  };
const edited = (rig: Rig) => happen(rig, 'edit', 'first', { attribute: 'name' });
const opened =
  (token: (rig: Rig) => Promise<string>): Probe =>
  async (rig) =>
    (await askUserinfo(rig, await token(rig))).status;
const accessToken = async (rig: Rig, scope = 'openid'): Promise<string> =>
  text(await tokensFor(rig, { scope }), 'access_token');

const published =
  (name: string, query = `client_id=${parties.main.id}&mccmnc=001010`): Probe =>
  async (rig) =>
    (await rig.send('GET', `${rig.carrier.origin}/.well-known/openid_configuration?${query}`)).body[name];
const jwks: Probe = async (rig) => {
  await rig.admin('POST', '/keys/rotate', {});
  const { keys = null } = (await rig.send('GET', `${rig.carrier.origin}/jwks`)).body;
  return isJsonList(keys) ? keys.map((key) => (isJsonObject(key) ? [key['kid'], key['d']] : key)) : keys;
};

const exchanged =
  (parameters: (rig: Rig) => Record<string, string>): Probe =>
  async (rig) => {
    const code = await codeFor(rig);
    const call = { grant_type: 'authorization_code', redirect_uri: 'https://sp.test/cb', code, ...parameters(rig) };
    return (await postForm(rig, '/token', call)).status;
  };
const cancelled =
  (client: 'main' | 'second', look: (rig: Rig, id: string, status: number) => unknown): Probe =>
  async (rig) => {
    const id = text((await authorizeAs(rig, {})).body, 'auth_req_id');
    const { status } = await postForm(rig, '/cancel', { auth_req_id: id, ...assertionOf(rig, client) });
    return look(rig, id, status);
  };
const hintToken = async (rig: Rig, more: JsonObject = {}): Promise<string> => {
  const body = { subscriber: 'second', client_id: parties.main.id, ...more };
  return text((await rig.admin('POST', '/login-hint-tokens', body)).body, 'login_hint_token');
};
const hinted =
  (more: JsonObject, loginHint: boolean, wait = 0): Probe =>
  async (rig) => {
    const token = await hintToken(rig, more);
    await rig.move(wait);
    const claims = { login_hint_token: token, ...(loginHint ? {} : { login_hint: undefined }) };
    const { body, status } = await authorizeAs(rig, { more: claims });
    if (status !== 200) return body['error'];
    return (await rig.admin('GET', `/requests/${text(body, 'auth_req_id')}`)).body['subscriber'];
  };
const errors =
  (...hints: readonly ((rig: Rig) => string)[]): Probe =>
  async (rig) => {
    const found: unknown[] = [];
    for (const hint of hints) found.push((await authorizeAs(rig, { more: { login_hint: hint(rig) } })).body['error']);
    return found;
  };
const unusable = (rig: Rig, kid: string): string =>
  signText(
    JSON.stringify({ typ: 'at+jwt', alg: 'RS256', kid }),
    JSON.stringify({ sub: rig.sub('first'), client_id: parties.main.id, scope: 'openid', exp: rig.now() + 60 }),
    'main',
  );

const bad = 'invalid_login_hint_token';
const rows: readonly Row[] = [
  ['token-without-assertion', exchanged(() => ({ client_id: parties.main.id })), 401, 200],
  ['assertion-signature-not-verified', exchanged((rig) => assertionOf(rig, 'main', {}, 'second')), 401, 200],
  ['assertion-not-supported', exchanged((rig) => assertionOf(rig)), 200, 401],
  ['code-of-any-client', exchanged((rig) => assertionOf(rig, 'second')), 400, 200],
  [
    'request-object-as-assertion',
    exchanged((rig) => ({ ...assertionOf(rig), client_assertion: rig.sign(rig.claims()) })),
    401,
    200,
  ],
  [
    'cancel-without-effect',
    cancelled('main', async (rig, id) => (await rig.admin('POST', `/requests/${id}/approve`)).status),
    409,
    200,
  ],
  ['cancel-by-anyone', cancelled('second', (_rig, _id, status) => status), 404, 200],
  ['cancel-tells-of-others', cancelled('second', (_rig, _id, status) => status), 404, 403],
  ['hint-token-of-any-client', hinted({ client_id: parties.second.id }, false), bad, 'second'],
  ['hint-token-expired-accepted', hinted({ ttl: 5 }, false, 5), 'expired_login_hint_token', 'second'],
  ['hint-token-signed-only', async (rig) => (await hintToken(rig)).split('.').length, 5, 3],
  ['hint-token-shows-sub', async (rig) => headerOf(await hintToken(rig))['sub'], undefined, 'second'],
  ['hint-token-refused', hinted({}, false), 'second', bad],
  ['hint-wins-over-token', hinted({}, true), 'second', 'first'],
  [
    'pending-unbounded',
    async (rig) => {
      await rig.admin('PUT', '/policy', { maxPending: 1 });
      await authorizeAs(rig, {});
      return (await authorizeAs(rig, {})).status;
    },
    400,
    200,
  ],
  [
    'users-distinguishable',
    errors(
      () => '001010-0',
      (rig) => rig.sub('unenrolled'),
    ),
    ['access_denied', 'access_denied'],
    ['user_not_found', 'user_unsupported'],
  ],
  [
    'error-description-with-trace',
    async (rig) =>
      /["\n]/.test(text((await authorizeAs(rig, { more: { acr_values: 'a9' } })).body, 'error_description')),
    false,
    true,
  ],

  ['discovery-for-anyone', published('error', 'mccmnc=001010'), 'provider_not_found', undefined],
  [
    'discovery-mccmnc-ignored',
    published('error', `client_id=${parties.main.id}&mccmnc=000000`),
    'provider_not_found',
    undefined,
  ],
  ['discovery-without-issuer', async (rig) => typeof (await published('issuer')(rig)), 'string', 'undefined'],
  [
    'discovery-without-authorization-endpoint',
    async (rig) => typeof (await published('authorization_endpoint')(rig)),
    'string',
    'undefined',
  ],
  [
    'discovery-without-code',
    published('response_types_supported'),
    ['code', 'token', 'async_token'],
    ['token', 'async_token'],
  ],
  [
    'discovery-without-async-token',
    published('response_types_supported'),
    ['code', 'token', 'async_token'],
    ['code', 'token'],
  ],
  ['discovery-subject-public', published('subject_types_supported'), ['pairwise'], ['public']],
  ['discovery-algorithms-as-text', published('id_token_signing_alg_values_supported'), ['RS256'], 'RS256'],
  [
    'discovery-without-token-endpoint',
    async (rig) => typeof (await published('token_endpoint')(rig)),
    'string',
    'undefined',
  ],
  ['discovery-jwks-uri-relative', async (rig) => (await published('jwks_uri')(rig)) === '/jwks', false, true],
  [
    'discovery-without-usertrait',
    async (rig) => typeof (await published('usertrait_endpoint')(rig)),
    'string',
    'undefined',
  ],
  [
    'discovery-cancel-is-authorization',
    async (rig) =>
      String(await published('server_initiated_cancel_endpoint')(rig))
        .split('/')
        .at(-1),
    'cancel',
    'bc-authorize',
  ],
  [
    'discovery-jwks-uri-moved',
    async (rig) => (await rig.send('GET', String(await published('jwks_uri')(rig)))).status,
    200,
    404,
  ],
  [
    'discovery-as-text',
    async (rig) =>
      (
        await rig.send(
          'GET',
          `${rig.carrier.origin}/.well-known/openid_configuration?client_id=${parties.main.id}&mccmnc=001010`,
        )
      ).headers['content-type'],
    'application/json; charset=utf-8',
    'text/plain; charset=utf-8',
  ],
  [
    'issuer-stays-http',
    async (rig) => [
      String(await published('issuer')(rig)).slice(0, 6),
      String(await published('jwks_uri')(rig)).slice(0, 6),
    ],
    ['http:/', 'http:/'],
    ['http:/', 'https:'],
  ],
  [
    'jwks-with-a-new-key-each-time',
    async (rig) => {
      const first = await rig.send('GET', `${rig.carrier.origin}/jwks`);
      const second = await rig.send('GET', `${rig.carrier.origin}/jwks`);
      return first.text === second.text;
    },
    true,
    false,
  ],
  [
    'jwks-with-private-members',
    jwks,
    [
      ['carrierkey02', undefined],
      ['carrierkey01', undefined],
    ],
    [
      ['carrierkey02', 'AQAB'],
      ['carrierkey01', 'AQAB'],
    ],
  ],
  [
    'jwks-kid-twice',
    jwks,
    [
      ['carrierkey02', undefined],
      ['carrierkey01', undefined],
    ],
    [
      ['carrierkey01', undefined],
      ['carrierkey01', undefined],
    ],
  ],
  [
    'jwks-old-key-dropped',
    jwks,
    [
      ['carrierkey02', undefined],
      ['carrierkey01', undefined],
    ],
    [['carrierkey02', undefined]],
  ],

  ['ial-missing', level('name'), 2, undefined],
  [
    'ial-for-everyone',
    async (rig) => inner(await userinfoOf(rig, { scope: 'openid name' }), 'name')['verified'],
    undefined,
    2,
  ],
  ['ial-as-text', level('name'), 2, '2'],
  ['ial-zero-for-self-asserted', level('picture'), 1, 0],
  [
    'userinfo-sub-unsalted',
    async (rig) => (await told('', 'sub')(rig)) === rig.sub('first', 'privileged'),
    true,
    false,
  ],
  [
    'userinfo-sub-without-carrier-code',
    async (rig) => String(await told('', 'sub')(rig)).startsWith('001010-'),
    true,
    false,
  ],
  ['name-without-parts', part('name', 'name', 'given_name'), 'Test', undefined],
  ['birthdate-as-number', part('birthdate', 'birthdate', 'value'), '1990-04-01', 19_900_401],
  ['email-as-list', part('email', 'email', 'value'), 'first@subscriber.example', ['first@subscriber.example']],
  [
    'picture-as-object',
    part('picture', 'picture', 'value'),
    'https://pictures.subscriber.example/first.png',
    { uri: 'https://pictures.subscriber.example/first.png' },
  ],
  ['address-without-country', part('address', 'address', 'country'), 'US', undefined],
  ['postal-code-as-number', part('postal_code', 'postal_code', 'value'), '62701', 62_701],
  ['phone-without-plus', part('phone', 'phone', 'value'), '+12175550101', '12175550101'],
  ['age-flags-as-text', part('is_over_13', 'is_over13', 'value'), true, 'true'],
  ['last-4-as-number', part('last_4_social', 'last_4_social', 'value'), '0001', 1],
  ['regulation-as-list', part('name', 'verification', 'regulation'), 'NIST SP 800-63A', ['NIST SP 800-63A']],
  [
    'documents-as-object',
    async (rig) => Array.isArray(await part('name', 'verification', 'identity_documents')(rig)),
    true,
    false,
  ],
  ['document-without-type', paper('type'), 'drivers_license', undefined],
  ['document-of-the-future', paper('last_verified'), '2025-06-01T12:00:00Z', '2999-01-01T00:00:00Z'],
  ['document-without-method', paper('method'), 'digitalscan', undefined],
  ['verified-claims-as-list', paper('verified_claims'), 'name,birthdate', ['name', 'birthdate']],
  ['verified-claims-not-granted', paper('verified_claims'), 'name,birthdate', 'name,birthdate,address,gender'],
  ['name-level-after-edit', level('name', 'first', edited), 1, 2],
  ['name-level-always-2', level('name', 'second'), 1, 2],
  ['email-level-always-2', level('email', 'second'), 1, 2],
  ['email-never-verified', level('email', 'second', (rig) => happen(rig, 'verify-email', 'second')), 2, 1],
  ['phone-level-2', level('phone'), 3, 2],
  ['address-level-always-2', level('address', 'second'), 1, 2],
  ['postal-code-level-1', level('postal_code'), 2, 1],
  ['picture-level-2', level('picture'), 1, 2],
  ['last-4-level-always-2', level('last_4_social', 'second'), 1, 2],
  ['birthdate-level-always-2', level('birthdate', 'second'), 1, 2],
  ['age-a-month-late', part('is_adult_18', 'is_adult18', 'value', 'third'), true, false],
  ['age-by-the-year', part('is_adult_21', 'is_adult21', 'value', 'fourth'), false, true],
  ['age-flags-level-3', level('is_adult_18'), 2, 3],
  ['sim-tenure-level-2', level('sim_tenure_24'), 3, 2],
  ['sim-tenure-level-without-lag', level('sim_tenure_24'), 3, 1],
  [
    'sim-tenure-level-3-with-lag',
    async (rig) => {
      await happen(rig, 'swap-sim');
      return [await trait()(rig), await level('sim_tenure_24')(rig)];
    },
    ['true', 3],
    ['false', 3],
  ],
  [
    'userinfo-without-challenge',
    async (rig) => 'www-authenticate' in (await rig.send('GET', `${rig.carrier.origin}/userinfo`)).headers,
    true,
    false,
  ],
  ['userinfo-all-attributes', async (rig) => 'email' in (await userinfoOf(rig, { scope: 'openid name' })), false, true],
  [
    'userinfo-token-in-query',
    async (rig) =>
      (await rig.send('GET', `${rig.carrier.origin}/userinfo?access_token=${await accessToken(rig)}`)).status,
    400,
    200,
  ],
  [
    'userinfo-expired-token',
    opened(async (rig) => {
      const token = await accessToken(rig);
      await rig.move(1800);
      return token;
    }),
    401,
    200,
  ],
  ['userinfo-signature-not-verified', opened((rig) => Promise.resolve(unusable(rig, 'carrierkey01'))), 401, 200],
  ['userinfo-openid-not-needed', opened((rig) => accessToken(rig, 'name')), 403, 200],
  ['userinfo-any-token', opened(async (rig) => text(await tokensFor(rig, {}), 'id_token')), 401, 200],

  ['usertrait-flag-ignored', trait(() => ({ client: 'privileged' })), 403, 'false'],
  [
    'usertrait-form-accepted',
    trait(() => ({ form: true, contentType: 'application/x-www-form-urlencoded' })),
    415,
    'false',
  ],
  ['proof-not-required', trait(() => ({ proof: null })), 401, 'false'],
  ['proof-unreadable-not-required', trait(() => ({ token: 'gateway' })), 401, 'false'],
  ['trait-client-by-the-proof', trait(() => ({ members: { client_id: parties.second.id } })), 401, 'false'],
  [
    'trait-carrier-code-not-read',
    trait((rig) => ({ members: { sub: rig.sub('first').replace('001010', '999999') } })),
    400,
    'false',
  ],
  [
    'tenure-in-refusals',
    async (rig) => 'sim_tenure' in (await askTrait(rig, { subscriber: 'unconsented' })).body,
    false,
    true,
  ],
  ['proof-signature-not-verified', trait(() => ({ proof: { key: 'second' } })), 401, 'false'],
  ['proof-of-any-client', trait(() => ({ proof: { key: 'second', kid: 'conftestkey02' } })), 401, 'false'],
  [
    'proof-never-too-old',
    trait((rig) => ({ proof: { claims: { iat: rig.now() - 900, exp: rig.now() - 780 } } })),
    401,
    'false',
  ],
  [
    'proof-life-10-minutes',
    trait((rig) => ({ proof: { claims: { iat: rig.now() - 300, exp: rig.now() + 300 } } })),
    401,
    'false',
  ],
  ['proof-replayable', replayedProof, 401, 200],
  ['proof-request-not-compared', trait(() => ({ proof: { body: '{}' } })), 401, 'false'],
  ['trait-sub-by-number', trait(() => ({ members: { sub: '+12175550101' } })), 400, 'false'],
  ['trait-foreign-sub-accepted', trait((rig) => ({ members: { sub: rig.sub('first', 'second') } })), 400, 'false'],
  ['trait-name-not-checked', trait(() => ({ members: { usertrait: 'device_tenure' } })), 400, 'false'],
  ['trait-name-in-any-case', trait(() => ({ members: { usertrait: 'SIM_TENURE' } })), 400, 'false'],
  ['trait-correlation-id-refused', trait(() => ({ members: { correlation_id: 'x' } })), 'false', 400],
  ['trait-without-sim-tenure', trait(), 'false', { value: 'false' }],
  ['tenure-as-boolean', trait(), 'false', false],
  ['tenure-inverted', trait(), 'false', 'true'],
  ['tenure-always-false', trait(undefined, swapped(0)), 'true', 'false'],
  ['tenure-always-true', trait(), 'false', 'true'],
  ['tenure-window-12-hours', trait(undefined, swapped(43_200)), 'true', 'false'],
  ['tenure-window-48-hours', trait(undefined, swapped(86_400)), 'false', 'true'],
  ['tenure-unknown-is-old', trait(() => ({ subscriber: 'undeterminable' })), 'error', 'false'],
  ['trait-consent-not-checked', trait(() => ({ subscriber: 'unconsented' })), 403, 'false'],
  ['trait-without-the-app', trait(() => ({ subscriber: 'unenrolled' })), 403, 'false'],
  ['usertrait-needs-events', trait(undefined, (rig) => switchOff(rig, 'events')), 'false', 400],

  ['event-not-on-move', raised('move-sim'), reported, []],
  ['event-not-on-reset', raised('factory-reset'), reported, []],
  ['event-not-on-swap', raised('swap-sim'), reported, []],
  ['event-on-number-change', raised('change-number'), [], reported],
  ['event-without-consent', raised('move-sim', 'unconsented'), [], reported],
  [
    'event-without-subscription',
    raised('move-sim', 'first', (rig) => switchOff(rig, 'event_subscription')),
    [],
    reported,
  ],
  ['event-without-endpoint', raised('move-sim', 'first', (rig) => switchOff(rig, 'event_endpoint')), [], reported],
  ['event-without-access', raised('move-sim', 'first', (rig) => switchOff(rig, 'events')), [], reported],
  ['event-without-scope', raised('move-sim', 'first', scopeOff), [], reported],
  ['event-to-notification-uri', delivered((event) => event?.target), '/events', '/si/notify'],
  ['event-in-another-member', delivered((event) => Object.keys(event?.body ?? {})), ['set'], ['event']],
  ['event-with-more-members', delivered((event) => Object.keys(event?.body ?? {})), ['set'], ['set', 'subscriber']],
  ['event-wrong-content-type', delivered((event) => event?.headers['content-type']), 'application/json', 'text/plain'],
  ['event-cacheable', delivered((event) => event?.headers['cache-control']), 'no-cache', undefined],
  ['event-never-retried', attempts([503], 60, 60), [1, 2, 3], [1, 1, 1]],
  ['event-retried-once', attempts([503], 60, 60), [1, 2, 3], [1, 2, 2]],
  ['event-retried-4-times', attempts([503], 60, 60, 60, 60), [1, 2, 3, 4, 4], [1, 2, 3, 4, 5]],
  ['event-retried-at-once', attempts([503], 1), [1, 1], [1, 2]],
  ['event-retried-late', attempts([503], 60), [1, 2], [1, 1]],
  ['event-200-not-believed', attempts([200], 60), [1, 1], [1, 2]],
  ['event-confirmed-by-any-answer', attempts([503], 60), [1, 2], [1, 1]],
  ['event-duplicates-sent', again(600), [1, 1], [1, 2]],
  ['event-duplicate-window-50-minutes', again(3300), [1, 1], [1, 2]],
  ['event-duplicate-window-2-hours', again(3900), [1, 2], [1, 1]],
  [
    'event-key-without-sub',
    raised('move-sim', 'first', (rig) => happen(rig, 'move-sim', 'second')),
    [...reported, ...reported],
    reported,
  ],
  ['event-key-without-sp', received, 3, 1],
  [
    'event-key-without-event',
    async (rig) => {
      await happen(rig, 'move-sim');
      return revoked()(rig);
    },
    2,
    1,
  ],
  ['set-typed-jwt', delivered((event) => headerOf(text(event?.body, 'set'))['typ']), 'set+jwt', 'JWT'],
  ['set-unknown-kid', delivered((event) => headerOf(text(event?.body, 'set'))['kid']), 'carrierkey01', 'unpublished'],
  [
    'set-signed-with-another-key',
    delivered(async (event, rig) => {
      const token = text(event?.body, 'set');
      const { keys = null } = (await rig.send('GET', `${rig.carrier.origin}/jwks`)).body;
      return isJsonList(keys) && keys.some((key) => isJsonObject(key) && verifiesWith(key, token));
    }),
    true,
    false,
  ],
  ['set-iss-of-the-platform', async (rig) => (await set('iss')(rig)) === rig.carrier.origin, true, false],
  ['set-without-iat', async (rig) => typeof (await set('iat')(rig)), 'number', 'undefined'],
  ['set-iat-in-milliseconds', async (rig) => (await set('iat')(rig)) === rig.now(), true, false],
  ['set-jti-of-the-subscriber', async (rig) => (await set('jti')(rig)) === rig.sub('first'), false, true],
  ['set-without-jti', async (rig) => typeof (await set('jti')(rig)), 'string', 'undefined'],
  ['set-kid-empty', delivered((event) => headerOf(text(event?.body, 'set'))['kid']), 'carrierkey01', ''],
  ['set-aud-missing', addressed, 1, 0],
  ['set-aud-as-list', addressed, 1, 0],
  ['set-aud-with-another', addressed, 1, 0],
  ['set-sub-of-another-subscriber', async (rig) => (await set('sub')(rig)) === rig.sub('first'), true, false],
  ['set-aud-is-the-endpoint', addressed, 1, 0],
  ['set-sub-is-the-number', async (rig) => (await set('sub')(rig)) === '+12175550101', false, true],
  ['set-sub-of-the-carrier', async (rig) => (await set('sub')(rig)) === rig.sub('first'), true, false],
  ['set-sub-without-carrier-code', async (rig) => String(await set('sub')(rig)).startsWith('001010-'), true, false],
  ['set-events-as-text', set('events'), ['device_change', 'security_event'], 'device_change'],
  ['set-events-empty', set('events'), ['device_change', 'security_event'], []],
  ['set-with-exp', async (rig) => typeof (await set('exp')(rig)), 'undefined', 'number'],
  [
    'set-anew-at-each-retry',
    async (rig) => {
      await attempts([503], 60)(rig);
      return new Set(setsOf(rig).map(({ jti }) => jti)).size;
    },
    1,
    2,
  ],
  ['consent-revoked-missing', revoked(), 1, 0],
  ['consent-revoked-on-any-scope', revoked(['name']), 0, 1],
  [
    'receiver-redirects-followed',
    async (rig) => {
      rig.eventReplies.push({ status: 307, headers: { location: `${rig.receiver}/si/notify` } });
      await happen(rig, 'move-sim');
      return rig.callbacks.length;
    },
    0,
    3,
  ],
];

test.each(rows.map(([fault, probe, conforming, faulty]) => ({ fault, probe, conforming, faulty })))(
  '$fault',
  async ({ fault, probe, conforming, faulty }) => {
    for (const [names, expected] of [
      [[], conforming],
      [[fault], faulty],
    ] as const) {
      const rig = await openRig({ faults: names });
      try {
        expect(await probe(rig)).toEqual(expected);
      } finally {
        await rig.close();
      }
    }
  },
);

test.each([
  ['is not trusted', {}, 0],
  ['is by a carrier that checks none', { receiverCertificateChecked: false }, 1],
])('a receiver with a self-signed certificate %s', async (_, variants, expected) => {
  let hits = 0;
  const receiver = createServer(selfSigned, (incoming, outgoing) => {
    hits++;
    incoming.resume();
    outgoing.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const registrations = readRegistrations(`https://127.0.0.1:${port}`);
  const carrier = await createCarrier({ registrations, clock: 'virtual', startAt, variants });
  const rig = await openRig();
  for (const name of ['second', 'privileged'] as const) {
    const url = `${carrier.adminOrigin}/clients/${parties[name].id}/flags`;
    await rig.send('PUT', url, '{"events":false}', { 'content-type': 'application/json' });
  }
  await rig.send('POST', `${carrier.adminOrigin}/subscribers/first/move-sim`);
  for (;;) {
    const { body } = await rig.send('GET', `${carrier.adminOrigin}/clock`);
    if (body['inFlight'] === 0) break;
  }
  expect(hits).toBe(expected);
  await Promise.all([carrier.close(), rig.close(), new Promise((resolve) => receiver.close(resolve))]);
});

test('every fault of these families is shown here', () => {
  const shown = rows.map(([fault]) => fault);
  const here = [...tokenFaults, ...discoveryFaults, ...userinfoFaults, ...traitFaults, ...eventFaults];
  expect(shown.toSorted()).toEqual(here.map(({ name }) => name).toSorted());
});
