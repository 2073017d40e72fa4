import { defineFaults, ruleIds } from './edit/define.ts';
import { otherKey } from './edit/keys.ts';
import { changedAccessToken, changedIdToken, leaveOut } from './edit/messages.ts';
import { withBuilders } from './edit/parts.ts';

/** On the tokens of the callback: §2.3, §2.6. */
export const callbackTokensFaults = defineFaults({
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
