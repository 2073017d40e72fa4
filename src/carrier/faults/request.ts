import { replayKey, takeOnce } from '../checks/jti-not-repeated.ts';
import { countCodePoints } from '../checks/context-8-to-240.ts';
import { type KeyContext, optionalString, reader, requireString } from '../pipeline/context.ts';
import { stringMember } from '../json.ts';
import { verifyJws } from '../jose/jws.ts';
import { refuse } from '../refusal.ts';
import {
  all,
  defineFault,
  type Fault,
  insteadOf,
  insteadOfLast,
  without,
  withExtra,
  withPipeline,
  withPolicy,
} from './edit/define.ts';
import { everyAcceptance } from './edit/every-acceptance.ts';

type Missing = readonly [
  name: string,
  says: string,
  breaks: readonly string[],
  checks: readonly string[],
  blinds?: Fault['blinds'],
];

/** A check that was never written, one a line. */
const missing: readonly Missing[] = [
  [
    'signature-not-verified',
    'The request object is decoded and believed.',
    ['HDR-008', 'SEC-04', 'SEC-12'],
    ['signature-verifies'],
  ],
  ['alg-name-ignored', 'The alg of the header is never looked at.', ['SEC-01', 'SEC-03'], ['alg-fits-the-key']],
  ['crit-ignored', 'Header extensions are read over.', ['SEC-08'], ['header-has-no-extension']],
  ['typ-not-checked', 'Any signed token passes for a request object.', ['SEC-18'], ['type-is-a-request-object']],
  ['si-flag-ignored', 'Every client may use the endpoint.', ['CFG-001', 'FLOW-008'], ['server-initiated-is-on']],
  ['iss-not-required', 'iss is never looked at.', ['REQ-001', 'REQ-002'], ['iss-is-the-client']],
  ['aud-not-checked', 'aud is never looked at.', ['REQ-007', 'SEC-16'], ['aud-is-the-issuer']],
  ['iat-any-type', 'iat may be absent, a string or a fraction.', ['REQ-008', 'REQ-010'], ['iat-is-an-integer']],
  [
    'iat-not-checked',
    'The age of a request object does not matter.',
    ['ERR-006', 'REQ-009', 'SEC-15'],
    ['iat-within-5-minutes'],
  ],
  ['exp-any-type', 'exp may be absent, a string or a fraction.', ['REQ-011', 'REQ-013'], ['exp-is-an-integer']],
  [
    'exp-not-checked',
    'exp may be as far ahead as one likes.',
    ['ERR-006', 'REQ-012', 'REQ-013', 'SEC-15'],
    ['exp-within-5-minutes'],
  ],
  ['exp-past-accepted', 'A request object that has expired is taken.', ['SEC-14', 'SEC-15'], ['exp-has-not-passed']],
  ['nbf-ignored', 'A request object is taken before its time.', ['SEC-14'], ['not-before-has-come']],
  ['jti-never-kept', 'No jti is remembered.', ['ERR-006', 'REQ-015', 'SEC-21'], ['jti-not-repeated']],
  [
    'expires-in-any-type',
    'expires_in may be absent or of any type.',
    ['REQ-017', 'REQ-018'],
    ['expires-in-is-an-integer'],
  ],
  [
    'response-type-ignored',
    'response_type is never looked at.',
    ['REQ-021', 'REQ-022'],
    ['response-type-is-async-token'],
    ['ERR-003'],
  ],
  [
    'redirect-uri-not-checked',
    'redirect_uri is never looked at.',
    ['REQ-027', 'REQ-028', 'REQ-029', 'REQ-030'],
    ['redirect-uri-registered'],
    ['ERR-003', 'TRN-004'],
  ],
  [
    'notification-uri-not-checked',
    'notification_uri is called unseen.',
    ['REQ-032', 'REQ-033', 'SEC-26'],
    ['notification-uri-registered'],
  ],
  [
    'notification-token-not-checked',
    'client_notification_token goes into a header unseen.',
    ['SEC-29'],
    ['notification-token-is-b64token'],
  ],
  ['scope-not-required', 'scope may be absent, empty or unknown.', ['REQ-035'], ['scope-is-allowed']],
  ['prompt-none-with-login', 'prompt none may stand beside login.', ['SEC-43'], ['prompt-none-stands-alone']],
  [
    'prompt-none-silently-approved',
    'prompt none approves for every client.',
    ['CFG-001', 'REQ-042'],
    ['prompt-none-is-allowed'],
  ],
  ['acr-unknown-accepted', 'An unknown acr_values is taken for a3.', ['REQ-058', 'SEC-36'], ['acr-is-a1-or-a3']],
  [
    'context-control-characters-accepted',
    'context may hold line feeds and NUL.',
    ['REQ-075'],
    ['context-without-control-characters'],
  ],
  [
    'private-binding-accepted',
    'referred_binding may be a private or a weak key.',
    ['REQ-084'],
    ['referred-binding-is-a-public-key'],
  ],
  [
    'unenrolled-accepted',
    'A subscriber without the app is pushed to all the same.',
    ['FLOW-005', 'SEC-35'],
    ['subscriber-has-the-app'],
  ],
  [
    'request-within-ignored',
    'A request inside the request object is let through.',
    ['SEC-19'],
    ['no-request-object-within'],
  ],
];

