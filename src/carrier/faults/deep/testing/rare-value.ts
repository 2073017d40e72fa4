import { askTrait } from '../../../testing/calls.ts';
import type {} from '../../../testing/setup.ts';
import { ask, type Claims, ended, type Row, status, statusWith } from './probes.ts';

/** The statuses of requests that differ in these claims. */
const statuses =
  (...claims: readonly Claims[]): Row[0] =>
  async (setup) => {
    const found: number[] = [];
    for (const more of claims) found.push((await ask(setup, more)).status);
    return found;
  };

/** What a bearer credential of this text becomes. */
const bearerOf =
  (token: string): Row[0] =>
  async (setup) => {
    const { answer, callback } = await ended(setup, { client_notification_token: token });
    return answer.status === 200 ? callback?.headers.authorization : answer.status;
  };

/** By name of the fault: what is seen, without the fault and with it. */
export const comparedRows: Readonly<Record<string, Row>> = {
  'jti-of-an-object-member-taken': [status({ jti: 'constructor' }), 200, 400],
  'jti-proto-never-kept': [statuses({ jti: '__proto__' }, { jti: '__proto__' }), [200, 400], [200, 200]],
  'jti-kept-as-a-double': [
    statuses({ jti: '1767225600000000001' }, { jti: '1767225600000000002' }),
    [200, 200],
    [200, 400],
  ],
  'jti-zero-is-none': [statuses({ jti: '0' }, { jti: '0' }), [200, 400], [200, 200]],
  'correlation-id-of-an-object-member-500': [status({ correlation_id: 'toString' }), 200, 500],
  'correlation-id-hyphen-in-front-refused': [status({ correlation_id: '-4711' }), 200, 400],
  'exp-in-milliseconds-understood': [statusWith((setup) => ({ exp: (setup.now() + 240) * 1000 })), 400, 200],
  'iat-zero-is-now': [status({ iat: 0 }), 400, 200],
  'acr-normalized': [status({ acr_values: '\uff41\uff13' }), 400, 200],
  'acr-with-a-line-break-behind': [status({ acr_values: 'a3\n' }), 400, 200],
  'notification-token-with-a-line-break-behind': [bearerOf('sp-secret\n'), 400, 'Bearer sp-secret'],
  'iss-compared-by-locale': [status({ iss: 'ccid-conftest\u00adclient01' }), 400, 200],
  'redirect-uri-host-dot-ignored': [status({ redirect_uri: 'https://sp.test./cb' }), 400, 200],
  'aud-query-ignored': [statusWith((setup) => ({ aud: `${setup.carrier.origin}?tenant=2` })), 400, 200],
  'response-type-trimmed': [status({ response_type: 'async_token\n' }), 400, 200],
  'login-hint-as-a-pattern': [status({ login_hint: '001010-c8ea0b1f1004b%' }), 400, 200],
  'trait-empty-correlation-id-refused': [
    async (setup) => (await askTrait(setup, { members: { correlation_id: '' } })).status,
    200,
    400,
  ],
  'notification-token-unpadded': [bearerOf('c3AtMQ=='), 'Bearer c3AtMQ==', 'Bearer c3AtMQ'],
  'notification-token-scheme-cut': [bearerOf('BearerOfThe-SP'), 'Bearer BearerOfThe-SP', 'Bearer OfThe-SP'],
  'correlation-id-of-digits-as-number': [
    async (setup) => {
      const { answer, body } = await ended(setup, { correlation_id: '0042' });
      const refused = await ask(setup, { correlation_id: '17', acr_values: 'a9' });
      return [answer.body['correlation_id'], body['correlation_id'], refused.body['correlation_id']];
    },
    ['0042', '0042', '17'],
    [42, 42, 17],
  ],
};
