import type { Route } from '../../carrier/carrier.ts';
import type { RequestFailure } from '../../carrier/builders/tokens.ts';
import { asText, type JsonObject } from '../../carrier/json.ts';
import { combineEdits, defineFaults, type Edit, failureRules } from '../edit/fault-table.ts';
import { otherKey, removeSignature, breakSignature } from '../edit/keys.ts';
import {
  changeAccessToken,
  changeCallback,
  changeCallbackHeaders,
  changeFailure,
  changeIdToken,
  changeIdTokenKey,
  changeResponseBody,
  changeTimeOut,
  changeTokens,
  keepClaimAs,
  type MemberChanges,
  writeIdToken,
} from '../edit/messages.ts';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import { withBuilders, withDiscovery, withPolicy, withRoutes } from '../../carrier/seams/definition-parts.ts';

const otherwiseSentAgain = {
  except: {
    'callback-copies': 'each callback comes twice anyway',
    'callback-confirmation/two-hundred': 'it is sent again after another 2xx anyway',
  },
};

const withIdTokenText = (change: (jws: string) => string): Edit =>
  withBuilders(({ success }) => ({
    success: (approval, { idToken, ...tokens }) =>
      success(approval, idToken === undefined ? tokens : { ...tokens, idToken: change(idToken) }),
  }));

const changeKeySet = (change: (key: JsonObject, at: number) => JsonObject): Edit =>
  withDiscovery(({ jwks }) => ({ jwks: (keys) => jwks(keys).map(change) }));

/** Public members of a key that signs nothing. */
const spareKey = (): JsonObject => ({
  ...makeKeyPairSync({ modulusLength: 2048 }).publicKey.export({ format: 'jwk' }),
  alg: 'RS256',
});

/** Leaves a new key out of the key set for two minutes. */
function publishLate(route: Route): Route {
  const firstAsked = new WeakMap<object, number>();
  return {
    ...route,
    respond: (carrier, call, reply) => {
      const { signingKey, retiredKeys, clock } = carrier;
      const [previous, ...older] = retiredKeys;
      if (previous === undefined) return route.respond(carrier, call, reply);
      const since = firstAsked.get(signingKey) ?? clock.now();
      firstAsked.set(signingKey, since);
      if (clock.now() - since > 120_000) return route.respond(carrier, call, reply);
      return route.respond({ ...carrier, signingKey: previous, retiredKeys: older }, call, reply);
    },
  };
}

/** Another sub of the same form, with the carrier code and dash first. */
const scrambleSub = (sub: string): string => `${sub.slice(0, 7)}${sub.slice(-8)}${sub.slice(7, -8)}`;

