import { memberOf, textMemberOf } from '../../lib/json.ts';
import type { Correlation, Messages } from '../../model/interface.ts';
import { isJsonObject } from '../../lib/json.ts';

/** What responses and callbacks tell of a request (§2.4, §2.6, §4.1). */
export const messages: Messages = {
  hasRequestId: (body) => textMemberOf(body, 'auth_req_id') !== undefined,

  /** §2.4: a number, or digits in a string as the sample has it. */
  grantedSeconds: (body) => {
    const granted = memberOf(body, 'expires_in');
    if (typeof granted === 'number' && Number.isFinite(granted) && granted >= 0) return granted;
    if (typeof granted === 'string' && /^(?:ccid-)?\d{1,10}$/.test(granted))
      return Number(granted.replace('ccid-', ''));
    return undefined;
  },

  callbackKind: (body) => ({
    tokens: isJsonObject(body) && 'access_token' in body,
    error: isJsonObject(body) && 'error' in body,
  }),

  /** The text of the request, else its correlation id. */
  describeRequest: ({ context, correlation_id: correlation }) => {
    if (typeof context === 'string') return `the one that says ${context}`;
    return typeof correlation === 'string' ? `correlation_id ${correlation}` : undefined;
  },
};

const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** §2.6, §5.3: auth_req_id, the client_notification_token as bearer, and state. */
export const correlation: Correlation = {
  ofRequest: (claims) => ({
    bearer: nonEmpty(textMemberOf(claims, 'client_notification_token')),
    state: nonEmpty(textMemberOf(claims, 'state')),
  }),
  ofResponse: (body) => ({ authReqId: nonEmpty(textMemberOf(body, 'auth_req_id')) }),
  ofCallback: (body, authorization) => ({
    authReqId: nonEmpty(textMemberOf(body, 'auth_req_id')),
    bearer: /^bearer +(.+)$/i.exec(authorization ?? '')?.[1],
    state: nonEmpty(textMemberOf(body, 'state')),
  }),
};

/** Members of bodies whose string values are credentials (§2.6, RFC 6749). */
export const secretMembers: ReadonlySet<string> = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'code',
  'client_notification_token',
  'client_assertion',
  'client_secret',
  'login_hint_token',
]);

/** What a phone shows, by the names that suites use (docs/suite-language.md, `look`). */
export const cardFields: Readonly<Record<string, string>> = {
  shown: 'the request',
  context: 'the text of the request',
  scopes: 'the list of scopes',
  consentScreen: 'the list of scopes on the consent screen',
  order: 'the order of the screens',
  authentication: 'the authentication that was asked for',
  colourMode: 'the colour mode',
  openedUri: 'the URI that the phone opened',
};
