import { asText, type JsonObject } from '../json.ts';
import { all, calling, defineFault, failing, leaveOut, succeeding, withMakers, withPolicy } from './edit/define.ts';
import { otherKey } from './edit/other-key.ts';
import { lowered } from './transport.ts';

function changedIdToken(change: (claims: JsonObject) => JsonObject) {
  return withMakers(({ idToken }) => ({ idToken: (approval, accessToken) => change(idToken(approval, accessToken)) }));
}

function changedAccessToken(change: (claims: JsonObject) => JsonObject) {
  return withMakers(({ accessToken }) => ({ accessToken: (approval) => change(accessToken(approval)) }));
}

function withOtherIds(body: JsonObject): JsonObject {
  const { auth_req_id: id, state } = body;
  return { ...body, auth_req_id: `${asText(id)}x`, ...(state === undefined ? {} : { state: `${asText(state)}x` }) };
}

/** On the callback and the tokens in it: §2.6, §4.2, §7. */
export const callbackFaults = [
  defineFault({
    name: 'callback-to-first-uri',
    says: 'The callback goes to the first registered URI.',
    breaks: ['CB-001', 'CB-024'],
    apply: withMakers(({ callbackUri }) => ({
      callbackUri: (request, body) => request.client.notificationUris[0] ?? callbackUri(request, body),
    })),
  }),
  defineFault({
    name: 'callback-error-in-query',
    says: 'The error of a callback is in the URI, as before version 24.',
    breaks: ['CB-001', 'CB-024'],
    apply: withMakers(({ callbackUri }) => ({
      callbackUri: (request, body) => {
        const uri = callbackUri(request, body);
        return typeof body['error'] === 'string' ? `${uri}?error=${body['error']}` : uri;
      },
    })),
  }),
  defineFault({
    name: 'callback-wrong-content-type',
    says: 'The callback is sent as text/plain.',
    breaks: ['CB-002'],
    apply: calling((headers) => ({ ...headers, 'content-type': 'text/plain' })),
  }),
  defineFault({
    name: 'callback-cacheable',
    says: 'The callback has no cache-control.',
    breaks: ['CB-003'],
    apply: calling((headers) => leaveOut(headers, 'cache-control')),
  }),
  defineFault({
    name: 'callback-without-bearer',
    says: 'The callback has no Authorization.',
    breaks: ['CB-004'],
    apply: calling((headers) => leaveOut(headers, 'authorization')),
  }),
  defineFault({
    name: 'callback-basic-scheme',
    says: 'The notification token is sent as Basic.',
    breaks: ['CB-004'],
    apply: withPolicy({ callbackScheme: 'Basic' }),
  }),
  defineFault({
    name: 'callback-bearer-cut',
    says: 'The notification token is cut to 64 characters.',
    breaks: ['CB-004'],
    apply: calling((headers) => ({
      ...headers,
      ...(headers['authorization'] === undefined ? {} : { authorization: headers['authorization'].slice(0, 71) }),
    })),
  }),
  defineFault({
    name: 'callback-bearer-null',
    says: 'Without a notification token the callback says Bearer null.',
    breaks: ['CB-005'],
    apply: calling((headers) => ({ authorization: 'Bearer null', ...headers })),
  }),
  defineFault({
    name: 'callback-without-auth-req-id',
    says: 'The callback leaves auth_req_id out.',
    breaks: ['CB-006', 'CB-007', 'CB-022'],
    apply: all(
      succeeding((body) => leaveOut(body, 'auth_req_id')),
      failing((body) => leaveOut(body, 'auth_req_id')),
    ),
  }),
  defineFault({
    name: 'callback-correlation-id-missing',
    says: 'The callback with tokens leaves correlation_id out.',
    breaks: ['TRN-005', 'TRN-008', 'CB-008'],
    apply: succeeding((body) => leaveOut(body, 'correlation_id')),
  }),
  defineFault({
    name: 'callback-ids-altered',
    says: 'The callback has another auth_req_id, and another state.',
    breaks: ['TRN-005', 'TRN-008', 'REQ-034', 'REQ-039', 'CB-006', 'CB-007', 'CB-010', 'CB-011', 'CB-022', 'SEC-30'],
    blinds: ['CB-005'],
    apply: all(succeeding(withOtherIds), failing(withOtherIds)),
  }),
  defineFault({
    name: 'callback-state-missing',
    says: 'The callback with tokens leaves state out.',
    breaks: ['CB-010', 'REQ-039', 'SEC-30', 'TRN-005', 'TRN-008'],
    apply: succeeding((body) => leaveOut(body, 'state')),
  }),
  defineFault({
    name: 'callback-state-missing-on-error',
    says: 'The callback with an error leaves state out.',
    breaks: ['REQ-039', 'CB-011', 'CB-022'],
    apply: failing((body) => leaveOut(body, 'state')),
  }),
  defineFault({
    name: 'callback-state-null',
    says: 'A state that was not sent comes back as null.',
    breaks: ['REQ-039', 'CB-010', 'CB-011'],
    apply: all(
      succeeding((body) => ({ state: null, ...body })),
      failing((body) => ({ state: null, ...body })),
    ),
  }),
  defineFault({
    name: 'state-lowercased',
    says: 'state is kept in lower case.',
    breaks: ['REQ-039', 'CB-010', 'CB-011'],
    apply: all(
      succeeding((body) => lowered(body, 'state')),
      failing((body) => lowered(body, 'state')),
    ),
  }),
  defineFault({
    name: 'scope-as-requested',
    says: 'The callback names the scopes asked for, not those approved.',
    breaks: ['CB-012'],
    apply: withMakers(({ success }) => ({
      success: (approval, tokens) => ({
        ...success(approval, tokens),
        scope: approval.request.wanted.scopes.join(' '),
      }),
    })),
  }),
  defineFault({
    name: 'access-token-missing',
    says: 'The callback has an id token only.',
    breaks: [
      'CB-013',
      'FLOW-002',
      'FLOW-015',
      'REQ-034',
      'REQ-039',
      'REQ-040',
      'REQ-044',
      'REQ-045',
      'REQ-048',
      'REQ-056',
      'REQ-057',
      'REQ-062',
      'REQ-067',
      'REQ-069',
      'REQ-078',
      'REQ-079',
      'REQ-089',
      'REQ-090',
      'REQ-091',
      'REQ-092',
      'REQ-093',
      'RSP-006',
      'SEC-31',
      'SEC-32',
      'SEC-40',
      'SEC-45',
    ],
    blinds: 'what follows',
    apply: succeeding((body) => leaveOut(body, 'access_token')),
  }),
  defineFault({
    name: 'token-type-missing',
    says: 'The callback leaves token_type out.',
    breaks: ['CB-014'],
    apply: succeeding((body) => leaveOut(body, 'token_type')),
  }),
  defineFault({
    name: 'expires-in-as-string-in-callback',
    says: 'The life of the token is digits in a string.',
    breaks: ['CB-015'],
    blinds: ['SEC-33'],
    apply: succeeding((body) => ({ ...body, expires_in: JSON.stringify(body['expires_in']) })),
  }),
  defineFault({
    name: 'id-token-missing',
    says: 'There is never an id token.',
    breaks: [
      'CB-017',
      'DSC-012',
      'LHT-003',
      'REQ-040',
      'REQ-048',
      'REQ-056',
      'REQ-057',
      'REQ-062',
      'REQ-067',
      'REQ-069',
      'REQ-078',
      'SEC-31',
      'SEC-32',
      'SEC-40',
    ],
    blinds: ['SEC-18', 'SEC-33', 'SEC-39'],
    apply: withMakers(() => ({ issuesIdToken: () => false })),
  }),
  defineFault({
    name: 'id-token-without-openid',
    says: 'There is always an id token.',
    breaks: ['CB-018'],
    apply: withMakers(() => ({ issuesIdToken: () => true })),
  }),
  defineFault({
    name: 'tokens-and-error-both',
    says: 'A callback with an error also carries a token.',
    breaks: ['FLOW-003', 'FLOW-012', 'FLOW-013', 'FLOW-014', 'TRN-016', 'RSP-006', 'REQ-039', 'CB-015', 'CB-019'],
    blinds: ['CB-020', 'FLOW-010'],
    apply: failing((body) => ({ ...body, access_token: 'none', token_type: 'Bearer' })),
  }),
  defineFault({
    name: 'null-tokens-on-error',
    says: 'A callback with an error carries the token members as null.',
    breaks: [
      'FLOW-003',
      'FLOW-012',
      'FLOW-013',
      'FLOW-014',
      'TRN-016',
      'RSP-006',
      'REQ-039',
      'CB-013',
      'CB-014',
      'CB-015',
      'CB-019',
    ],
    blinds: ['CB-020', 'FLOW-010'],
    apply: failing((body) => ({ ...body, access_token: null, id_token: null })),
  }),
  defineFault({
    name: 'access-denied-as-user-denied',
    says: 'A denial is called user_denied.',
    breaks: ['CB-020', 'CB-022', 'SEC-44'],
    apply: withPolicy({ deniedError: 'user_denied' }),
  }),
  defineFault({
    name: 'callback-description-with-trace',
    says: 'error_description of a callback shows where it was thrown.',
    breaks: ['SEC-36'],
    apply: failing((body) => ({
      ...body,
      error_description: `"${asText(body['error_description'])}"\\n at fail (/srv/carrier/outcomes.js:1:1)`,
    })),
  }),
  defineFault({
    name: 'id-token-signed-with-another-key',
    says: 'The id token is signed with a key that is not published.',
    breaks: ['SEC-31'],
    apply: withMakers(({ idTokenKey }) => ({
      idTokenKey: (carrier) => ({ ...idTokenKey(carrier), privateKey: otherKey() }),
    })),
  }),
  defineFault({
    name: 'denial-code-varies',
    says: 'A denial is called access_denied where a sign-in alone was asked for, and request_denied where more was.',
    breaks: ['CB-020'],
    apply: failing((body, { request }) =>
      body['error'] === 'request_denied' && request.wanted.scopes.length === 1
        ? { ...body, error: 'access_denied' }
        : body,
    ),
  }),
  defineFault({
    name: 'gone-as-invalid-grant',
    says: 'What went away while pending is reported as invalid_grant.',
    breaks: ['CB-023'],
    apply: withPolicy({ goneError: 'invalid_grant' }),
  }),
  defineFault({
    name: 'access-token-unusable',
    says: 'The access token has expired when it comes.',
    breaks: ['CB-025', 'REQ-061', 'SEC-31', 'SEC-33', 'SEC-34', 'UI-003', 'UI-037'],
    blinds: 'what follows',
    apply: changedAccessToken((claims) => ({ ...claims, exp: Number(claims['iat']) })),
  }),
  defineFault({
    name: 'binding-missing',
    says: 'The access token is bound to no key.',
    breaks: ['REQ-084', 'REQ-085'],
    apply: changedAccessToken((claims) => leaveOut(claims, 'cnf')),
  }),
  defineFault({
    name: 'referred-binding-ignored',
    says: 'The access token is always bound to the SP’s key.',
    breaks: ['REQ-084'],
    apply: withMakers(() => ({ claims: ({ claims }) => leaveOut(claims, 'referred_binding') })),
  }),
  defineFault({
    name: 'nonce-missing',
    says: 'The id token leaves nonce out.',
    breaks: ['REQ-040', 'SEC-31', 'TRN-005', 'TRN-008'],
    apply: changedIdToken((claims) => leaveOut(claims, 'nonce')),
  }),
  defineFault({
    name: 'context-missing-in-id-token',
    says: 'The id token leaves context out.',
    breaks: ['REQ-078', 'REQ-079'],
    apply: changedIdToken((claims) => leaveOut(claims, 'context')),
  }),
  defineFault({
    name: 'context-truncated-in-id-token',
    says: 'The id token carries the first 32 characters of context.',
    breaks: ['REQ-079'],
    apply: changedIdToken((claims) =>
      typeof claims['context'] === 'string' ? { ...claims, context: claims['context'].slice(0, 32) } : claims,
    ),
  }),
  defineFault({
    name: 'at-hash-missing',
    says: 'The id token does not name its access token.',
    breaks: ['SEC-28'],
    apply: changedIdToken((claims) => leaveOut(claims, 'at_hash')),
  }),
] as const;
