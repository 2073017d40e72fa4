import type { Carrier, CarrierDefinition, Grant } from '../../carrier/carrier.ts';
import { subscriberConsentedToOpenid } from '../../carrier/checks/subscriber.ts';
import { recordApproval } from '../../carrier/flow/outcomes.ts';
import { readRequestPart } from '../../carrier/http/request.ts';
import { type JsonObject, stringMember } from '../../carrier/json.ts';
import { authenticateClient } from '../../carrier/endpoints/credentials.ts';
import { refuse } from '../../carrier/refusal.ts';
import { type AuthorizationRequest, makeAuthReqId, type RequestState } from '../../carrier/state/requests.ts';
import { combineEdits, defineFaults, type Edit, freshEdit } from '../edit/fault-table.ts';
import {
  changeFailure,
  changeRefusal,
  changeResponseBody,
  changeTimeOut,
  mergeMembers,
  omitMembers,
} from '../edit/messages.ts';
import { replaceSubscriberCheck, withBuilders, withPolicy, withRoutes } from '../../carrier/seams/definition-parts.ts';

/** Same, but only for the client that made the request, whatever its state. */
const anyStateGrant: Grant = (call) => {
  const client = authenticateClient(call);
  const found = call.carrier.requests.get(stringMember(call.parameters, 'auth_req_id') ?? '');
  return found?.client === client
    ? { access_token: 'polled', token_type: 'Bearer', expires_in: 1800 }
    : { error: 'invalid_grant' };
};

const ciba = 'urn:openid:params:grant-type:ciba';

const withGrant =
  (grant: Grant): Edit =>
  (definition) => ({
    ...definition,
    grants: { ...definition.grants, [ciba]: grant },
  });

/** Keeps the card on the phone in this state. */
const keepCard = (state: RequestState, of: (request: AuthorizationRequest) => boolean = () => true): Edit =>
  withBuilders(({ card }) => ({
    card: (request, authentication) => ({
      ...card(request, authentication),
      ...(request.state === state && of(request) ? { shown: true } : {}),
    }),
  }));

const stayOpenIn = (state: RequestState): Edit =>
  withBuilders(({ isOpen }) => ({ isOpen: (request) => isOpen(request) || request.state === state }));

/** Members that turn an error callback into one with tokens. */
const tokensInstead = {
  error: undefined,
  error_description: undefined,
  access_token: 'silence',
  token_type: 'Bearer',
  expires_in: 60,
} as const;

const withoutCorrelationId = {
  except: {
    'correlation-id-of-errors': 'what brings tokens must have the correlation_id that such an error leaves out',
  },
};

const neverConsented = ({ subscriber, client }: Pick<AuthorizationRequest, 'subscriber' | 'client'>): boolean =>
  subscriber.consents.get(client.name) === undefined;

/** Ends requests of this kind after `seconds`, with tokens. */
const timeOutIntoTokens = (isSo: (request: AuthorizationRequest) => boolean, seconds: number): Edit =>
  combineEdits(
    withBuilders(({ timesOutAt }) => ({
      timesOutAt: (request) => (isSo(request) ? request.receivedAt + seconds * 1000 : timesOutAt(request)),
    })),
    changeTimeOut(({ request }) => (isSo(request) ? tokensInstead : {})),
  );