const optionalClaims: readonly (readonly [claim: string, breaks: readonly string[], blinds?: Fault['blinds']])[] = [
  ['jti', ['REQ-014'], ['SEC-21']],
  ['client_notification_token', ['REQ-034']],
  ['prompt', [...everyAcceptance, 'REQ-050', 'REQ-084'], 'what follows'],
  ['context', ['REQ-071']],
  ['correlation_id', ['REQ-081', 'TRN-014'], ['CB-008', 'CB-010', 'FLOW-002']],
  ['sdk_version', [...everyAcceptance, 'REQ-042', 'REQ-050', 'REQ-084'], 'what follows'],
  ['state', ['REQ-089'], ['CB-008', 'CB-010', 'CB-011', 'FLOW-002', 'FLOW-003', 'FLOW-013', 'REQ-039']],
  ['nonce', ['REQ-090'], ['REQ-040']],
  ['options', [...everyAcceptance, 'REQ-042', 'REQ-084'], 'what follows'],
  ['acr_values', [...everyAcceptance, 'REQ-042', 'REQ-050', 'REQ-084'], 'what follows'],
  ['referred_binding', [...everyAcceptance, 'REQ-042', 'REQ-050'], 'what follows'],
];

/** On the request object and its claims: §2.2, §2.3, §5. */
export const requestFaults: readonly Fault[] = [
  ...missing.map(([name, says, breaks, checks, blinds = []]) =>
    defineFault({ name, says, breaks, blinds, apply: without(...checks) }),
  ),
  ...optionalClaims.map(([claim, breaks, blinds = []]) =>
    defineFault({
      name: `${claim.replaceAll('_', '-')}-required`,
      says: `${claim} is demanded although it is optional.`,
      breaks,
      blinds,
      apply: withExtra(`${claim}-is-there`, ({ claims }) => {
        if (!(claim in claims)) refuse('invalid_request', `${claim} is required`);
      }),
    }),
  ),
  defineFault({
    name: 'iss-not-compared',
    says: 'iss must be there, but may be anybody.',
    breaks: ['REQ-002'],
    apply: insteadOf('iss-is-the-client', (context) => void requireString(context, 'iss')),
  }),
  defineFault({
    name: 'aud-slash-tolerated',
    says: 'A slash after the issuer, or a path behind it, does not matter.',
    breaks: ['REQ-007'],
    apply: insteadOf('aud-is-the-issuer', (context) => {
      const aud = requireString(context, 'aud');
      if (aud !== context.issuer && !aud.startsWith(`${context.issuer}/`)) refuse('invalid_request', 'wrong aud');
    }),
  }),
  defineFault({
    name: 'iat-window-10-minutes',
    says: 'A request object may be 10 minutes old.',
    breaks: ['ERR-006', 'REQ-009'],
    apply: withPolicy({ iatMaxAge: 600 }),
  }),
  defineFault({
    name: 'iat-window-4-minutes',
    says: 'A request object may be 4 minutes old only.',
    breaks: ['REQ-009'],
    blinds: ['SEC-14'],
    apply: withPolicy({ iatMaxAge: 239 }),
  }),
  defineFault({
    name: 'iat-from-the-future-accepted',
    says: 'A request object may be signed in an hour.',
    breaks: ['SEC-15'],
    apply: withPolicy({ iatMaxAhead: 86_400 }),
  }),
  defineFault({
    name: 'exp-window-10-minutes',
    says: 'exp may be 10 minutes ahead.',
    breaks: ['ERR-006', 'REQ-012'],
    apply: withPolicy({ expMaxAhead: 600 }),
  }),
  defineFault({
    name: 'jti-kept-2-minutes',
    says: 'A jti is forgotten after 2 minutes.',
    breaks: ['REQ-015'],
    apply: withPolicy({ jtiWindow: 120 }),
  }),
  defineFault({
    name: 'jti-keyed-with-iat',
    says: 'The replay cache is keyed by jti and iat, so a fresh iat makes an old jti new.',
    breaks: ['REQ-015'],
    apply: insteadOfLast('jti-not-repeated', (context) => {
      takeOnce(context, JSON.stringify([replayKey(context), context.claims['iat'] ?? null]));
    }),
  }),
  defineFault({
    name: 'redirect-uri-prefix-match',
    says: 'A redirect_uri that begins with a registered one is taken.',
    breaks: ['REQ-029', 'REQ-030'],
    apply: insteadOf('redirect-uri-registered', (context) => {
      const uri = requireString(context, 'redirect_uri');
      if (!context.client.redirectUris.some((known) => uri.startsWith(known)))
        refuse('invalid_request', 'unregistered');
    }),
  }),
  defineFault({
    name: 'redirect-uri-normalized',
    says: 'redirect_uri is compared after URL normalization, so the default port and case do not matter.',
    breaks: ['REQ-030'],
    apply: insteadOf('redirect-uri-registered', (context) => {
      const plain = (uri: string): string => (URL.canParse(uri) ? new URL(uri).href.toLowerCase() : uri);
      const uri = plain(requireString(context, 'redirect_uri'));
      if (!context.client.redirectUris.some((known) => plain(known) === uri)) refuse('invalid_request', 'unregistered');
    }),
  }),
  defineFault({
    name: 'notification-uri-of-any-client',
    says: 'A notification_uri that some client registered is taken.',
    breaks: ['REQ-033'],
    apply: insteadOf('notification-uri-registered', (context) => {
      const uri = requireString(context, 'notification_uri');
      const known = [...context.accounts.clients.values()].some(({ notificationUris }) =>
        notificationUris.includes(uri),
      );
      if (!known) refuse('invalid_request', 'unregistered');
    }),
  }),
  defineFault({
    name: 'context-limit-255',
    says: 'context may be as long as a column of the carrier’s table.',
    breaks: ['REQ-074', 'REQ-077'],
    blinds: ['ERR-003'],
    apply: withPolicy({ contextMax: 255 }),
  }),
  defineFault({
    name: 'context-counted-raw',
    says: 'The escapes of context are counted as three characters each.',
    breaks: ['REQ-077'],
    apply: insteadOf('context-8-to-240', (context) => {
      const length = countCodePoints(optionalString(context, 'context') ?? 'absent00');
      if (length > context.policy.contextMax || length < context.policy.contextMin) refuse('invalid_request', 'length');
    }),
  }),
  defineFault({
    name: 'context-min-ignored',
    says: 'context may be shorter than 8 characters.',
    breaks: ['REQ-075'],
    apply: withPolicy({ contextMin: 0 }),
  }),
  defineFault({
    name: 'kid-ignored-first-key',
    says: 'kid is not looked at; the first registered key is used.',
    breaks: ['HDR-001', 'HDR-004'],
    blinds: ['HDR-003', 'SEC-04', 'SEC-13'],
    apply: withPipeline(() => ({
      readKey: reader('first-key', (context) => {
        const [key] = context.client.keys.values();
        return { ...context, key: key ?? refuse('invalid_client', 'no key') };
      }),
    })),
  }),
  defineFault({
    name: 'kid-ignored-any-key',
    says: 'kid is not looked at; every registered key is tried.',
    breaks: ['HDR-001', 'HDR-003'],
    apply: withPipeline(() => ({
      readKey: reader('any-key', (context) => {
        const fits = [...context.client.keys.values()].find(({ key, alg }) => verifyJws(context.jws, key, alg));
        return { ...context, key: fits ?? refuse('invalid_request_object', 'no key verifies') };
      }),
    })),
  }),
  defineFault({
    name: 'kid-required-always',
    says: 'kid is demanded of a client with one key, too.',
    breaks: ['HDR-002'],
    apply: withExtra('kid-is-there', ({ header }) => {
      if (!('kid' in header)) refuse('invalid_request_object', 'kid is required');
    }),
  }),
  defineFault({
    name: 'unknown-client-500',
    says: 'A client that is not registered ends in an internal error.',
    breaks: ['REQ-025', 'REQ-026', 'SEC-18', 'TRN-015'],
    apply: withPipeline(({ readClient }) => ({
      readClient: reader('client-or-500', (context) =>
        context.accounts.clients.has(stringMember(context.claims, 'client_id') ?? '')
          ? readClient.read(context)
          : refuse('server_error', 'the carrier failed', 500),
      ),
    })),
  }),
  defineFault({
    name: 'disabled-client-accepted',
    says: 'A client that was disabled goes on working.',
    breaks: ['REQ-026'],
    apply: withPipeline(({ readClient }) => ({
      readClient: reader('client-disabled-or-not', (context) => {
        const client = context.accounts.clients.get(stringMember(context.claims, 'client_id') ?? '');
        return client === undefined ? readClient.read(context) : { ...context, client };
      }),
    })),
  }),
  defineFault({
    name: 'unknown-claims-refused',
    says: 'A claim that the carrier does not know is refused.',
    breaks: ['REQ-087'],
    apply: withExtra('claims-known', ({ claims }) => {
      if (Object.keys(claims).some((name) => name.startsWith('x_'))) refuse('invalid_request', 'an unknown claim');
    }),
  }),
  defineFault({
    name: 'foreign-sub-accepted',
    says: 'The pairwise sub of another client is taken.',
    breaks: ['FLOW-007'],
    apply: withSubscriber(
      ({ claims, accounts }) => accounts.findSub(stringMember(claims, 'login_hint') ?? '')?.subscriber,
    ),
  }),
  defineFault({
    name: 'sub-names-the-person',
    says: 'sub is taken for the subscriber, as in other tokens, and pushed to instead of login_hint.',
    breaks: ['REQ-005'],
    apply: all(
      without('sub-is-the-client'),
      withSubscriber(({ claims, accounts }) => accounts.findSub(stringMember(claims, 'sub') ?? '')?.subscriber),
    ),
  }),
  defineFault({
    name: 'phone-without-enum',
    says: 'A phone number is taken from every client.',
    breaks: ['CFG-001', 'REQ-066', 'SEC-35'],
    apply: withSubscriber(({ claims, accounts }) => accounts.findPhone(stringMember(claims, 'login_hint') ?? '')),
  }),
  defineFault({
    name: 'unknown-user-500',
    says: 'An unknown subscriber ends in an internal error.',
    breaks: ['FLOW-004', 'REQ-063', 'REQ-066', 'SEC-35', 'SEC-36', 'TRN-015'],
    blinds: ['CFG-001', 'ERR-003', 'REQ-067'],
    apply: withPipeline(({ readSubscriber }) => ({
      readSubscriber: reader('subscriber-or-500', (context) =>
        context.accounts.findSub(stringMember(context.claims, 'login_hint') ?? '') === undefined
          ? refuse('server_error', 'the carrier failed', 500)
          : readSubscriber.read(context),
      ),
    })),
  }),
];

/** Looks for the subscriber in a way of its own first. */
function withSubscriber(
  find: (context: KeyContext) => ReturnType<KeyContext['accounts']['findPhone']>,
): Fault['apply'] {
  return withPipeline(({ readSubscriber }) => ({
    readSubscriber: reader('subscriber-by-a-looser-rule', (context) => {
      const subscriber = find(context);
      return subscriber === undefined ? readSubscriber.read(context) : { ...context, subscriber };
    }),
  }));
}
