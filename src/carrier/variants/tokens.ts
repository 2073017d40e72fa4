import { defineVariants } from '../faults/edit/define.ts';
import { changedAccessToken, changedIdToken, changedSet, succeeding } from '../faults/edit/messages.ts';
import { withBuilders, withEvents } from '../faults/edit/parts.ts';
import { asText, isJsonList } from '../json.ts';

/** What a carrier may do otherwise with ids, tokens and event tokens: §2.4, §2.6, §2.10. */
export const tokenVariants = defineVariants({
  'auth-req-id-one-beginning': [
    'Every auth_req_id has the same eight characters after the prefix (§2.4).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => `ccid-Req2026a${authReqId(wanted).slice(5)}` })),
  ],
  'auth-req-id-of-digits': [
    'auth_req_id has digits only (§2.4: letters and digits).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => `ccid-${digits(authReqId(wanted).slice(5))}` })),
  ],
  'auth-req-id-in-lower-case': [
    'auth_req_id has no capital letters (§2.4: letters and digits).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).toLowerCase() })),
  ],
  'auth-req-id-of-64': [
    'auth_req_id has 64 characters after the prefix (§2.4).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => `${authReqId(wanted)}${authReqId(wanted).slice(5)}` })),
  ],
  'id-token-for-5-minutes': [
    'The id token lives five minutes, whatever the access token does (OIDC Core §2 exp).',
    changedIdToken(({ iat }) => ({ exp: Number(iat) + 300 })),
  ],
  'id-token-for-a-day': [
    'The id token lives a day (OIDC Core §2 exp).',
    changedIdToken(({ iat }) => ({ exp: Number(iat) + 86_400 })),
  ],
  'id-token-without-amr': [
    'The id token has no amr (OIDC Core §2: optional).',
    changedIdToken(() => ({ amr: undefined })),
  ],
  'id-token-with-jti': [
    'The id token has a jti and the time before which it is not valid (RFC 7519 §4.1).',
    changedIdToken(({ iat, at_hash: hash }) => ({ jti: `id-${asText(hash)}`, nbf: iat ?? 0 })),
  ],
  'id-token-without-auth-time': [
    'The id token does not say when the user authenticated (OIDC Core §2: optional without max_age).',
    changedIdToken(() => ({ auth_time: undefined })),
  ],
  'access-token-with-aud': [
    'The access token names its audience and a version (§2.6: its contents are not shown).',
    changedAccessToken(({ iss }) => ({ aud: [iss ?? '', 'https://api.carrier.example'], ver: '2' })),
  ],
  'token-type-in-lower-case': [
    'token_type is written bearer (RFC 6749 §5.1: its case does not matter).',
    succeeding(() => ({ token_type: 'bearer' })),
  ],
  'scope-without-openid': [
    'scope lists the attributes that the user approved, and not openid (§2.6, C1.24).',
    succeeding(({ scope }) => {
      const left = asText(scope)
        .split(' ')
        .filter((one) => one !== 'openid');
      return left.length === 0 ? {} : { scope: left.join(' ') };
    }),
  ],
  'event-iat-with-fraction': [
    'iat of event tokens has a fraction of a second (RFC 7519 §2, C1.16).',
    changedSet((_, { now }) => ({ iat: now / 1000 + 0.25 })),
  ],
  'event-aud-as-list': [
    'aud of event tokens is a list of one (RFC 7519 §4.1.3).',
    changedSet(({ aud }) => ({ aud: isJsonList(aud) ? aud : [aud ?? ''] })),
  ],
  'event-jti-with-colons': [
    'jti of event tokens is a URN (§6: unique id).',
    changedSet(({ jti }) => ({ jti: `urn:uuid:${asText(jti)}` })),
  ],
  'event-jti-short': [
    'jti of event tokens has 16 characters (§6: unique id).',
    changedSet(({ jti }) => ({ jti: asText(jti).replaceAll('-', '').slice(-16) })),
  ],
  'event-with-sub-id': [
    'Event tokens name the subject as sub_id as well (RFC 9493 §3).',
    changedSet(({ iss, sub }) => ({ sub_id: { format: 'iss_sub', iss: iss ?? '', sub: sub ?? '' } })),
  ],
  'event-type-with-prefix': [
    'typ of event tokens is application/set+jwt (RFC 7515 §4.1.9: the prefix may be left out).',
    withEvents(() => ({ type: 'application/set+jwt' })),
  ],
  'event-type-in-capitals': [
    'typ of event tokens is SET+JWT (RFC 2045 §5.1: the case of a media type does not matter).',
    withEvents(() => ({ type: 'SET+JWT' })),
  ],
  'events-with-profile-change': [
    'A moved SIM raises profile_change as well, which is another event (§1.5, C1.14).',
    withEvents(({ raisedBy }) => ({
      raisedBy: {
        ...raisedBy,
        'move-sim': ['device_change', 'profile_change'],
        'swap-sim': ['device_change', 'line_port'],
      },
    })),
  ],
  'number-change-raises-profile-change': [
    'A changed number raises profile_change (§1.5).',
    withEvents(({ raisedBy }) => ({ raisedBy: { ...raisedBy, 'change-number': ['profile_change'] } })),
  ],
});

/** Two digits for each letter or digit, by which they differ. */
function digits(text: string): string {
  return Array.from(text, (letter) => String(letter.charCodeAt(0)).padStart(3, '0').slice(-2)).join('');
}