/** Faults of the life of a request, its auth_req_id and its 200: §1.2, §2.4, §3. */
export const serverInitiatedFlowFaults = defineFaults({
  'tokens-in-the-answer': [
    'The 200 already carries a token.',
    'FLOW-011',
    changeResponseBody(() => ({ access_token: 'early' })),
  ],
  'expires-in-missing': [
    'The 200 leaves expires_in out.',
    'RSP-005',
    changeResponseBody(() => ({ expires_in: undefined })),
  ],
  'expires-in-with-blanks': [
    'expires_in of the 200 has the blank that the published pattern allows (C7.13).',
    'RSP-005',
    changeResponseBody(({ expires_in }) => ({ expires_in: `ccid- ${JSON.stringify(expires_in)}` })),
  ],
  'granted-more-than-asked': [
    'A request lives an hour, whatever expires_in was.',
    'RSP-006',
    withBuilders(() => ({ granted: () => 3600 })),
    { keeps: 'another fault shows the same, and carriers have either' },
  ],
  'polling-whatever-the-state': [
    'A client that authenticates gets a token for its auth_req_id, also before the user has decided (C2.3).',
    'FLOW-010',
    withGrant(anyStateGrant),
  ],
  'unknown-subscriber-accepted': [
    'A login_hint that names no subscriber gets a 200, and no callback follows (C1.5).',
    'FLOW-004 REQ-066 REQ-099 CFG-001 SEC-35 SEC-36',
    combineEdits(
      withPolicy({ unknownHintError: 'nobody' }),
      changeRefusal(({ body }) =>
        body['error'] === 'nobody'
          ? { status: 200, body: { ...omitMembers(body, 'error', 'error_description'), ...acceptedMembers() } }
          : {},
      ),
    ),
  ],
  'approval-of-everything': [
    'An approval completes every request that waits for the user (C4.2).',
    'FLOW-017',
    approveAll,
    { stateful: true, except: { 'waiting-pushes': 'few requests wait at once' } },
  ],
  'approved-and-then-denied': [
    'A request that was approved can still be denied, and both are delivered (C1.4, C4.2).',
    'FLOW-014 SEC-27',
    stayOpenIn('completed'),
  ],
  'time-out-approves': [
    'A request without an answer is taken for approved when its time is up (C1.5).',
    'FLOW-012 FLOW-013 RSP-006',
    changeTimeOut(() => tokensInstead),
    {
      ...withoutCorrelationId,
      except: { ...withoutCorrelationId.except, 'code-timed-out/access-denied': 'a denial has the same code' },
    },
  ],
  'tokens-without-consent': [
    'A subscriber who never consented gets no push, and the SP gets tokens after 10 seconds (P13, C8.2).',
    'FLOW-006 SEC-35',
    combineEdits(
      replaceSubscriberCheck('subscriber-consented-to-openid', (context) => {
        if (!neverConsented(context)) subscriberConsentedToOpenid.run(context);
      }),
      timeOutIntoTokens(neverConsented, 10),
    ),
    withoutCorrelationId,
  ],
  'denial-brings-tokens': [
    'The buttons of the phone are the wrong way round for prompt login: a denial brings tokens (P13).',
    'FLOW-003',
    (definition) => {
      const { deniedError } = definition.policy;
      return changeFailure((_, { request, error }) =>
        request.wanted.prompt.includes('login') && error === deniedError ? tokensInstead : {},
      )(definition);
    },
    withoutCorrelationId,
  ],
  'tokens-after-denial': [
    'A denial is called back, and 5 seconds later tokens as well (P13).',
    'FLOW-014 FLOW-003 SEC-27',
    sendTokensLater,
    withoutCorrelationId,
  ],
  'card-stays-after-approval': [
    'An approved request stays on the phone until it is wiped away (C3.3).',
    'FLOW-016',
    keepCard('completed'),
  ],
  'card-stays-after-denial': [
    'A denied request stays on the phone until it is wiped away (C3.3).',
    'FLOW-016',
    keepCard('denied'),
  ],
  'times-out-early': [
    'A request is cancelled after half of the granted life.',
    'FLOW-015 RSP-006',
    withBuilders(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 500 })),
  ],
  'times-out-silently': [
    'A time-out cancels the request and sends no callback.',
    'FLOW-013',
    (definition) => {
      const { timedOutError } = definition.policy;
      return withBuilders(({ callbackCopies }) => ({
        callbackCopies: (body) => (body['error'] === timedOutError ? 0 : callbackCopies(body)),
      }))(definition);
    },
  ],
  'auth-req-id-short': [
    'auth_req_id has 8 characters after the prefix.',
    'RSP-003 SEC-23',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 13) })),
    {
      keeps: 'docs/spot-checks.md shows it',
      except: { 'auth-req-id/one-beginning': 'what is left is the same in all ids' },
    },
  ],
  'auth-req-id-counted': [
    'auth_req_id is a number that goes up by one.',
    'SEC-23',
    freshEdit(() => {
      let last = 0;
      return withBuilders(({ authReqId }) => ({
        authReqId: (wanted) => {
          last += 1;
          return `${authReqId(wanted).slice(0, 5)}${String(last).padStart(28, '0')}`;
        },
      }));
    }),
    { stateful: true, except: { 'auth-req-id/one-beginning': 'what is left is the same in all ids' } },
  ],
  'auth-req-id-with-hyphens': [
    'auth_req_id is a UUID.',
    'RSP-003',
    withBuilders(({ authReqId }) => ({
      authReqId: (wanted) => authReqId(wanted).replace(/^(ccid-.{8})(.{4})(.{4})/, '$1-$2-$3-'),
    })),
    { keeps: 'the foreign carriers have the same defect' },
  ],
  'auth-req-id-from-correlation-id': [
    'auth_req_id is made from the SP’s correlation_id.',
    'RSP-004 SEC-23 FLOW-014 CB-004 FLOW-002 FLOW-003 REQ-040 REQ-079 CB-008 CB-010 SEC-31',
    withBuilders(({ authReqId }) => ({
      authReqId: (wanted) =>
        wanted.correlationId === undefined
          ? authReqId(wanted)
          : `ccid-${wanted.correlationId.replaceAll(/[^A-Za-z0-9]/g, '').padEnd(10, '0')}`,
    })),
    { stateful: true },
  ],
  'auth-req-id-of-201': [
    'auth_req_id has 201 characters after the prefix.',
    'RSP-003',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).padEnd(206, 'x') })),
    { keeps: 'src/cli/run/beside.test.ts runs with it' },
  ],
  'times-out-a-minute-late': [
    'A request is cancelled a minute after its granted life.',
    'FLOW-012 RSP-006 FLOW-013',
    withBuilders(() => ({ timesOutAt: ({ receivedAt, granted }) => receivedAt + granted * 1000 + 60_000 })),
  ],
  'granted-a-second-more': [
    'A second is added to the requested life, so that it is never zero.',
    'RSP-006',
    withBuilders(({ granted }) => ({ granted: (wanted, policy) => granted(wanted, policy) + 1 })),
    { keeps: 'another fault shows the same, and carriers have either' },
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
          const found = requests.get(stringMember(readRequestPart(request, 'params'), 'id') ?? '');
          return reply.send({ state: found?.state ?? refuse('invalid_request', 'there is no such request', 404) });
        },
      },
    })),
  ],
});

