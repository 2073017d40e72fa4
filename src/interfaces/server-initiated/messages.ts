import { readMember, readTextMember } from '../../lib/json.ts';
import type { Correlation, CorrelationKeys, Messages } from '../../model/interface.ts';
import { readTolerantly } from './tolerated-forms.ts';

/** Reads the parts of responses and callbacks that belong to a request (§2.4, §2.6, §4.1). */
export const messages: Messages = {
  meant: readTolerantly,

  hasRequestId: (body) => readTextMember(body, 'auth_req_id') !== undefined,

  askedSeconds: (claims) => readMember(claims, 'expires_in'),

  grantedSeconds: (body) => {
    const granted = readMember(body, 'expires_in');
    return typeof granted === 'number' && Number.isFinite(granted) && granted >= 0 ? granted : undefined;
  },

  /** §2.6 and §6: the id token of a callback, the SET of an event. */
  tokenIn: (kind, body) => readMember(body, kind === 'callback' ? 'id_token' : 'set'),

  callbackKind: (body) => ({
    tokens: readMember(body, 'access_token') !== undefined,
    error: readMember(body, 'error') !== undefined,
  }),

  /** Usual life of an access token, in seconds; §2.6 has no number. */
  plannedCallback: { expires_in: 1800 },

  /** Context of the request, else its correlation id. */
  describeRequest: ({ context, correlation_id: correlation }) => {
    if (typeof context === 'string') return `the one that says ${context}`;
    return typeof correlation === 'string' ? `correlation_id ${correlation}` : undefined;
  },

  /** §2.3 client_id, login_hint. */
  partiesOf: ({ client_id: sp, login_hint: hint }) => ({
    ...(typeof sp === 'string' ? { sp } : {}),
    ...(typeof hint === 'string' ? { subscriber: hint } : {}),
  }),
};

/** Keeps the keys that are not empty, because an empty text correlates nothing. */
const keepNonEmptyKeys = (keys: Readonly<Record<string, string | undefined>>): CorrelationKeys =>
  Object.fromEntries(
    Object.entries(keys).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
  );

/** §2.6, §5.3: auth_req_id, the client_notification_token as bearer, and state; §2.3: the URIs of a request. */
export const correlation: Correlation = {
  order: ['authReqId', 'bearer', 'state'],
  ofRequest: (claims) =>
    keepNonEmptyKeys({
      bearer: readTextMember(claims, 'client_notification_token'),
      state: readTextMember(claims, 'state'),
    }),
  urisOf: (members) =>
    ['notification_uri', 'redirect_uri', 'request_uri'].flatMap((name) => readTextMember(members, name) ?? []),
  ofResponse: (body) => keepNonEmptyKeys({ authReqId: readTextMember(body, 'auth_req_id') }),
  ofCallback: (body, authorization) =>
    keepNonEmptyKeys({
      authReqId: readTextMember(body, 'auth_req_id'),
      bearer: /^bearer +([^ ].*)$/is.exec(authorization ?? '')?.[1],
      state: readTextMember(body, 'state'),
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

interface CardField {
  /** Its name in a question to a person. */
  readonly words: string;
  readonly value: string;
}

/** Members of the card that a driver for `look` responds with, by the names that suites use. */
export const card: Readonly<Record<string, CardField>> = {
  shown: { words: 'the request', value: 'true while the phone shows the request, else false' },
  context: { words: 'the text of the request', value: 'the text that the phone shows; null: none' },
  scopes: { words: 'the list of scopes', value: 'list of the scopes of the request' },
  consentScreen: {
    words: 'the list of scopes on the consent screen',
    value: 'list of the scopes that the consent screen asks for; []: there is no consent screen',
  },
  order: { words: 'the order of the screens', value: 'list of the screens in their order: consent, context' },
  authentication: {
    words: 'the authentication that was asked for',
    value: 'none; reused: an earlier one of the user counts; full: the user authenticates now',
  },
  colourMode: { words: 'the colour mode', value: 'light, dark, or system: that of the phone' },
  openedUri: {
    words: 'the URI that the phone opened',
    value: 'the URI that the phone opened after the decision; null: none',
  },
};

/** Fields that a phone shows, as a question to a person names them. */
export const cardFields: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(card).map(([name, { words }]) => [name, words]),
);
