import { type JsonObject, stringMember } from '../json.ts';
import { all, defineFault, withMakers, without, withPolicy } from './edit/define.ts';
import type { CarrierDefinition } from '../definition.ts';
import type { Grant } from '../flow/grants.ts';

/** On the life of a request, the phone and the polling there should not be: §1, §2.3 prompt, options, acr_values, §3. */
export const flowFaults = [
  defineFault({
    name: 'no-push',
    says: 'The request is accepted, and nothing reaches the phone.',
    breaks: ['FLOW-001', 'LHT-003', 'REQ-072'],
    blinds: ['FLOW-012'],
    apply: withMakers(({ card }) => ({
      card: (request, authentication) => ({ ...card(request, authentication), shown: false }),
    })),
  }),
  defineFault({
    name: 'callback-never-sent',
    says: 'Results wait to be fetched.',
    breaks: [
      'CB-001',
      'FLOW-002',
      'FLOW-003',
      'FLOW-015',
      'REQ-034',
      'REQ-039',
      'REQ-040',
      'REQ-044',
      'REQ-056',
      'REQ-057',
      'REQ-067',
      'REQ-069',
      'REQ-078',
      'REQ-079',
      'REQ-084',
      'REQ-085',
      'REQ-089',
      'REQ-090',
      'REQ-091',
      'REQ-092',
      'REQ-093',
      'RSP-006',
      'SEC-27',
      'SEC-31',
      'SEC-32',
      'SEC-40',
      'SEC-45',
      'TRN-016',
    ],
    blinds: 'what follows',
    apply: withMakers(() => ({ callbackCopies: () => 0 })),
  }),
  defineFault({
    name: 'second-callback-after-approve',
    says: 'Two nodes deliver the same approval.',
    breaks: ['CB-001', 'FLOW-002', 'FLOW-014', 'SEC-27'],
    apply: withMakers(() => ({ callbackCopies: (body) => ('error' in body ? 1 : 2) })),
  }),
  defineFault({
    name: 'unconsented-accepted',
    says: 'A subscriber who never consented to this SP can complete the flow.',
    breaks: ['FLOW-006', 'SEC-35'],
    apply: all(
      without('subscriber-consented-to-openid'),
      withMakers(() => ({ mayComplete: () => true })),
    ),
  }),
  defineFault({
    name: 'polling-answers',
    says: 'The token endpoint gives the tokens for an auth_req_id.',
    breaks: ['FLOW-010'],
    apply: (definition: CarrierDefinition) => ({
      ...definition,
      grants: { ...definition.grants, 'urn:openid:params:grant-type:ciba': pollingGrant },
    }),
  }),
  defineFault({
    name: 'never-times-out',
    says: 'A request stays on the phone until someone answers.',
    breaks: ['FLOW-012', 'FLOW-013', 'RSP-006'],
    apply: withMakers(() => ({ timesOutAt: () => undefined })),
  }),
  defineFault({
    name: 'times-out-early',
    says: 'A request is cancelled after half of the granted life.',
    breaks: ['FLOW-015', 'RSP-006'],
    blinds: ['FLOW-012', 'REQ-020'],
    apply: withMakers(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 500 })),
  }),
  defineFault({
    name: 'times-out-silently',
    says: 'A time-out cancels the request and tells nobody.',
    breaks: ['FLOW-013'],
    apply: withMakers(({ callbackCopies }) => ({
      callbackCopies: (body) => (body['error'] === 'authentication_timed_out' ? 0 : callbackCopies(body)),
    })),
  }),
  defineFault({
    name: 'timed-out-still-approved',
    says: 'The card stays after the time-out, and an approval is honoured.',
    breaks: ['FLOW-012', 'FLOW-014', 'RSP-006'],
    apply: withMakers(({ card }) => ({
      isOpen: ({ state }) => state === 'pending' || state === 'timed-out',
      card: (request, authentication) => ({
        ...card(request, authentication),
        shown: request.state === 'pending' || request.state === 'timed-out',
      }),
    })),
  }),
  defineFault({
    name: 'auth-req-id-short',
    says: 'auth_req_id has 8 characters after the prefix.',
    breaks: ['RSP-003', 'SEC-23'],
    apply: withMakers(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 13) })),
  }),
  defineFault({
    name: 'auth-req-id-with-hyphens',
    says: 'auth_req_id is a UUID.',
    breaks: ['RSP-003'],
    apply: withMakers(({ authReqId }) => ({
      authReqId: (wanted) => authReqId(wanted).replace(/^(ccid-.{8})(.{4})(.{4})/, '$1-$2-$3-'),
    })),
  }),
  defineFault({
    name: 'auth-req-id-sequential',
    says: 'auth_req_id is a counter.',
    breaks: ['SEC-23'],
    apply: (definition: CarrierDefinition) => {
      let next = 1;
      return withMakers(() => ({ authReqId: () => `ccid-${String(next++).padStart(32, '0')}` }))(definition);
    },
  }),
  defineFault({
    name: 'auth-req-id-from-correlation-id',
    says: 'auth_req_id is made from the SP’s correlation_id.',
    breaks: ['CB-004', 'FLOW-014', 'RSP-004', 'SEC-23'],
    crosses: true,
    apply: withMakers(({ authReqId }) => ({
      authReqId: (wanted) =>
        wanted.correlationId === undefined
          ? authReqId(wanted)
          : `ccid-${wanted.correlationId.replaceAll(/[^A-Za-z0-9]/g, '').padEnd(10, '0')}`,
    })),
  }),
  defineFault({
    name: 'consent-screen-skipped',
    says: 'prompt consent shows only the scopes that are new.',
    breaks: ['REQ-044'],
    apply: withMakers(({ consentScreen }) => ({
      consentScreen: (wanted, subscriber, client) => consentScreen({ ...wanted, prompt: [] }, subscriber, client),
    })),
  }),
  defineFault({
    name: 'context-before-consent',
    says: 'The context is approved before the new scopes.',
    breaks: ['REQ-080'],
    apply: changedCard((card) => ({ order: Array.isArray(card['order']) ? card['order'].toReversed() : [] })),
  }),
  defineFault({
    name: 'context-not-shown',
    says: 'The phone does not show the context.',
    breaks: ['REQ-072', 'REQ-078'],
    apply: changedCard(() => ({ context: null })),
  }),
  defineFault({
    name: 'context-decoded-on-the-phone',
    says: 'The context is percent-decoded once more before it is shown.',
    breaks: ['REQ-078'],
    apply: changedCard(({ context }) => ({ context: typeof context === 'string' ? percentDecoded(context) : null })),
  }),
  defineFault({
    name: 'login-not-forced',
    says: 'prompt login reuses an authentication of the last 30 minutes.',
    breaks: ['REQ-045', 'REQ-047', 'REQ-049'],
    apply: withPolicy({ loginReuse: 1800 }),
  }),
  defineFault({
    name: 'a1-asks-for-pin',
    says: 'acr_values a1 asks for the PIN like a3.',
    breaks: ['REQ-056'],
    apply: withMakers(({ authentication }) => ({
      authentication: (request, policy, now) => {
        const { acr: _, ...wanted } = request.wanted;
        return authentication({ ...request, wanted }, policy, now);
      },
    })),
  }),
  defineFault({
    name: 'a3-without-pin',
    says: 'acr_values a3 is approved by anyone who holds the phone.',
    breaks: ['REQ-045', 'REQ-047', 'REQ-049', 'REQ-057'],
    apply: withMakers(() => ({ authentication: () => 'none' as const })),
  }),
  defineFault({
    name: 'acr-always-a3',
    says: 'Every token says a3.',
    breaks: ['REQ-048', 'REQ-056'],
    apply: withMakers(() => ({ acr: () => 'a3' })),
  }),
  defineFault({
    name: 'colour-mode-ignored',
    says: 'light and dark change nothing.',
    breaks: ['REQ-050'],
    apply: changedCard(() => ({ colourMode: 'system' })),
  }),
  defineFault({
    name: 'dark-by-default',
    says: 'Without light or dark the app is dark.',
    breaks: ['REQ-051'],
    apply: changedCard(({ colourMode }) => ({ colourMode: colourMode === 'light' ? 'light' : 'dark' })),
  }),
  defineFault({
    name: 'local-redirect-ignored',
    says: 'The phone does not open redirect_uri.',
    breaks: ['REQ-053'],
    blinds: ['CB-026'],
    apply: withMakers(() => ({ openedUri: () => undefined })),
  }),
  defineFault({
    name: 'local-redirect-with-code',
    says: 'The phone opens redirect_uri with an auth code.',
    breaks: ['REQ-054'],
    apply: withMakers(({ openedUri }) => ({
      openedUri: (request) => {
        const uri = openedUri(request);
        return uri === undefined ? undefined : `${uri}${uri.includes('?') ? '&' : '?'}code=c0de`;
      },
    })),
  }),
  defineFault({
    name: 'local-redirect-always',
    says: 'The phone opens redirect_uri unasked.',
    breaks: ['CB-026'],
    apply: withMakers(({ openedUri }) => ({
      openedUri: (request) => openedUri({ ...request, wanted: { ...request.wanted, options: ['local_redirect'] } }),
    })),
  }),
] as const;

function changedCard(change: (card: JsonObject) => JsonObject) {
  return withMakers(({ card }) => ({
    card: (request, authentication) => {
      const shown = card(request, authentication);
      return { ...shown, ...change(shown) };
    },
  }));
}

function percentDecoded(text: string): string {
  return text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The grant of CIBA §10.1.1, to anyone who asks. */
const pollingGrant: Grant = ({ carrier, parameters }) => {
  const found = carrier.requests.get(stringMember(parameters, 'auth_req_id') ?? '');
  return found?.state === 'completed'
    ? { access_token: 'polled', token_type: 'Bearer', expires_in: 1800 }
    : { error: 'authorization_pending' };
};
