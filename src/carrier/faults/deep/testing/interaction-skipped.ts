import { importPublicJwk } from '../../../jose/jws.ts';
import type { JsonObject } from '../../../json.ts';
import { askUserinfo, parties } from '../../../testing/calls.ts';
import { type KeyName, privateJwk, type Setup, text } from '../../../testing/setup.ts';
import { ask, type Claims, ended, hintToken, refusal, type Row, status, statusWith } from './probes.ts';

/** The public half of a key of the fixtures. */
export function publicJwk(name: KeyName): JsonObject {
  const { kty, n, e, crv, x, y } = privateJwk(name);
  return importPublicJwk(kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y })?.jwk ?? {};
}

/** The statuses of the same jti, sent twice, with these other claims the second time. */
async function twice(setup: Setup, more: Claims, then: Claims): Promise<number[]> {
  const first = await ask(setup, more);
  return [first.status, (await ask(setup, { ...more, ...then })).status];
}

/** By name of the fault: what is seen, without the fault and with it. */
export const skippedRows: Readonly<Record<string, Row>> = {
  'exp-unbounded-with-nbf': [statusWith((setup) => ({ exp: setup.now() + 3600, nbf: setup.now() })), 400, 200],
  'iat-unchecked-on-the-old-consent-page': [
    statusWith((setup) => ({ iat: setup.now() - 900, prompt: 'consent', acr_values: 'a1' })),
    400,
    200,
  ],
  'aud-unchecked-with-a-hint-token-alone': [
    async (setup) => {
      const token = await hintToken(setup);
      return (await ask(setup, { aud: 'https://other.test', login_hint: undefined, login_hint_token: token })).status;
    },
    400,
    200,
  ],
  'redirect-uri-unchecked-with-a-light-page': [
    status({ redirect_uri: 'https://sp.test/other', options: 'light' }),
    400,
    200,
  ],
  'signature-unchecked-without-a-page': [
    status({ prompt: 'none' }, { client: 'privileged', key: 'second', header: { kid: parties.privileged.kid } }),
    400,
    200,
  ],
  'iss-unchecked-with-a-binding-of-the-sdk': [
    status({ iss: parties.second.id, sdk_version: '1.0', referred_binding: publicJwk('second') }),
    400,
    200,
  ],
  'scope-of-others-with-consent-and-login': [
    async (setup) => {
      const { answer, body } = await ended(setup, { scope: 'openid last_4_social', prompt: 'consent login' });
      if (answer.status !== 200) return answer.status;
      return (await askUserinfo(setup, text(body, 'access_token'))).body['last_4_social'];
    },
    400,
    { value: '0001' },
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
  'acr-unchecked-without-a-page': [status({ prompt: 'none', acr_values: 'a9' }, { client: 'privileged' }), 400, 200],
  'expires-in-unchecked-with-a-hint-token-at-a1': [
    async (setup) => {
      const token = await hintToken(setup);
      return (await ask(setup, { expires_in: undefined, login_hint_token: token, acr_values: 'a1' })).status;
    },
    400,
    200,
  ],
  'context-and-correlation-id-in-one-column': [
    status({ context: 'A'.repeat(240), correlation_id: 'c'.repeat(128) }),
    200,
    400,
  ],
  'max-age-beside-a1-refused': [status({ max_age: 0, acr_values: 'a1' }), 200, 400],
  'login-with-a-short-life-refused': [status({ prompt: 'login', expires_in: 60 }), 200, 400],
  'custom-scheme-at-a1-refused': [status({ redirect_uri: 'sptest://cb', acr_values: 'a1' }), 200, 400],
  'nonce-without-openid-refused': [status({ scope: 'name openid', prompt: 'consent' }), 200, 400],
  'notification-uri-by-origin-with-a-long-token': [
    statusWith((setup) => ({
      notification_uri: `${setup.receiver}/elsewhere`,
      client_notification_token: 'n'.repeat(64),
    })),
    400,
    200,
  ],
  'prompt-none-let-through-with-local-redirect': [
    (setup) => refusal(setup, { prompt: 'none', options: 'local_redirect' }),
    '400 interaction_required',
    '200',
  ],
  'jti-repeatable-at-the-other-level': [
    (setup) => twice(setup, { jti: 'level-1' }, { acr_values: 'a1' }),
    [200, 400],
    [200, 200],
  ],
  'jti-equal-to-nonce-not-kept': [(setup) => twice(setup, { jti: 'both', nonce: 'both' }, {}), [200, 400], [200, 200]],
  'any-key-of-the-sp-with-a-binding': [
    status({ referred_binding: publicJwk('main') }, { client: 'two-keys', key: 'rsa', header: { kid: 'b' } }),
    400,
    200,
  ],
  'verified-with-the-binding-without-kid': [
    status({ referred_binding: publicJwk('second') }, { key: 'second', header: { kid: undefined } }),
    400,
    200,
  ],
};
