import { describe, expect, test } from 'vitest';
import type { CallbackObservation, DriverCallRecord } from '../../../judge/observation.ts';
import { MissingValue } from '../../../model/suite.ts';
import {
  buildDenial,
  buildHistory,
  buildResponse,
  buildTokens,
  observedStart,
} from '../../../testing/parts/observations.ts';
import { decidedChecks } from './decision.ts';

const request = 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g';

const call = (action: string, parts: Partial<DriverCallRecord> = {}): DriverCallRecord => ({
  action,
  at: observedStart + 2,
  request,
  client: 'main',
  given: {},
  done: true,
  ...parts,
});

const tokensWith = (
  history: Parameters<typeof buildHistory>[0],
  parts: Partial<CallbackObservation> = {},
): CallbackObservation => buildTokens({ history: buildHistory(history), ...parts });

const asked = (claims: Readonly<Record<string, string>>) => {
  const sent = buildResponse({ client: 'main' });
  return { ...sent, claims: { ...sent.claims, ...claims } };
};

/** Checks that a callback breaks: their names and the actual values. */
const broken = (callback: CallbackObservation) =>
  decidedChecks.flatMap((check) =>
    check.over === 'message' ? check.check(callback).map(({ actual }) => [check.name, actual]) : [],
  );
const namesOf = (callback: CallbackObservation) => broken(callback).map(([name]) => name);

const removal = call('remove-consent', { at: observedStart - 100 });
const silent = { sent: asked({ prompt: 'none' }) };

test.each<[string, CallbackObservation]>([
  ['again', tokensWith({ earlier: 1 })],
  [
    'of prompt none before a removal counts',
    tokensWith({ ofSubscriber: [{ ...removal, at: observedStart - 59 }] }, silent),
  ],
  [
    'of prompt none after a scope was removed',
    tokensWith({ ofSubscriber: [{ ...removal, given: { scopes: ['email'] } }] }, silent),
  ],
  [
    'of prompt none after the consent was given again',
    tokensWith({ ofSubscriber: [removal, call('give-consent')] }, silent),
  ],
  [
    'of prompt none after the consent to another client was removed',
    tokensWith({ ofSubscriber: [{ ...removal, client: 'second' }] }, silent),
  ],
  ['no tokens at all', buildDenial('access_denied', { history: buildHistory() })],
])('tokens that conform: %s', (_, callback) => expect(broken(callback)).toEqual([]));

describe('tokens without an id_token', () => {
  const approved = buildHistory({ calls: [call('approve')] });
  const without = { withoutIdToken: true, history: approved, sent: asked({ scope: 'name openid' }) } as const;
  const named = ['id-token-if-openid'];

  test.each<[string, Partial<CallbackObservation>, readonly string[]]>([
    ['it is in what was approved', { body: { auth_req_id: request, scope: 'openid' } }, named],
    ['of prompt none', { history: buildHistory(), sent: asked({ scope: 'openid', prompt: 'none' }) }, named],
    ['openid was not requested', { sent: asked({ scope: 'name' }) }, []],
    ['openid was not approved', { body: { auth_req_id: request, scope: 'name' } }, []],
    ['an error beside them', { error: true }, []],
    ['after another result', { history: buildHistory({ calls: [call('approve')], earlier: 1 }) }, []],
    ['after a denial', { history: buildHistory({ calls: [call('deny')] }) }, ['tokens-after-no-denial']],
  ])('%s', (_, parts, names) => expect(namesOf(buildTokens({ ...without, ...parts }))).toEqual(names));
});

describe('tokens that nothing explains', () => {
  test('say that no driver was called', () =>
    expect(broken(tokensWith({}))).toEqual([
      ['tokens-by-a-decision', `tokens 10.0 s after the request ${request}; no driver was called for the request`],
    ]));

  test('say which drivers were called', () =>
    expect(broken(tokensWith({ calls: [call('ignore'), call('deny', { at: observedStart + 4.5 })] }))).toEqual([
      [
        'tokens-after-no-denial',
        `tokens 10.0 s after the request ${request}; for the request the driver calls were ignore 2.0 s after it (done), deny 4.5 s after it (done)`,
      ],
    ]));

  test.each<[string, CallbackObservation, string]>([
    ['a denial that was not possible', tokensWith({ calls: [call('deny', { done: false })] }), 'tokens-by-a-decision'],
    ['a subscriber who never consented', tokensWith({ tags: ['unconsented'] }), 'tokens-of-a-consent'],
    ['a consent that was removed', tokensWith({ ofSubscriber: [removal] }, { sent: asked({}) }), 'tokens-of-a-consent'],
    [
      'an approval of another request',
      tokensWith({ ofSubscriber: [call('approve', { request: 'ccid-another' })] }),
      'tokens-by-their-own-approval',
    ],
    [
      'an approval of another request before it was sent',
      tokensWith({ ofSubscriber: [call('approve', { request: 'ccid-another', at: observedStart - 1 })] }),
      'tokens-by-a-decision',
    ],
    [
      'the time-out, while another request was approved',
      tokensWith({ ofSubscriber: [call('approve', { request: 'ccid-another' })] }, { receivedAt: observedStart + 299 }),
      'tokens-by-a-decision',
    ],
    [
      'a denial, 5 s before the time-out',
      tokensWith({ calls: [call('deny')] }, { receivedAt: observedStart + 295 }),
      'tokens-by-a-decision',
    ],
    [
      'a denial, 6 s before the time-out',
      tokensWith({ calls: [call('deny')] }, { receivedAt: observedStart + 294 }),
      'tokens-after-no-denial',
    ],
    [
      'prompt none after the consent was removed',
      tokensWith({ ofSubscriber: [removal] }, silent),
      'silent-tokens-of-a-consent',
    ],
  ])('%s', (_, callback, name) => expect(namesOf(callback)).toEqual([name]));
});

test.each<[string, CallbackObservation]>([
  ['a person holds the phone', tokensWith({ isDriven: false })],
  ['the history is not known', buildTokens()],
  [
    'the callback has the auth_req_id of another request',
    tokensWith({}, { body: { auth_req_id: 'ccid-x', access_token: 'a' } }),
  ],
  [
    'the callback has the state of another request',
    tokensWith({}, { body: { auth_req_id: request, state: 'x', access_token: 'a' } }),
  ],
  [
    'a prompt stands outside the request object',
    tokensWith({}, { sent: buildResponse({ outside: { prompt: 'none' } }) }),
  ],
  ['the carrier may have read other claims', tokensWith({}, { sent: buildResponse({ readable: 'not at all' }) })],
])('nothing is judged where %s', (_, callback) => expect(() => broken(callback)).toThrow(MissingValue));
