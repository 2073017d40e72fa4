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
    'context-behind-four-scopes-not-shown': [
      'The consent page has room for four lines, and the context is what falls off it.',
      'REQ-072',
      ({ card }) => ({
        card: after(card, (_, { consentScreen }) => (consentScreen.length >= 4 ? { context: null } : {})),
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
  },
);
