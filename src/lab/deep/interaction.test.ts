import { importPublicJwk } from '../../carrier/jose/jws.ts';
import type { JsonObject } from '../../carrier/json.ts';
import { askTrait, askUserinfo, changeSubscriber, parties } from '../../carrier/testing/calls.ts';
import { objectMember, type KeyName, privateJwk, type TestSetup, textMember } from '../../carrier/testing/setup.ts';
import { interactionFaults } from './interaction.ts';
import {
  postProbe,
  findCallback,
  type ClaimChanges,
  decideRequest,
  hintToken,
  type ProbeOptions,
  proveFaults,
  refusal,
  type ProbeRow,
  status,
  statusWith,
} from '../testing/probes.ts';

/** Public half of a key of the fixtures. */
function publicJwk(name: KeyName): JsonObject {
  const { kty, n, e, crv, x, y } = privateJwk(name);
  return importPublicJwk(kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y })?.jwk ?? {};
}

/** Statuses of a jti sent twice, the second time with other claims. */
async function twice(setup: TestSetup, more: ClaimChanges, then: ClaimChanges): Promise<number[]> {
  const first = await postProbe(setup, more);
  return [first.status, (await postProbe(setup, { ...more, ...then })).status];
}

const skippedRows: Readonly<Record<string, ProbeRow>> = {
  'exp-unbounded-with-nbf': [statusWith((setup) => ({ exp: setup.now() + 3600, nbf: setup.now() })), 400, 200],
  'signature-unchecked-without-a-page': [
    status({ prompt: 'none' }, { client: 'privileged', key: 'second', header: { kid: parties.privileged.kid } }),
    400,
    200,
  ],
  'context-unmeasured-with-local-redirect-at-a1': [
    status({ context: 'A'.repeat(300), options: 'local_redirect', acr_values: 'a1' }),
    400,
    200,
  ],
  'response-type-unchecked-with-a-code-challenge': [
    status({ response_type: 'code', code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' }),
    400,
    200,
  ],
  'context-and-correlation-id-in-one-column': [
    status({ context: 'A'.repeat(240), correlation_id: 'c'.repeat(128) }),
    200,
    400,
  ],
  'login-with-a-short-life-refused': [status({ prompt: 'login', expires_in: 60 }), 200, 400],
  'notification-uri-by-origin-with-a-long-token': [
    statusWith((setup) => ({
      notification_uri: `${setup.receiver}/elsewhere`,
      client_notification_token: 'n'.repeat(64),
    })),
    400,
    200,
  ],
  'jti-repeatable-at-the-other-level': [
    (setup) => twice(setup, { jti: 'level-1' }, { acr_values: 'a1' }),
    [200, 400],
    [200, 200],
  ],
  'jti-equal-to-nonce-not-kept': [(setup) => twice(setup, { jti: 'both', nonce: 'both' }, {}), [200, 400], [200, 200]],
  'verified-with-the-binding-without-kid': [
    status({ referred_binding: publicJwk('second') }, { key: 'second', header: { kid: undefined } }),
    400,
    200,
  ],
};

const idTokenHas =
  (name: string, more: ClaimChanges): ProbeRow[0] =>
  async (setup) =>
    (await decideRequest(setup, more)).idToken[name];

const cardHas =
  (name: string, more: ClaimChanges, how: ProbeOptions = {}): ProbeRow[0] =>
  async (setup) =>
    (await decideRequest(setup, more, how)).card[name];

const opened =
  (more: ClaimChanges): ProbeRow[0] =>
  async (setup) =>
    (await decideRequest(setup, { options: 'local_redirect', ...more })).cardAfter['openedUri'];

const kindOfBinding = async (setup: TestSetup): Promise<unknown> => {
  const { accessToken } = await decideRequest(setup, { referred_binding: publicJwk('ec') });
  return objectMember(objectMember(accessToken, 'cnf'), 'jwk')['kty'];
};

/** Error code of the callback five seconds after the granted life of a request. */
async function afterItsLife(setup: TestSetup, more: ClaimChanges): Promise<string> {
  const answer = await postProbe(setup, { expires_in: 300, ...more });
  await setup.move(305);
  return textMember(findCallback(setup, answer)?.body, 'error');
}

const effectRows: Readonly<Record<string, ProbeRow>> = {
  'login-lost-with-consent-at-a1': [
    cardHas('authentication', { prompt: 'consent login', acr_values: 'a1' }),
    'full',
    'none',
  ],
  'a1-raised-by-offline-access': [idTokenHas('acr', { scope: 'openid offline_access', acr_values: 'a1' }), 'a1', 'a3'],
  'local-redirect-to-sites-only': [opened({ redirect_uri: 'sptest://cb' }), 'sptest://cb?state=st-0001', null],
  'options-dropped-where-colours-contradict': [
    opened({ options: 'light dark local_redirect' }),
    'https://sp.test/cb?state=st-0001',
    null,
  ],
  'context-behind-four-scopes-not-shown': [
    cardHas('context', { scope: 'openid name email phone', prompt: 'consent' }),
    'Approve-order-4711',
    null,
  ],
  'state-lost-on-untracked-errors': [
    async (setup) => {
      const more = { correlation_id: undefined, client_notification_token: undefined };
      return (await decideRequest(setup, more, { act: 'deny' })).body['state'];
    },
    'st-0001',
    undefined,
  ],
  'late-time-out-of-a3-sign-ins': [
    (setup) => afterItsLife(setup, { prompt: 'login', acr_values: 'a3' }),
    'authentication_timed_out',
    '',
  ],
  'offline-access-cannot-be-unticked': [
    async (setup) => {
      const scope = 'openid name offline_access';
      return (await decideRequest(setup, { scope }, { ticked: ['openid', 'name'] })).body['scope'];
    },
    'openid name',
    'openid name offline_access',
  ],
  'binding-of-another-type-ignored': [kindOfBinding, 'EC', 'RSA'],
  'query-state-fills-in': [
    async (setup) => (await decideRequest(setup, { state: undefined }, { query: '?state=of-the-url' })).body['state'],
    undefined,
    'of-the-url',
  ],
};

/** Level of an attribute after a change of the profile. */
async function levelAfter(setup: TestSetup, change: string, attribute: string): Promise<unknown> {
  await changeSubscriber(setup, change, { body: { attribute } });
  const { body } = await decideRequest(setup, { scope: `openid ${attribute}` }, { client: 'privileged' });
  const profile = await askUserinfo(setup, textMember(body, 'access_token'));
  return objectMember(profile.body, attribute)['verified'];
}

const serviceRows: Readonly<Record<string, ProbeRow>> = {
  'expired-hint-token-beside-a-hint': [
    async (setup) => {
      const token = await hintToken(setup, { ttl: 30 });
      await setup.move(60);
      return (await postProbe(setup, { login_hint_token: token })).status;
    },
    400,
    200,
  ],
  'unenrolled-reached-by-number': [status({ login_hint: '+12175550106' }, { client: 'privileged' }), 400, 200],
  'silent-a3-as-a1': [
    async (setup) => {
      const { answer, idToken } = await decideRequest(
        setup,
        { scope: 'openid', prompt: 'none', acr_values: 'a3' },
        { client: 'privileged' },
      );
      return [answer.status, idToken['acr']];
    },
    [400, undefined],
    [200, 'a1'],
  ],
  'proof-body-uncompared-with-a-charset': [
    async (setup) =>
      (await askTrait(setup, { contentType: 'application/json; charset=utf-8', proof: { body: '{}' } })).status,
    401,
    200,
  ],
  'edited-birthdate-of-a-scanned-owner': [(setup) => levelAfter(setup, 'edit', 'birthdate'), 1, 2],
  'charset-with-members-beside-refused': [
    (setup) =>
      refusal(setup, {}, { beside: { x_app: 'kiosk' }, fields: { 'content-type': 'application/json; charset=utf-8' } }),
    '200',
    '400 invalid_request',
  ],
};

proveFaults(interactionFaults, { ...skippedRows, ...effectRows, ...serviceRows });
