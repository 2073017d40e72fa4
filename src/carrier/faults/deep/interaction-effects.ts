import type { AuthorizationBuilders } from '../../builders/authorization.ts';
import type { Wanted } from '../../state/requests.ts';
import { after, leaveOut } from '../edit/messages.ts';
import { withBuilders } from '../edit/parts.ts';
import { type DeepFault, deepTable } from './define.ts';

type Change = (builders: AuthorizationBuilders) => Partial<AuthorizationBuilders>;

const prompts = ({ prompt }: Wanted, ...wanted: readonly string[]): boolean =>
  wanted.every((word) => prompt.includes(word));
const opts = ({ options }: Wanted, ...wanted: readonly string[]): boolean =>
  wanted.every((word) => options.includes(word));

/** Faults in what the carrier decides and writes where valid members come together. */
export const interactionEffectFaults: readonly DeepFault[] = deepTable(
  'interaction',
  (change: Change) => withBuilders(change),
  {
    'nonce-equal-to-state-left-out': [
      'The carrier takes a nonce that equals the state for the state, and leaves it out of the id token.',
      'REQ-040 SEC-31',
      ({ idToken }) => ({
        idToken: after(idToken, (_, { request: { wanted } }) =>
          wanted.nonce === wanted.state ? { nonce: undefined } : {},
        ),
      }),
    ],
    'login-lost-with-consent-at-a1': [
      'The consent page replaces the sign-in page where a1 needs no PIN, so prompt login is forgotten.',
      'REQ-047 REQ-094',
      ({ authentication }) => ({
        authentication: (request, policy, now) =>
          prompts(request.wanted, 'login', 'consent') && request.wanted.acr === 'a1'
            ? 'none'
            : authentication(request, policy, now),
      }),
    ],
    'a1-raised-by-offline-access': [
      'Long access needs a3, so a token with offline_access says a3 although a1 was asked for and nobody signed in.',
      'REQ-056',
      ({ acr }) => ({
        acr: (request, policy) => (request.wanted.scopes.includes('offline_access') ? 'a3' : acr(request, policy)),
      }),
    ],
    'colours-lost-at-the-sign-in': [
      'The sign-in page has colours of its own, so dark is forgotten with prompt login.',
      'REQ-050',
      ({ card }) => ({
        card: after(card, (_, { wanted }) => (prompts(wanted, 'login') ? { colourMode: 'system' } : {})),
      }),
    ],
    'local-redirect-only-with-state': [
      'Without state the carrier sees nothing to hand over, so local_redirect opens nothing.',
      'REQ-053 REQ-089',
      ({ openedUri }) => ({
        openedUri: (request) => (request.wanted.state === undefined ? undefined : openedUri(request)),
      }),
    ],
    'local-redirect-to-sites-only': [
      'The phone checks the redirect_uri as a link to a site, so local_redirect opens no registered custom scheme.',
      'REQ-053 REQ-028',
      ({ openedUri }) => ({
        openedUri: (request) => (request.wanted.redirectUri.startsWith('https:') ? openedUri(request) : undefined),
      }),
    ],
    'options-dropped-where-colours-contradict': [
      'The carrier ignores light and dark together, and local_redirect beside them too.',
      'REQ-052 REQ-053',
      ({ openedUri }) => ({
        openedUri: (request) => (opts(request.wanted, 'light', 'dark') ? undefined : openedUri(request)),
      }),
    ],
    'consent-skipped-with-local-redirect': [
      'The app that opens is believed to have asked, so with local_redirect new scopes are not asked for on the phone.',
      'REQ-080',
      ({ consentScreen }) => ({
        consentScreen: (wanted, subscriber, client) =>
          opts(wanted, 'local_redirect') && !prompts(wanted, 'consent')
            ? []
            : consentScreen(wanted, subscriber, client),
      }),
    ],
    'context-behind-four-scopes-not-shown': [
      'The consent page has room for four lines, and the context is what falls off it.',
      'REQ-072',
      ({ card }) => ({
        card: after(card, (_, { consentScreen }) => (consentScreen.length >= 4 ? { context: null } : {})),
      }),
    ],
    'context-lost-with-consent-at-a1': [
      'The record of a consent at a1 has no text, and the id token is made of it.',
      'REQ-079',
      ({ idToken }) => ({
        idToken: after(idToken, (_, { acr, request: { wanted } }) =>
          acr === 'a1' && prompts(wanted, 'consent') ? { context: undefined } : {},
        ),
      }),
    ],
    'nonce-lost-at-the-sign-in-without-state': [
      'The sign-in page finds the request again by its state, and without one the nonce is lost.',
      'REQ-040 SEC-31',
      ({ idToken }) => ({
        idToken: after(idToken, (_, { request: { wanted } }) =>
          wanted.state === undefined && prompts(wanted, 'login') ? { nonce: undefined } : {},
        ),
      }),
    ],
    'state-lost-on-untracked-errors': [
      'The carrier finds the state of an error by correlation_id or bearer, and without both it sends none.',
      'CB-011 REQ-039',
      ({ failure }) => ({
        failure: after(failure, (_, { request: { wanted } }) =>
          wanted.correlationId === undefined && wanted.notificationToken === undefined ? { state: undefined } : {},
        ),
      }),
    ],
    'bearer-lost-with-local-redirect-at-a1': [
      'Where the app of the SP opens without a PIN, the callback is thought of as a copy and has no Authorization.',
      'CB-004',
      ({ callbackHeaders }) => ({
        callbackHeaders: (request, policy) => {
          const headers = callbackHeaders(request, policy);
          const isCopy = opts(request.wanted, 'local_redirect') && request.wanted.acr === 'a1';
          return isCopy ? leaveOut(headers, 'authorization') : headers;
        },
      }),
    ],
    'late-time-out-of-a3-sign-ins': [
      'A sign-in at a3 gets a minute more than the carrier has granted, as PINs take their time.',
      'FLOW-012 RSP-006',
      ({ timesOutAt }) => ({
        timesOutAt: (request) => {
          const due = timesOutAt(request);
          const isSlow = prompts(request.wanted, 'login') && request.wanted.acr === 'a3';
          return due !== undefined && isSlow ? due + 60_000 : due;
        },
      }),
    ],
    'offline-access-cannot-be-unticked': [
      'The carrier has no box for offline_access, so it is in scope although the user took it off the list.',
      'CB-012',
      ({ success }) => ({
        success: after(success, (_, { request: { wanted }, scopes }) =>
          wanted.scopes.includes('offline_access') && !scopes.includes('offline_access')
            ? { scope: [...scopes, 'offline_access'].join(' ') }
            : {},
        ),
      }),
    ],
    'binding-of-another-type-ignored': [
      'The token service has one key type a request, so a referred_binding of another than the signature is dropped.',
      'REQ-084',
      ({ claims }) => ({
        claims: (context) => {
          const built = claims(context);
          const binding: unknown = built['referred_binding'];
          const isOther =
            typeof binding === 'object' &&
            binding !== null &&
            'kty' in binding &&
            binding.kty !== context.key.jwk['kty'];
          return isOther ? leaveOut(built, 'referred_binding') : built;
        },
      }),
    ],
    'query-state-fills-in': [
      'A state in the URL is taken where the request object has none.',
      'TRN-008 CB-010',
      ({ claims }) => ({
        claims: (context) => {
          const { state } = context.query;
          return typeof state === 'string' ? { state, ...claims(context) } : claims(context);
        },
      }),
    ],
    'beside-values-win-with-the-client-id': [
      'Where the same client_id stands beside the request object, the carrier trusts what else stands there more.',
      'TRN-005',
      ({ claims }) => ({
        claims: (context) => {
          const { outside } = context;
          return 'client_id' in outside ? { ...claims(context), ...leaveOut(outside, 'request') } : claims(context);
        },
      }),
    ],
  },
);
