import type { JsonObject } from '../../../lib/json.ts';
import { often } from './often.ts';
import { expectOf, trigger } from './race-steps.ts';
import type { Row } from './volume-row.ts';

const asked: readonly JsonObject[] = [
  { scope: 'openid' },
  { scope: 'openid name' },
  { scope: 'name openid' },
  { acr_values: 'a1' },
  { state: 'same' },
];

/** How a hundred requests come to wait, however the carrier counts them (SEC-46). */
const floods: readonly (readonly [words: string, make: (p: string) => readonly JsonObject[]])[] = [
  [
    'of several kinds',
    (p) =>
      asked.flatMap((claims, at) =>
        often(`${p}f${at + 1}`, 25, { authorize: { claims: { expires_in: 60, ...claims } } }),
      ),
  ],
  [
    'at once',
    (p) =>
      [1, 2].flatMap((at) => often(`${p}f${at}`, 60, { authorize: { claims: { expires_in: 60 } }, together: true })),
  ],
  [
    'with an approval among them',
    (p) => [
      ...often(`${p}f1`, 30, { authorize: { claims: { expires_in: 60 } } }),
      trigger(`${p}d`, 'approve', `${p}first`),
      ...often(`${p}f2`, 90, { authorize: { claims: { expires_in: 60 } } }),
    ],
  ],
  [
    'across the full hour',
    (p) => [
      { as: `${p}f0`, at: "next('hour', 30) - 25s", authorize: { claims: { expires_in: 600 } } },
      ...often(`${p}f1`, 60, { authorize: { claims: { expires_in: 600 } } }),
      { as: `${p}f2`, at: `${p}f0 + 30s`, authorize: { claims: { expires_in: 600 } } },
      ...often(`${p}f3`, 60, { authorize: { claims: { expires_in: 600 } } }),
    ],
  ],
];

/** The last of them is throttled. */
const flooding = ([words, make]: (typeof floods)[number]): Row => ({
  title: `Of a hundred requests that wait, ${words}, the last is throttled`,
  setting: { subscriber: 'second', exclusive: true, requires: ['push-limit'] },
  requests: 125,
  steps: (p) => {
    const steps = make(p);
    return [
      { as: `${p}first`, authorize: { claims: { expires_in: 60 } }, expect: expectOf('accepted', 'TRN-014') },
      // Of those before the last nothing is said.
      ...steps.map((step) => (step['trigger'] === undefined ? { ...step, expect: unsaid } : step)),
      {
        as: `${p}last`,
        authorize: { claims: { expires_in: 60 } },
        expect: { rule: 'SEC-46', status: [429, 503, '4xx'] },
      },
    ];
  },
});

const unsaid: JsonObject = { rule: 'TRN-015', status: ['2xx', 429, 503, '4xx'] };

/** One of them each round. */
export const floodOf = (round: number): readonly Row[] =>
  floods.filter((_, at) => at === (round - 1) % floods.length).map(flooding);
