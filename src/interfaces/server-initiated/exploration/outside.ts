import { type Probe, wholeProbe } from '../../../explore/probe.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { trigger } from './accepted.ts';
import type { Single } from './single.ts';

/** Claims that a request may leave out, and other values of them (§2.3). */
const optional: Readonly<Record<string, string>> = {
  state: 'outside',
  nonce: 'outside',
  context: 'Outside-order',
  correlation_id: 'outside',
  acr_values: 'a1',
  prompt: 'login',
  options: 'dark',
};

/** Where a value may stand that nobody has signed (§2.1), and the rule that keeps it out. */
const places: readonly (readonly [words: string, make: (values: JsonObject) => JsonObject, rule: string])[] = [
  ['beside the request object', (values) => ({ beside: values }), 'TRN-005#outside-wins'],
  [
    'beside the request object with the client_id',
    (values) => ({ beside: { client_id: '{{ client.client_id }}', ...values } }),
    'TRN-005#outside-wins',
  ],
  ['in the URL', (values) => ({ query: values }), 'TRN-008'],
];

/** What stands outside takes no place, where the request is accepted: whether the request object has a value of its own or none. */
export const outsideSingles: readonly Single[] = places.flatMap(([words, make, rule]) =>
  [...Object.keys(optional), undefined].flatMap((name) =>
    [true, false].map((isSigned): Single => {
      const names = name === undefined ? Object.keys(optional) : [name];
      const values = Object.fromEntries(names.map((one) => [one, optional[one] ?? '']));
      const unsigned = isSigned
        ? {}
        : { drop: names.filter((one) => !['prompt', 'options', 'acr_values'].includes(one)) };
      return {
        title: `${name ?? 'Everything optional'} ${words} is not used, where the object has ${isSigned ? 'its own' : 'none'}`,
        difference: { ...make(values), ...unsigned },
        rule,
        outcome: 'answered',
      };
    }),
  ),
);

/** §1.3: a user without the phone app is not reached by number either. */
export const unreachedByNumber: Probe = wholeProbe({
  kind: 'values',
  title: 'A request for the phone number of a user without the app brings no tokens',
  setting: { client: 'privileged' },
  rules: ['FLOW-005'],
  steps: (p) => [
    {
      as: `${p}request`,
      authorize: { claims: { login_hint: '{{ subscribers.unenrolled.phone }}' } },
      expect: { outcome: 'answered', rule: 'FLOW-005' },
    },
    trigger('approve', { prefix: p }),
    {
      as: `${p}result`,
      await: 'callback',
      of: `${p}request`,
      until: `${p}request + target.latency.callback + 60s`,
      expect: { outcome: 'no-tokens', rule: 'FLOW-005' },
    },
  ],
  alone: true,
  requests: 1,
});