/** Members of the 200 of an accepted request. */
function acceptedMembers(): JsonObject {
  return { auth_req_id: makeAuthReqId(), expires_in: 300 };
}

/** Completes every other request that waits for the user, on an approval. */
function approveAll(definition: CarrierDefinition): CarrierDefinition {
  const known = new Set<Carrier>();
  const seeing = withRoutes(({ serverInitiated: route }) => ({
    serverInitiated: route && {
      ...route,
      respond: (carrier, request, reply) => {
        known.add(carrier);
        return route.respond(carrier, request, reply);
      },
    },
  }));
  const completing = withBuilders(({ success }) => ({
    success: (approval, tokens) => {
      const { id, subscriber } = approval.request;
      const [carrier] = [...known].filter(({ requests }) => id !== undefined && requests.get(id) === approval.request);
      // Only pending requests are approved, so the recursion ends.
      const others = [...(carrier?.requests.values() ?? [])].filter(
        (one) => one.state === 'pending' && one.subscriber === subscriber,
      );
      for (const one of others)
        if (carrier !== undefined && one.state === 'pending') recordApproval(carrier, one, one.wanted.scopes);
      return success(approval, tokens);
    },
  }));
  return combineEdits(seeing, completing)(definition);
}

/** Calls back a denial, and some seconds later the same request with tokens. */
function sendTokensLater(definition: CarrierDefinition): CarrierDefinition {
  const { deniedError } = definition.policy;
  const seeing = withRoutes(({ serverInitiated: route }) => ({
    serverInitiated: route && {
      ...route,
      respond: (carrier, request, reply) => {
        carriers.add(carrier);
        return route.respond(carrier, request, reply);
      },
    },
  }));
  const carriers = new Set<Carrier>();
  const twice = withBuilders(({ failure, callbackUri, callbackHeaders }) => ({
    failure: (failed) => {
      const body = failure(failed);
      const [carrier] = [...carriers].filter(({ requests }) => requests.get(failed.request.id) === failed.request);
      if (failed.error === deniedError && carrier !== undefined) {
        const later = mergeMembers(body, tokensInstead);
        const { policy, content } = carrier.definition;
        carrier.deliveries.send({
          uri: callbackUri(failed.request, later),
          headers: callbackHeaders(failed.request, policy),
          body: () => later,
          write: content.callback,
          delay: policy.callbackDelay + 5,
          deadline: policy.callbackDeadline,
          retries: 0,
          retryAfter: policy.callbackRetryAfter,
          confirms: () => true,
        });
      }
      return body;
    },
  }));
  return combineEdits(seeing, twice)(definition);
}
