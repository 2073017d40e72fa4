import { ask, callbackOf, type Claims, ended, type Row } from './probes.ts';

/** state as it comes back with tokens and with an error. */
const stateOf =
  (state: string): Row[0] =>
  async (setup) => {
    const approved = await ended(setup, { state });
    return [approved.body['state'], (await ended(setup, { state }, { act: 'deny' })).body['state']];
  };

const nonceOf =
  (nonce: string): Row[0] =>
  async (setup) =>
    (await ended(setup, { nonce })).idToken['nonce'];

/** The context on the phone and in the id token. */
const contextOf =
  (context: string): Row[0] =>
  async (setup) => {
    const { card, idToken } = await ended(setup, { context });
    return [card['context'], idToken['context']];
  };

/** The code of the callback, if one has come so many seconds after the request. */
const errorAfter =
  (seconds: number, more: Claims): Row[0] =>
  async (setup) => {
    const answer = await ask(setup, more);
    await setup.move(seconds);
    return callbackOf(setup, answer)?.body['error'];
  };

const twice = (text: unknown): unknown[] => [text, text];

/** By name of the fault: what is seen, without the fault and with it. */
export const textRows: Readonly<Record<string, Row>> = {
  'state-zero-left-out': [stateOf('0'), twice('0'), twice(undefined)],
  'state-zero-width-dropped': [stateOf('a\u200db'), twice('a\u200db'), twice('ab')],
  'state-line-separators-as-line-breaks': [stateOf('a\u2028b'), twice('a\u2028b'), twice('a\nb')],
  'state-in-upper-case-escapes': [stateOf('next=%2fhome'), twice('next=%2fhome'), twice('next=%2Fhome')],
  'state-read-as-json': [
    stateOf('12345678901234567890'),
    twice('12345678901234567890'),
    twice(12_345_678_901_234_567_000),
  ],
  'state-raw-in-the-opened-uri': [
    async (setup) => (await ended(setup, { state: 'a&b=c', options: 'local_redirect' })).cardAfter['openedUri'],
    'https://sp.test/cb?state=a%26b%3Dc',
    'https://sp.test/cb?state=a&b=c',
  ],
  'nonce-null-left-out': [nonceOf('null'), 'null', undefined],
  'nonce-length-in-one-byte': [nonceOf('n'.repeat(260)), 'n'.repeat(260), 'nnnn'],
  'nonce-percent-decoded': [nonceOf('n%2B1'), 'n%2B1', 'n+1'],
  'granted-life-in-16-bits': [errorAfter(4470, { expires_in: 70_000 }), undefined, 'authentication_timed_out'],
  'life-of-a-few-seconds-without-end': [errorAfter(10, { expires_in: 3 }), 'authentication_timed_out', undefined],
  'context-formatted': [
    contextOf('Pay-100%-%discount'),
    twice('Pay-100%-%discount'),
    ['Pay-100%-iscount', 'Pay-100%-%discount'],
  ],
  'context-of-digits-as-number': [contextOf('00004711'), twice('00004711'), ['4711', 4711]],
  'context-with-typographic-dashes': [contextOf('Order--4711'), twice('Order--4711'), ['Order–4711', 'Order--4711']],
};
