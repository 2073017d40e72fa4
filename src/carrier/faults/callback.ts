import { asText, type JsonObject, stringMember } from '../json.ts';
import { all, defineFaults, type Edit, ruleIds } from './edit/define.ts';
import { otherKey } from './edit/keys.ts';
import {
  calling,
  callingBack,
  changedAccessToken,
  changedIdToken,
  failing,
  leaveOut,
  lowered,
  type Members,
  succeeding,
} from './edit/messages.ts';
import { withBuilders, withPolicy } from './edit/parts.ts';
import { failures } from './edit/rule-groups.ts';

/** On the callback, and the tokens in it: §2.3, §2.6, §4.2, §7. */
export const callbackFaults = defineFaults({
  'callback-never-sent': {
    description: 'Results wait to be fetched.',
    breaks: ruleIds(`
      CB-001 FLOW-002 FLOW-003 FLOW-015
      REQ-034 REQ-039 REQ-040 REQ-044 REQ-056 REQ-057 REQ-067 REQ-069 REQ-078 REQ-079 REQ-084 REQ-085
      REQ-089 REQ-090 REQ-091 REQ-092 REQ-093 RSP-006 SEC-27 SEC-31 SEC-32 SEC-40 SEC-45 TRN-016
    `),
    masks: 'what follows',
    apply: withBuilders(() => ({ callbackCopies: () => 0 })),
  },
  'second-callback-after-approve': {
    description: 'Two nodes deliver the same approval.',
    breaks: ['CB-001', 'FLOW-002', 'FLOW-014', 'SEC-27'],
    apply: withBuilders(() => ({ callbackCopies: (body) => ('error' in body ? 1 : 2) })),
  },
  'callback-to-first-uri': {
    description: 'The callback goes to the first registered URI.',
    breaks: ['CB-001', 'CB-024'],
    apply: withBuilders(({ callbackUri }) => ({
      callbackUri: (request, body) => request.client.notificationUris[0] ?? callbackUri(request, body),
    })),
  },
  'callback-error-in-query': {
    description: 'The error of a callback is in the URI, as before version 24.',
    breaks: ['CB-001', 'CB-024'],
    apply: withBuilders(({ callbackUri }) => ({
      callbackUri: (request, body) => {
        const uri = callbackUri(request, body);
        return typeof body['error'] === 'string' ? `${uri}?error=${body['error']}` : uri;
      },
    })),
  },
  'callback-wrong-content-type': {
    description: 'The callback is sent as text/plain.',
    breaks: ['CB-002'],
    apply: calling(() => ({ 'content-type': 'text/plain' })),
  },
  'callback-cacheable': {
    description: 'The callback has no cache-control.',
    breaks: ['CB-003'],
    apply: calling(() => ({ 'cache-control': undefined })),
  },
  'callback-without-bearer': {
    description: 'The callback has no Authorization.',
    breaks: ['CB-004'],
    apply: calling(() => ({ authorization: undefined })),
  },
  'callback-basic-scheme': {
    description: 'The notification token is sent as Basic.',
    breaks: ['CB-004'],
    apply: withPolicy({ callbackScheme: 'Basic' }),
  },
  'callback-bearer-cut': {
    description: 'The notification token is cut to 64 characters.',
    breaks: ['CB-004'],
    apply: calling(({ authorization }) => ({ authorization: authorization?.slice(0, 71) })),
  },
  'callback-bearer-null': {
    description: 'Without a notification token the callback says Bearer null.',
    breaks: ['CB-005'],
    apply: calling((headers) => ({ authorization: 'Bearer null', ...headers })),
  },
  'callback-without-auth-req-id': {
    description: 'The callback leaves auth_req_id out.',
    breaks: ['CB-006', 'CB-007', 'CB-022'],
    apply: callingBack(() => ({ auth_req_id: undefined })),
  },
  'callback-correlation-id-missing': {
    description: 'The callback with tokens leaves correlation_id out.',
    breaks: ['TRN-005', 'TRN-008', 'CB-008'],
    apply: succeeding(() => ({ correlation_id: undefined })),
  },
  'callback-ids-altered': {
    description: 'The callback has another auth_req_id, and another state.',
    breaks: ruleIds('TRN-005 TRN-008 REQ-034 REQ-039 CB-006 CB-007 CB-010 CB-011 CB-022 SEC-30'),
    masks: ['CB-005'],
    apply: callingBack(otherIds),
  },
  'callback-state-missing': {
    description: 'The callback with tokens leaves state out.',
    breaks: ['CB-010', 'REQ-039', 'SEC-30', 'TRN-005', 'TRN-008'],
    apply: succeeding(() => ({ state: undefined })),
  },
  'callback-state-missing-on-error': {
    description: 'The callback with an error leaves state out.',
    breaks: ['REQ-039', 'CB-011', 'CB-022'],
    apply: failing(() => ({ state: undefined })),
  },
  'callback-state-null': {
    description: 'A state that was not sent comes back as null.',
    breaks: ['REQ-039', 'CB-010', 'CB-011'],
    apply: callingBack((body) => ({ state: null, ...body })),
  },
  'state-lowercased': {
    description: 'state is kept in lower case.',
    breaks: ['REQ-039', 'CB-010', 'CB-011'],
    apply: callingBack((body) => lowered(body, 'state')),
  },
  'scope-as-requested': {
    description: 'The callback names the requested scopes, not the approved ones.',
    breaks: ['CB-012'],
    apply: withBuilders(({ success }) => ({
      success: (approval, tokens) => ({
        ...success(approval, tokens),
        scope: approval.request.wanted.scopes.join(' '),
      }),
    })),
  },
  'access-token-missing': {
    description: 'The callback has an id token only.',
    breaks: ruleIds(`
      CB-013 FLOW-002 FLOW-015
      REQ-034 REQ-039 REQ-040 REQ-044 REQ-045 REQ-048 REQ-056 REQ-057 REQ-062 REQ-067 REQ-069 REQ-078
      REQ-079 REQ-089 REQ-090 REQ-091 REQ-092 REQ-093 RSP-006 SEC-31 SEC-32 SEC-40 SEC-45
    `),
    masks: 'what follows',
    apply: succeeding(() => ({ access_token: undefined })),
  },
  'token-type-missing': {
    description: 'The callback leaves token_type out.',
    breaks: ['CB-014'],
    apply: succeeding(() => ({ token_type: undefined })),
  },
  'expires-in-as-string-in-callback': {
    description: 'The life of the token is digits in a string.',
    breaks: ['CB-015'],
    masks: ['SEC-33'],
    apply: succeeding(({ expires_in }) => ({ expires_in: JSON.stringify(expires_in) })),
  },
  'tokens-and-error-both': {
    description: 'A callback with an error also carries a token.',
    breaks: failures,
    masks: ['CB-020', 'FLOW-010'],
    apply: failing(() => ({ access_token: 'none', token_type: 'Bearer' })),
  },
  'null-tokens-on-error': {
    description: 'A callback with an error carries the token members as null.',
    breaks: [...failures, 'CB-013', 'CB-014'],
    masks: ['CB-020', 'FLOW-010'],
    apply: failing(() => ({ access_token: null, id_token: null })),
  },
  'access-denied-as-user-denied': {
    description: 'A denial is called user_denied.',
    breaks: ['CB-020', 'CB-022', 'SEC-44'],
    apply: withPolicy({ deniedError: 'user_denied' }),
  },
  'callback-description-with-trace': {
    description: 'error_description of a callback shows where it was thrown.',
    breaks: ['SEC-36'],
    apply: failing((body) => ({
      error_description: `"${asText(body['error_description'])}"\\n at fail (/srv/carrier/outcomes.js:1:1)`,
    })),
  },
  'denial-code-varies': {
    description: 'A denial is called access_denied where only a sign-in was requested, and request_denied otherwise.',
    breaks: ['CB-020'],
    apply: failing((body, { request }) =>
      body['error'] === 'request_denied' && request.wanted.scopes.length === 1
        ? { ...body, error: 'access_denied' }
        : body,
    ),
  },
  'gone-as-invalid-grant': {
    description: 'What went away while pending is reported as invalid_grant.',
    breaks: ['CB-023'],
    apply: withPolicy({ goneError: 'invalid_grant' }),
  },
  'callback-bearer-cut-at-1000': {
    description: 'The notification token is cut to 1000 characters.',
    breaks: ['CB-004'],
    apply: calling(({ authorization }) => ({ authorization: authorization?.slice(0, 1007) })),
  },
  'callback-204-not-believed': {
    description: 'A callback is delivered again unless the receiver responds with 200.',
    breaks: ['SEC-27'],
    apply: all(
      withPolicy({ callbackRetries: 3 }),
      withBuilders(() => ({ callbackConfirms: (status) => status !== 202 && status !== 204 })),
    ),
  },
  'callback-always-sent-again': {
    description: 'A callback is delivered again whatever the receiver responded.',
    breaks: ['FLOW-014', 'SEC-27'],
    apply: all(
      withPolicy({ callbackRetries: 1 }),
      withBuilders(() => ({ callbackConfirms: () => false })),
    ),
  },
  'state-html-escaped': {
    description: 'state is escaped for HTML before it is kept.',
    breaks: ['CB-010', 'SEC-30'],
    apply: stateKeptAs((state) => state.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  },
  'state-backslash-doubled': {
    description: 'Quotation marks and backslashes of state are escaped twice.',
    breaks: ['REQ-039', 'CB-010', 'CB-011', 'SEC-30'],
    apply: stateKeptAs((state) => state.replaceAll(/["\\]/g, String.raw`\$&`)),
  },
  'state-control-characters-dropped': {
    description: 'Control characters of state are taken out.',
    breaks: ['CB-010', 'SEC-30'],
    apply: stateKeptAs((state) => state.replaceAll(/\p{Cc}/gu, '')),
  },
  'state-beyond-the-first-plane-replaced': {
    description: 'state is kept in a column of three bytes a character, so an emoji becomes a question mark.',
    breaks: ['REQ-039', 'CB-010', 'CB-011', 'SEC-30'],
    apply: stateKeptAs((state) => state.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  'notification-token-limit-1023': {
    description: 'client_notification_token must have fewer than 1024 characters.',
    breaks: ['CB-004', 'SEC-29'],
    masks: ['FLOW-002', 'FLOW-003'],
    apply: withPolicy({ notificationTokenMax: 1023 }),
  },
  'notification-token-limit-255': {
    description: 'client_notification_token has room for 255 characters only.',
    breaks: ['CB-004', 'SEC-29'],
    masks: ['FLOW-002', 'FLOW-003'],
    apply: withPolicy({ notificationTokenMax: 255 }),
  },
  'notification-token-limit-2048': {
    description: 'client_notification_token may have 2048 characters.',
    breaks: ['SEC-29'],
    apply: withPolicy({ notificationTokenMax: 2048 }),
  },
  'id-token-missing': {
    description: 'There is never an id token.',
    breaks: ruleIds(`
      CB-017 DSC-012 LHT-003 REQ-040 REQ-048 REQ-056 REQ-057 REQ-062 REQ-067 REQ-069 REQ-078
      SEC-31 SEC-32 SEC-40
    `),
    masks: ['SEC-18', 'SEC-33', 'SEC-39'],
    apply: withBuilders(() => ({ issuesIdToken: () => false })),
  },
  'id-token-without-openid': {
    description: 'There is always an id token.',
    breaks: ['CB-018'],
    apply: withBuilders(() => ({ issuesIdToken: () => true })),
  },
  'id-token-signed-with-another-key': {
    description: 'The id token is signed with a key that is not published.',
    breaks: ['SEC-31'],
    apply: withBuilders(({ idTokenKey }) => ({
      idTokenKey: (key) => ({ ...idTokenKey(key), privateKey: otherKey() }),
    })),
  },
  'access-token-unusable': {
    description: 'The access token has expired when it comes.',
    breaks: ['CB-025', 'REQ-061', 'SEC-31', 'SEC-33', 'SEC-34', 'UI-003', 'UI-037'],
    masks: 'what follows',
    apply: changedAccessToken(({ iat }) => ({ exp: Number(iat) })),
  },
  'binding-missing': {
    description: 'The access token is bound to no key.',
    breaks: ['REQ-084', 'REQ-085'],
    apply: changedAccessToken(() => ({ cnf: undefined })),
  },
  'referred-binding-ignored': {
    description: 'The access token is always bound to the SP’s key.',
    breaks: ['REQ-084'],
    apply: withBuilders(() => ({ claims: ({ claims }) => leaveOut(claims, 'referred_binding') })),
  },
  'nonce-missing': {
    description: 'The id token leaves nonce out.',
    breaks: ['REQ-040', 'SEC-31', 'TRN-005', 'TRN-008'],
    apply: changedIdToken(() => ({ nonce: undefined })),
  },
  'context-missing-in-id-token': {
    description: 'The id token leaves context out.',
    breaks: ['REQ-078', 'REQ-079'],
    apply: changedIdToken(() => ({ context: undefined })),
  },
  'context-truncated-in-id-token': {
    description: 'The id token carries the first 32 characters of context.',
    breaks: ['REQ-079'],
    apply: changedIdToken((claims) =>
      typeof claims['context'] === 'string' ? { ...claims, context: claims['context'].slice(0, 32) } : claims,
    ),
  },
  'at-hash-missing': {
    description: 'The id token does not name its access token.',
    breaks: ['SEC-28'],
    apply: changedIdToken(() => ({ at_hash: undefined })),
  },
});

function otherIds({ auth_req_id: id, state }: JsonObject): Members {
  return { auth_req_id: `${asText(id)}x`, state: state === undefined ? undefined : `${asText(state)}x` };
}

function stateKeptAs(change: (state: string) => string): Edit {
  return withBuilders(({ claims }) => ({
    claims: (context) => {
      const read = claims(context);
      const state = stringMember(read, 'state');
      return state === undefined ? read : { ...read, state: change(state) };
    },
  }));
}
