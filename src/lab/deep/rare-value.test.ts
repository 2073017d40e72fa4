import { rareValueFaults } from './rare-value.ts';
import {
  postProbe,
  findCallback,
  type ClaimChanges,
  decideRequest,
  proveFaults,
  type ProbeRow,
  status,
  statusWith,
} from '../testing/probes.ts';

/** Statuses of requests that differ in these claims. */
const statuses =
  (...claims: readonly ClaimChanges[]): ProbeRow[0] =>
  async (setup) => {
    const found: number[] = [];
    for (const more of claims) found.push((await postProbe(setup, more)).status);
    return found;
  };

/** Authorization of the callback for this notification token; the status, if the request is refused. */
const bearerOf =
  (token: string): ProbeRow[0] =>
  async (setup) => {
    const { answer, callback } = await decideRequest(setup, { client_notification_token: token });
    return answer.status === 200 ? callback?.headers.authorization : answer.status;
  };

const comparedRows: Readonly<Record<string, ProbeRow>> = {
  'jti-of-an-object-member-taken': [status({ jti: 'constructor' }), 200, 400],
  'jti-kept-as-a-double': [
    statuses({ jti: '1767225600000000001' }, { jti: '1767225600000000002' }),
    [200, 200],
    [200, 400],
  ],
  'jti-zero-is-none': [statuses({ jti: '0' }, { jti: '0' }), [200, 400], [200, 200]],
  'correlation-id-hyphen-in-front-refused': [status({ correlation_id: '-4711' }), 200, 400],
  'exp-in-milliseconds-understood': [statusWith((setup) => ({ exp: (setup.now() + 240) * 1000 })), 400, 200],
  'acr-normalized': [status({ acr_values: '\uff41\uff13' }), 400, 200],
  'acr-with-a-line-break-behind': [status({ acr_values: 'a3\n' }), 400, 200],
  'iss-compared-by-locale': [status({ iss: 'ccid-conftest\u00adclient01' }), 400, 200],
  'redirect-uri-host-dot-ignored': [status({ redirect_uri: 'https://sp.test./cb' }), 400, 200],
  'aud-query-ignored': [statusWith((setup) => ({ aud: `${setup.carrier.origin}?tenant=2` })), 400, 200],
  'login-hint-as-a-pattern': [status({ login_hint: '001010-c8ea0b1f1004b%' }), 400, 200],
  'notification-token-unpadded': [bearerOf('c3AtMQ=='), 'Bearer c3AtMQ==', 'Bearer c3AtMQ'],
};

/** state of the callback with tokens and of the one with an error. */
const stateOf =
  (state: string): ProbeRow[0] =>
  async (setup) => {
    const approved = await decideRequest(setup, { state });
    return [approved.body['state'], (await decideRequest(setup, { state }, { act: 'deny' })).body['state']];
  };

const nonceOf =
  (nonce: string): ProbeRow[0] =>
  async (setup) =>
    (await decideRequest(setup, { nonce })).idToken['nonce'];

/** Context on the phone and in the id token. */
const contextOf =
  (context: string): ProbeRow[0] =>
  async (setup) => {
    const { card, idToken } = await decideRequest(setup, { context });
    return [card['context'], idToken['context']];
  };

/** Error code of the callback, if it came within this many seconds after the request. */
const errorAfter =
  (seconds: number, more: ClaimChanges): ProbeRow[0] =>
  async (setup) => {
    const answer = await postProbe(setup, more);
    await setup.move(seconds);
    return findCallback(setup, answer)?.body['error'];
  };

const twice = (text: unknown): unknown[] => [text, text];

const textRows: Readonly<Record<string, ProbeRow>> = {
  'state-zero-width-dropped': [stateOf('a\u200db'), twice('a\u200db'), twice('ab')],
  'state-raw-in-the-opened-uri': [
    async (setup) => (await decideRequest(setup, { state: 'a&b=c', options: 'local_redirect' })).cardAfter['openedUri'],
    'https://sp.test/cb?state=a%26b%3Dc',
    'https://sp.test/cb?state=a&b=c',
  ],
  'nonce-length-in-one-byte': [nonceOf('n'.repeat(260)), 'n'.repeat(260), 'nnnn'],
  'nonce-percent-decoded': [nonceOf('n%2B1'), 'n%2B1', 'n+1'],
  'granted-life-in-16-bits': [errorAfter(4470, { expires_in: 70_000 }), undefined, 'authentication_timed_out'],
  'context-formatted': [
    contextOf('Pay-100%-%discount'),
    twice('Pay-100%-%discount'),
    ['Pay-100%-iscount', 'Pay-100%-%discount'],
  ],
};

proveFaults(rareValueFaults, { ...comparedRows, ...textRows });
