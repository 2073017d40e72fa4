import type { CarrierDefinition, Grant } from '../carrier.ts';
import { memberOf } from '../http/request.ts';
import { stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';
import { defineFaults } from './edit/define.ts';
import { respondingWith } from './edit/messages.ts';
import { withBuilders, withRoutes } from './edit/parts.ts';

/** The grant of CIBA §10.1.1, to anyone who asks. */
const pollingGrant: Grant = ({ carrier, parameters }) => {
  const found = carrier.requests.get(stringMember(parameters, 'auth_req_id') ?? '');
  return found?.state === 'completed'
    ? { access_token: 'polled', token_type: 'Bearer', expires_in: 1800 }
    : { error: 'authorization_pending' };
};

/** On the life of a request, its auth_req_id and its 200: §1.2, §2.4, §3. */
export const serverInitiatedFlowFaults = defineFaults({
  'tokens-in-the-answer': [
    'The 200 already carries a token.',
    'FLOW-011',
    respondingWith(() => ({ access_token: 'early' })),
  ],
  'expires-in-missing': [
    'The 200 leaves expires_in out.',
    'RSP-005',
    respondingWith(() => ({ expires_in: undefined })),
    { masks: 'CB-011 CB-023 FLOW-003 FLOW-012 FLOW-013 FLOW-014 FLOW-015 REQ-020 RSP-006' },
  ],
  'expires-in-published-pattern': [
    'expires_in of the 200 follows the published pattern to the letter.',
    'RSP-005',
    respondingWith(({ expires_in }) => ({ expires_in: `ccid-${JSON.stringify(expires_in)}` })),
  ],
  'granted-more-than-asked': [
    'A request lives an hour, whatever expires_in was.',
    'RSP-006',
    withBuilders(() => ({ granted: () => 3600 })),
    { masks: 'SEC-46' },
  ],
  'no-push': [
    'The request is accepted, and nothing reaches the phone.',
    'FLOW-001 LHT-003 REQ-072',
    withBuilders(({ card }) => ({
      card: (request, authentication) => ({ ...card(request, authentication), shown: false }),
    })),
    { masks: 'FLOW-012' },
  ],
  'polling-answers': [
    'The token endpoint gives the tokens for an auth_req_id.',
    'FLOW-010',
    (definition: CarrierDefinition) => ({
      ...definition,
      grants: { ...definition.grants, 'urn:openid:params:grant-type:ciba': pollingGrant },
    }),
  ],
  'never-times-out': [
    'A request stays on the phone until the user acts.',
    'FLOW-012 FLOW-013 RSP-006',
    withBuilders(() => ({ timesOutAt: () => undefined })),
  ],
  'times-out-early': [
    'A request is cancelled after half of the granted life.',
    'FLOW-015 RSP-006',
    withBuilders(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 500 })),
    { masks: 'FLOW-012 REQ-020' },
  ],
  'times-out-silently': [
    'A time-out cancels the request and sends no callback.',
    'FLOW-013',
    withBuilders(({ callbackCopies }) => ({
      callbackCopies: (body) => (body['error'] === 'authentication_timed_out' ? 0 : callbackCopies(body)),
    })),
  ],
  'timed-out-still-approved': [
    'The card stays after the time-out, and an approval is honoured.',
    'FLOW-012 FLOW-014 RSP-006',
    withBuilders(({ card }) => ({
      isOpen: ({ state }) => state === 'pending' || state === 'timed-out',
      card: (request, authentication) => ({
        ...card(request, authentication),
        shown: request.state === 'pending' || request.state === 'timed-out',
      }),
    })),
  ],
  'auth-req-id-short': [
    'auth_req_id has 8 characters after the prefix.',
    'RSP-003 SEC-23',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 13) })),
  ],
  'auth-req-id-with-hyphens': [
    'auth_req_id is a UUID.',
    'RSP-003',
    withBuilders(({ authReqId }) => ({
      authReqId: (wanted) => authReqId(wanted).replace(/^(ccid-.{8})(.{4})(.{4})/, '$1-$2-$3-'),
    })),
  ],
  'auth-req-id-sequential': [
    'auth_req_id is a counter.',
    'SEC-23',
    (definition: CarrierDefinition) => {
      let next = 1;
      return withBuilders(() => ({ authReqId: () => `ccid-${String(next++).padStart(32, '0')}` }))(definition);
    },
  ],
  'auth-req-id-from-correlation-id': [
    'auth_req_id is made from the SP’s correlation_id.',
    'CB-004 FLOW-014 RSP-004 SEC-23',
    withBuilders(({ authReqId }) => ({
      authReqId: (wanted) =>
        wanted.correlationId === undefined
          ? authReqId(wanted)
          : `ccid-${wanted.correlationId.replaceAll(/[^A-Za-z0-9]/g, '').padEnd(10, '0')}`,
    })),
    { stateful: true },
  ],
  'auth-req-id-of-9': [
    'auth_req_id has 9 characters after the prefix.',
    'RSP-003 SEC-23',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 14) })),
  ],
  'auth-req-id-of-201': [
    'auth_req_id has 201 characters after the prefix.',
    'RSP-003',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).padEnd(206, 'x') })),
  ],
  'auth-req-id-of-21': [
    'auth_req_id has 21 characters after the prefix, which hold less than 128 bits.',
    'SEC-23',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 26) })),
  ],
  'times-out-a-minute-late': [
    'A request is cancelled a minute after its granted life.',
    'FLOW-012 RSP-006',
    withBuilders(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 1000 + 60_000 })),
  ],
  'times-out-10-seconds-early': [
    'A request is cancelled ten seconds before the end of its granted life.',
    'FLOW-015 RSP-006',
    withBuilders(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 1000 - 10_000 })),
    { masks: 'FLOW-012 REQ-020' },
  ],
  'granted-a-second-more': [
    'A second is added to the requested life, so that it is never zero.',
    'RSP-006',
    withBuilders(({ granted }) => ({ granted: (wanted, policy) => granted(wanted, policy) + 1 })),
  ],
  'request-status-readable': [
    'A GET below the server-initiated endpoint shows how a request stands.',
    'FLOW-010',
    withRoutes(({ serverInitiated: route }) => ({
      status: route && {
        ...route,
        path: `${route.path}/:id`,
        methods: ['GET'],
        respond: ({ requests }, request, reply) => {
          const found = requests.get(stringMember(memberOf(request, 'params'), 'id') ?? '');
          return reply.send({ state: found?.state ?? refuse('invalid_request', 'there is no such request', 404) });
        },
      },
    })),
  ],
});
