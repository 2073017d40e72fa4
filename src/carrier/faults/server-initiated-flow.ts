import type { CarrierDefinition, Grant } from '../carrier.ts';
import { memberOf } from '../http/request.ts';
import { stringMember } from '../json.ts';
import { refuse } from '../refusal.ts';
import { defineFaults, ruleIds } from './edit/define.ts';
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
  'tokens-in-the-answer': {
    description: 'The 200 already carries a token.',
    breaks: ['FLOW-011'],
    apply: respondingWith(() => ({ access_token: 'early' })),
  },
  'expires-in-missing': {
    description: 'The 200 leaves expires_in out.',
    breaks: ['RSP-005'],
    masks: ruleIds('CB-011 CB-023 FLOW-003 FLOW-012 FLOW-013 FLOW-014 FLOW-015 REQ-020 RSP-006'),
    apply: respondingWith(() => ({ expires_in: undefined })),
  },
  'expires-in-published-pattern': {
    description: 'expires_in of the 200 follows the published pattern to the letter.',
    breaks: ['RSP-005'],
    apply: respondingWith(({ expires_in }) => ({ expires_in: `ccid-${JSON.stringify(expires_in)}` })),
  },
  'granted-more-than-asked': {
    description: 'A request lives an hour, whatever expires_in was.',
    breaks: ['RSP-006'],
    masks: ['SEC-46'],
    apply: withBuilders(() => ({ granted: () => 3600 })),
  },
  'no-push': {
    description: 'The request is accepted, and nothing reaches the phone.',
    breaks: ['FLOW-001', 'LHT-003', 'REQ-072'],
    masks: ['FLOW-012'],
    apply: withBuilders(({ card }) => ({
      card: (request, authentication) => ({ ...card(request, authentication), shown: false }),
    })),
  },
  'polling-answers': {
    description: 'The token endpoint gives the tokens for an auth_req_id.',
    breaks: ['FLOW-010'],
    apply: (definition: CarrierDefinition) => ({
      ...definition,
      grants: { ...definition.grants, 'urn:openid:params:grant-type:ciba': pollingGrant },
    }),
  },
  'never-times-out': {
    description: 'A request stays on the phone until the user acts.',
    breaks: ['FLOW-012', 'FLOW-013', 'RSP-006'],
    apply: withBuilders(() => ({ timesOutAt: () => undefined })),
  },
  'times-out-early': {
    description: 'A request is cancelled after half of the granted life.',
    breaks: ['FLOW-015', 'RSP-006'],
    masks: ['FLOW-012', 'REQ-020'],
    apply: withBuilders(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 500 })),
  },
  'times-out-silently': {
    description: 'A time-out cancels the request and sends no callback.',
    breaks: ['FLOW-013'],
    apply: withBuilders(({ callbackCopies }) => ({
      callbackCopies: (body) => (body['error'] === 'authentication_timed_out' ? 0 : callbackCopies(body)),
    })),
  },
  'timed-out-still-approved': {
    description: 'The card stays after the time-out, and an approval is honoured.',
    breaks: ['FLOW-012', 'FLOW-014', 'RSP-006'],
    apply: withBuilders(({ card }) => ({
      isOpen: ({ state }) => state === 'pending' || state === 'timed-out',
      card: (request, authentication) => ({
        ...card(request, authentication),
        shown: request.state === 'pending' || request.state === 'timed-out',
      }),
    })),
  },
  'auth-req-id-short': {
    description: 'auth_req_id has 8 characters after the prefix.',
    breaks: ['RSP-003', 'SEC-23'],
    apply: withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 13) })),
  },
  'auth-req-id-with-hyphens': {
    description: 'auth_req_id is a UUID.',
    breaks: ['RSP-003'],
    apply: withBuilders(({ authReqId }) => ({
      authReqId: (wanted) => authReqId(wanted).replace(/^(ccid-.{8})(.{4})(.{4})/, '$1-$2-$3-'),
    })),
  },
  'auth-req-id-sequential': {
    description: 'auth_req_id is a counter.',
    breaks: ['SEC-23'],
    apply: (definition: CarrierDefinition) => {
      let next = 1;
      return withBuilders(() => ({ authReqId: () => `ccid-${String(next++).padStart(32, '0')}` }))(definition);
    },
  },
  'auth-req-id-from-correlation-id': {
    description: 'auth_req_id is made from the SP’s correlation_id.',
    breaks: ['CB-004', 'FLOW-014', 'RSP-004', 'SEC-23'],
    stateful: true,
    apply: withBuilders(({ authReqId }) => ({
      authReqId: (wanted) =>
        wanted.correlationId === undefined
          ? authReqId(wanted)
          : `ccid-${wanted.correlationId.replaceAll(/[^A-Za-z0-9]/g, '').padEnd(10, '0')}`,
    })),
  },
  'auth-req-id-of-9': {
    description: 'auth_req_id has 9 characters after the prefix.',
    breaks: ['RSP-003', 'SEC-23'],
    apply: withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 14) })),
  },
  'auth-req-id-of-201': {
    description: 'auth_req_id has 201 characters after the prefix.',
    breaks: ['RSP-003'],
    apply: withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).padEnd(206, 'x') })),
  },
  'auth-req-id-of-21': {
    description: 'auth_req_id has 21 characters after the prefix, which hold less than 128 bits.',
    breaks: ['SEC-23'],
    apply: withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 26) })),
  },
  'times-out-a-minute-late': {
    description: 'A request is cancelled a minute after its granted life.',
    breaks: ['FLOW-012', 'RSP-006'],
    apply: withBuilders(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 1000 + 60_000 })),
  },
  'times-out-10-seconds-early': {
    description: 'A request is cancelled ten seconds before the end of its granted life.',
    breaks: ['FLOW-015', 'RSP-006'],
    masks: ['FLOW-012', 'REQ-020'],
    apply: withBuilders(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 1000 - 10_000 })),
  },
  'granted-a-second-more': {
    description: 'A second is added to the requested life, so that it is never zero.',
    breaks: ['RSP-006'],
    apply: withBuilders(({ granted }) => ({ granted: (wanted, policy) => granted(wanted, policy) + 1 })),
  },
  'request-status-readable': {
    description: 'A GET below the server-initiated endpoint shows how a request stands.',
    breaks: ['FLOW-010'],
    apply: withRoutes(({ serverInitiated: route }) => ({
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
  },
});
