import { summarizeResponse } from '../../judge/classify.ts';
import type {
  ResponseObservation,
  AwaitObservation,
  CallbackObservation,
  LookObservation,
  RequestHistory,
} from '../../judge/observation.ts';

/** 2026-01-01T00:00:00Z in seconds. */
export const observedStart = 1_767_225_600;

const claims = {
  iss: 'ccid-conftestclient01',
  client_id: 'ccid-conftestclient01',
  iat: observedStart,
  expires_in: 300,
  jti: '6f1c2a9e7b3d4c58',
  redirect_uri: 'https://sp.test/cb',
  notification_uri: 'https://sp.test/si/notify',
  client_notification_token: '8d67dc78-7faa-4d41-aabd-67707b374255',
  scope: 'openid name',
  state: 'st-0001',
  nonce: 'n-0S6WzA2Mj',
  login_hint: '001010-8f3a1c5e9b7d4e20a6c1',
  context: 'Approve-order-4711',
  correlation_id: 'conf-run-000123',
};

/** Builders of observations: each returns the engine's plain one for an accepted request; `parts` override it. */
export function buildResponse(parts: Partial<ResponseObservation> = {}): ResponseObservation {
  const status = parts.status ?? 200;
  const outcome = parts.outcome ?? (status === 200 ? 'accepted' : 'denied');
  return {
    kind: 'response',
    step: 'request',
    message: 'a-case#x1',
    sentAt: observedStart,
    receivedAt: observedStart + 0.2,
    claims,
    usual: true,
    readable: 'verified',
    url: 'https://op.carrier.test/bc-authorize',
    took: 12,
    samples: [12],
    status,
    headers: { 'content-type': 'application/json' },
    headerLines: [['Content-Type', 'application/json']],
    body: { auth_req_id: 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g', expires_in: '300', correlation_id: 'conf-run-000123' },
    text: '',
    outcome,
    summary: summarizeResponse(outcome, status, parts.body),
    granted: 300,
    ...parts,
  };
}

/** A refusal with this error. */
export function buildRefusal(error: string, parts: Partial<ResponseObservation> = {}): ResponseObservation {
  const { granted: _, ...response } = buildResponse({
    status: 400,
    body: { correlation_id: 'conf-run-000123', error },
    ...parts,
  });
  return response;
}

/** An exchange without response. */
export function buildSilence(reason: NonNullable<ResponseObservation['noResponse']>): ResponseObservation {
  const { status: _, body: __, granted: ___, ...response } = buildResponse();
  return {
    ...response,
    outcome: 'no-answer',
    noResponse: reason,
    headers: {},
    headerLines: [],
    summary: `no answer: ${reason}`,
  };
}

export function buildTokens(parts: Partial<CallbackObservation> = {}): CallbackObservation {
  return {
    kind: 'callback',
    message: 'a-case#d1',
    receivedAt: observedStart + 10,
    method: 'POST',
    target: '/si/notify',
    headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' },
    headerLines: [['Authorization', 'bearer 8d67dc78-7faa-4d41-aabd-67707b374255']],
    body: {
      auth_req_id: 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g',
      correlation_id: 'conf-run-000123',
      state: 'st-0001',
      scope: 'openid name',
      access_token: 'opaque-access-token',
    },
    text: '',
    idToken: {
      sub: '001010-8f3a1c5e9b7d4e20a6c1',
      nonce: 'n-0S6WzA2Mj',
      auth_time: observedStart + 5,
      context: 'Approve-order-4711',
    },
    tokens: true,
    error: false,
    sent: buildResponse(),
    ...parts,
  };
}

/** History of a request without driver calls. */
export const buildHistory = (parts: Partial<RequestHistory> = {}): RequestHistory => ({
  request: 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g',
  calls: [],
  ofSubscriber: [],
  ofClient: [],
  tags: ['consented'],
  flags: {},
  registered: ['/si/notify'],
  settles: 60,
  earlier: 0,
  isDriven: true,
  ...parts,
});

export function buildDenial(error = 'request_denied', parts: Partial<CallbackObservation> = {}): CallbackObservation {
  const { idToken: _, ...callback } = buildTokens({
    body: { auth_req_id: 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g', state: 'st-0001', error },
    tokens: false,
    error: true,
    ...parts,
  });
  return callback;
}

export function buildAwait(
  deliveries: readonly CallbackObservation[],
  parts: Partial<AwaitObservation> = {},
): AwaitObservation {
  const last = deliveries.at(-1);
  return {
    kind: 'await',
    step: 'deliveries',
    sentAt: observedStart,
    until: observedStart + 30,
    deliveries,
    count: deliveries.length,
    sent: buildResponse(),
    summary: deliveries.length === 0 ? 'no callback within 30 s' : 'a callback',
    ...(last?.body === undefined ? {} : { body: last.body }),
    ...(last?.idToken === undefined ? {} : { idToken: last.idToken }),
    ...(last === undefined ? {} : { headers: last.headers, receivedAt: last.receivedAt, message: last.message }),
    ...parts,
  };
}

export function buildLook(card: LookObservation['card'], parts: Partial<LookObservation> = {}): LookObservation {
  return {
    kind: 'look',
    step: 'look',
    sentAt: observedStart,
    card,
    sent: buildResponse(),
    summary: 'what the phone shows',
    ...parts,
  };
}