/** Faults of the callback and its tokens: §2.3, §2.6, §4.2, §7. */
export const callbackFaults = defineFaults({
  'second-callback-after-approve': [
    'Two nodes deliver the same approval.',
    'SEC-27',
    withBuilders(() => ({ callbackCopies: (body) => ((body['error'] ?? null) === null ? 2 : 1) })),
    { ...otherwiseSentAgain, keeps: 'another fault shows the same, and carriers have either' },
  ],
  'callback-to-first-uri': [
    'The callback goes to the first registered URI.',
    'CB-001 CB-024',
    withBuilders(({ callbackUri }) => ({
      callbackUri: (request, body) => request.client.notificationUris[0] ?? callbackUri(request, body),
    })),
    { except: { 'notification-uris/one': 'there is one URI only' } },
  ],
  'callback-error-in-query': [
    'The error of a callback is in the URI, as before version 24.',
    'CB-001 CB-024',
    withBuilders(({ callbackUri }) => ({
      callbackUri: (request, body) => {
        const uri = callbackUri(request, body);
        return typeof body['error'] === 'string' ? `${uri}?error=${body['error']}` : uri;
      },
    })),
  ],
  'callback-wrong-content-type': [
    'The callback is sent as text/plain.',
    'CB-002',
    changeCallbackHeaders(() => ({ 'content-type': 'text/plain' })),
  ],
  'correlation-id-of-the-log-on-errors': [
    'An error callback has the correlation_id of the carrier’s own log (C8.16).',
    'CB-009',
    changeFailure(({ auth_req_id: id = '' }) => ({ correlation_id: `log-${asText(id).slice(-20)}` })),
  ],
  'callback-cacheable': [
    'The callback has no cache-control.',
    'CB-003',
    changeCallbackHeaders(() => ({ 'cache-control': undefined })),
  ],
  'callback-without-bearer': [
    'The callback has no Authorization.',
    'CB-004',
    changeCallbackHeaders(() => ({ authorization: undefined })),
  ],
  'callback-bearer-null': [
    'Without a notification token the callback says Bearer null.',
    'CB-005',
    changeCallbackHeaders((headers) => ({ authorization: 'Bearer null', ...headers })),
  ],
  'callback-without-auth-req-id': [
    'The callback leaves auth_req_id out.',
    'CB-006 CB-007 CB-022',
    changeCallback(() => ({ auth_req_id: undefined })),
  ],
  'callback-correlation-id-missing': [
    'The callback with tokens leaves correlation_id out.',
    'CB-008',
    changeTokens(() => ({ correlation_id: undefined })),
  ],
  'callback-ids-altered': [
    'The callback has another auth_req_id, and another state.',
    'REQ-034 REQ-039 CB-006 CB-007 CB-010 CB-011 CB-022 SEC-30',
    changeCallback(changeIds),
  ],
  'callback-state-missing': [
    'The callback with tokens leaves state out.',
    'CB-010 REQ-039 SEC-30',
    changeTokens(() => ({ state: undefined })),
  ],
  'callback-state-missing-on-error': [
    'The callback with an error leaves state out.',
    'REQ-039 CB-011 CB-022',
    changeFailure(() => ({ state: undefined })),
  ],
  'correlation-id-of-digits-as-number': [
    'A correlation_id of digits comes back as a number.',
    'RSP-002 REQ-082 CB-008 CB-009',
    combineEdits(
      changeResponseBody((body) => memberAsNumber(body, 'correlation_id')),
      changeCallback((body) => memberAsNumber(body, 'correlation_id')),
    ),
  ],
  'scope-as-requested': [
    'The callback names the requested scopes, not the approved ones.',
    'CB-012',
    withBuilders(({ success }) => ({
      success: (approval, tokens) => ({
        ...success(approval, tokens),
        scope: approval.request.wanted.scopes.join(' '),
      }),
    })),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'token-type-missing': [
    'The callback leaves token_type out.',
    'CB-014',
    changeTokens(() => ({ token_type: undefined })),
  ],
  'callback-without-expires-in': [
    'The callback leaves expires_in out.',
    'CB-015',
    changeTokens(() => ({ expires_in: undefined })),
  ],
  'expires-in-as-string-in-callback': [
    'The life of the token is digits in a string.',
    'CB-015',
    changeTokens(({ expires_in }) => ({ expires_in: JSON.stringify(expires_in) })),
  ],
  'tokens-and-error-both': [
    'A callback with an error also carries a token.',
    failureRules,
    changeFailure(() => ({ access_token: 'none', token_type: 'Bearer' })),
    {
      except: {
        'correlation-id-of-errors': 'what brings tokens must have the correlation_id that such an error leaves out',
      },
    },
  ],
  'access-token-empty': [
    'The callback has an empty access token.',
    'FLOW-002 CB-019 CB-020',
    changeTokens(() => ({ access_token: '' })),
  ],
  'access-token-as-number': [
    'The access token is a JSON number, the key of its row.',
    'CB-013 CB-025',
    changeTokens(() => ({ access_token: 20_260_101 })),
  ],
  'absent-members-empty': [
    'Tokens and error are written as empty strings where they are absent, in callbacks and in the 200 (C7.12).',
    'CB-019',
    combineEdits(
      changeResponseBody(() => ({ error: '' })),
      changeTokens(() => ({ error: '' })),
      changeFailure(() => ({ access_token: '', id_token: '', refresh_token: '' })),
    ),
  ],
  'time-out-code-varies': [
    'A time-out is called expired_token where only a sign-in was requested (C2.16).',
    'CB-020',
    changeTimeOut(({ request }) => (request.wanted.scopes.length === 1 ? { error: 'expired_token' } : {})),
    { except: { 'code-timed-out/expired-token': 'every time-out is called expired_token' } },
  ],
  'token-dies-early': [
    'The access token lives half as long as the callback says (C3.12).',
    'CB-028',
    changeAccessToken(({ iat, exp }) => ({ exp: (Number(iat) + Number(exp)) / 2 })),
  ],
  'token-dies-late': [
    'The access token lives ten minutes longer than the callback says (C3.12).',
    'CB-028 SEC-33',
    changeAccessToken(({ exp }) => ({ exp: Number(exp) + 600 })),
  ],
  'token-dies-2-minutes-late': [
    'The access token lives two minutes longer than the callback says (C3.12).',
    'CB-028 SEC-33',
    changeAccessToken(({ exp }) => ({ exp: Number(exp) + 120 })),
    { except: { 'callback-latency/two-minutes': 'its life counts from when the callback came, which is as late' } },
  ],
  'denial-untold-with-a-context': [
    'The job that keeps a denied transaction tells the SP of it, and breaks off where there is a context.',
    'FLOW-003',
    dropDenialCallback(({ wanted }) => wanted.context !== undefined),
    { stateful: true },
  ],
  'access-denied-as-user-denied': [
    'A denial is called user_denied.',
    'CB-020 CB-022 SEC-44',
    withPolicy({ deniedError: 'user_denied' }),
  ],
  'callback-description-with-trace': [
    'error_description of a callback shows where it was thrown.',
    'SEC-36',
    changeFailure((body) => ({
      error_description: `"${asText(body['error_description'])}"\\n at fail (/srv/carrier/outcomes.js:1:1)`,
    })),
    { except: { 'error-description': 'it gives every description another text' } },
  ],
  'denial-code-varies': [
    'A denial is called access_denied where only a sign-in was requested, and request_denied otherwise.',
    'CB-020',
    changeFailure((body, { request }) =>
      body['error'] === 'request_denied' && request.wanted.scopes.length === 1
        ? { ...body, error: 'access_denied' }
        : body,
    ),
    { except: { 'code-denied': 'every denial is called access_denied' } },
  ],
  'gone-as-invalid-grant': [
    'The loss of a consent, key or access while a request is pending is reported as invalid_grant.',
    'CB-023',
    withPolicy({ goneError: 'invalid_grant' }),
  ],
  'callback-204-not-believed': [
    'A callback is delivered again unless the receiver responds with 200.',
    'SEC-27',
    combineEdits(
      withPolicy({ callbackRetries: 3 }),
      withBuilders(() => ({ callbackConfirms: (status) => status !== 202 && status !== 204 })),
    ),
    { ...otherwiseSentAgain, keeps: 'another fault shows the same, and carriers have either' },
  ],
  'state-html-escaped': [
    'state is escaped for HTML before it is kept.',
    'REQ-039 REQ-053 CB-010 CB-011 SEC-30',
    keepClaimAs('state', (state) => state.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'notification-token-limit-2048': [
    'client_notification_token may have 2048 characters.',
    'SEC-29',
    withPolicy({ notificationTokenMax: 2048 }),
  ],
  'id-token-missing': [
    'There is never an id token.',
    'CB-017 TOK-001',
    withBuilders(() => ({ issuesIdToken: () => false })),
  ],
  'id-token-without-openid': [
    'There is always an id token.',
    'CB-018',
    withBuilders(() => ({ issuesIdToken: () => true })),
    { except: { 'scopes-without-openid': 'a request without openid is refused' } },
  ],
  'id-token-signed-with-another-key': [
    'The id token is signed with a key that is not published.',
    'SEC-31',
    changeIdTokenKey(() => ({ privateKey: otherKey() })),
    { keeps: 'src/cli/run/critical.test.ts runs with it' },
  ],
  'id-token-unsigned': [
    'The id token has alg none and no signature (C8.1).',
    'SEC-31',
    withIdTokenText(removeSignature),
    { keeps: 'src/cli/run/critical.test.ts runs with it' },
  ],
  'id-token-signature-broken': [
    'The signature of the id token is damaged on its way (C8.1).',
    'SEC-31',
    withIdTokenText(breakSignature),
    { keeps: 'src/cli/run/critical.test.ts runs with it' },
  ],
  'id-token-with-an-unknown-crit': [
    'Each id token names an extension in crit that no service provider knows (C10.1).',
    'SEC-31',
    writeIdToken((header, claims) => [
      JSON.stringify({ ...header, crit: ['urn:carrier:tier'], 'urn:carrier:tier': 1 }),
      JSON.stringify(claims),
    ]),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'id-token-without-kid-among-three-keys': [
    'Three keys are published, and the id token does not say which (C10.1).',
    'SEC-31',
    combineEdits(
      writeIdToken((header, claims) => [JSON.stringify({ ...header, kid: undefined }), JSON.stringify(claims)]),
      withDiscovery(({ jwks }) => ({
        jwks: (keys) => {
          const [own = {}, ...others] = jwks(keys);
          return [own, { ...own, ...spareKey(), kid: 'spare1' }, { ...own, ...spareKey(), kid: 'spare2' }, ...others];
        },
      })),
    ),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'id-token-signature-padded': [
    'The signature of the id token has the padding of base64 (C10.1).',
    'SEC-31',
    withIdTokenText((jws) => `${jws}==`),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'id-token-aud-twice': [
    'The claims of the id token have aud twice (C10.1).',
    'TRN-019',
    writeIdToken((header, claims) => [
      JSON.stringify(header),
      JSON.stringify(claims).replace(/^\{/, `{"aud":${JSON.stringify(claims['aud'])},`),
    ]),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'key-published-for-encryption': [
    'The key that signs is published with use enc (C10.1).',
    'EVT-025 SEC-31',
    changeKeySet((key) => ({ ...key, use: 'enc' })),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'key-published-with-another-alg': [
    'The key that signs is published with another alg than that of the tokens (C10.1).',
    'EVT-025 SEC-31',
    changeKeySet((key) => ({ ...key, alg: key['kty'] === 'EC' ? 'ES512' : 'RS384' })),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'kid-as-number': [
    'The kid of the key set, and that of the id tokens, is a number (C10.1).',
    'EVT-024 EVT-025 SEC-31',
    combineEdits(
      changeKeySet((key, at) => ({ ...key, kid: at + 1 })),
      writeIdToken((header, claims) => [JSON.stringify({ ...header, kid: 1 }), JSON.stringify(claims)]),
    ),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'new-key-published-late': [
    'A new key is published two minutes after the first token that it signs (C10.1).',
    'SEC-31',
    withRoutes(({ keySet }) => ({ keySet: keySet && publishLate(keySet) })),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'id-token-expired': [
    'The id token had expired an hour before its request (C8.1).',
    'SEC-31',
    changeIdToken(({ iat }) => ({ exp: Number(iat) - 3600 })),
  ],
  'id-token-exp-in-milliseconds': [
    'exp of the id token is in milliseconds.',
    'SEC-31',
    changeIdToken(({ exp }) => ({ exp: Number(exp) * 1000 })),
  ],
  'id-token-of-another-user': [
    'sub of the id token is that of another user (C8.1).',
    'LHT-003 REQ-005 REQ-067 REQ-069 SEC-31',
    changeIdToken(({ sub }) => ({ sub: scrambleSub(asText(sub)) })),
    { keeps: 'src/cli/run/critical.test.ts runs with it' },
  ],
  'id-token-for-another-client': [
    'aud of the id token is another client (C8.1).',
    'SEC-31',
    changeIdToken(() => ({ aud: 'ccid-ofanothersp' })),
    { keeps: 'src/cli/run/critical.test.ts runs with it' },
  ],
  'id-token-azp-of-another-client': [
    'azp of the id token is another client (C7.11).',
    'SEC-31',
    changeIdToken(() => ({ azp: 'ccid-ofanothersp' })),
    { keeps: 'src/cli/run/critical.test.ts runs with it' },
  ],
  'id-token-of-another-issuer': [
    'iss of the id token is the platform (C8.1).',
    'DSC-012 SEC-31 SEC-40',
    changeIdToken(() => ({ iss: 'https://platform.test' })),
  ],
  'access-token-unusable': [
    'The access token has expired when it comes.',
    'CB-025',
    changeAccessToken(({ iat }) => ({ exp: Number(iat) })),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'binding-to-another-key': [
    'The access token is bound to a key that the SP never had.',
    'REQ-084 REQ-085',
    changeAccessToken(() => ({ cnf: { jkt: 'NzbLsXh8uDCcd-6MNwXFHPnYfWcR3CWc8Fy8nYQ1cL0' } })),
  ],
  'id-token-sub-without-carrier-code': [
    'sub of the id token lacks the carrier code (C8.13).',
    'UI-004 REQ-005 SEC-31 REQ-067 REQ-069 LHT-003',
    changeIdToken(({ sub }) => ({ sub: typeof sub === 'string' ? sub.replace(/^\d+-/, '') : sub })),
  ],
  'id-token-sub-of-262-characters': [
    'sub of the id token is longer than the 255 ASCII characters of OpenID Connect Core §2.',
    'SEC-32 REQ-005 SEC-31 REQ-067 REQ-069 LHT-003',
    changeIdToken(({ sub }) => ({ sub: asText(sub).padEnd(262, '0') })),
  ],
  'nonce-missing': ['The id token leaves nonce out.', 'REQ-040 SEC-31', changeIdToken(() => ({ nonce: undefined }))],
  'context-missing-in-id-token': [
    'The id token leaves context out.',
    'REQ-078 REQ-079 REQ-097',
    changeIdToken(() => ({ context: undefined })),
  ],
  'context-cleaned-in-id-token': [
    'The id token has the context without characters that nothing shows.',
    'REQ-097',
    changeIdToken(({ context }) => ({
      context: typeof context === 'string' ? context.replaceAll(/[\u00ad\u200b\u2060]/gu, '') : context,
    })),
  ],
  'at-hash-missing': [
    'The id token does not name its access token.',
    'SEC-28',
    changeIdToken(() => ({ at_hash: undefined })),
  ],
});

function changeIds({ auth_req_id: id, state }: JsonObject): MemberChanges {
  return { auth_req_id: `${asText(id)}x`, state: state === undefined ? undefined : `${asText(state)}x` };
}

/** Converts the member to a number if its digits survive the round trip. */
function memberAsNumber(body: JsonObject, name: string): MemberChanges {
  const value = body[name];
  return typeof value === 'string' && String(Number(value)) === value ? { [name]: Number(value) } : {};
}

/** Sends no callback for the denied requests that `isUntold` selects. */
function dropDenialCallback(isUntold: (request: RequestFailure['request']) => boolean): Edit {
  return (definition) => {
    const { deniedError } = definition.policy;
    const untold = new WeakSet<JsonObject>();
    return withBuilders(({ failure, callbackCopies }) => ({
      failure: (given) => {
        const body = failure(given);
        if (given.error === deniedError && isUntold(given.request)) untold.add(body);
        return body;
      },
      callbackCopies: (body) => (untold.has(body) ? 0 : callbackCopies(body)),
    }))(definition);
  };
}
