import { expect, test } from 'vitest';
import { seededRandom } from '../../../lib/covering/random.ts';
import { holdFirstCases, interleaveSteps } from './chains.ts';
import { type ChainLink, prefixSteps } from './link.ts';
import { listWrittenCases } from '../../../suite/suite-files.ts';

test('a row of a matrix is a case of its own, with the values of the row in place', () => {
  const cases = listWrittenCases({
    suite: 'One',
    cases: [
      {
        id: 'some',
        title: 'Some',
        each: {
          one: { claims: { iat: 1 }, with: { wait: 187, hint: '{{ subscribers.second.sub }}', word: "it's" } },
          two: { drop: ['iat'], with: { wait: 3, hint: '{{ client.client_id }}', word: { no: 'text' } } },
        },
        steps: [
          { as: 'first', authorize: 'each' },
          {
            at: 'first + each.wait',
            authorize: { claims: { login_hint: '{{ each.hint }}', state: '{{ concat(each.word, each.hint) }}' } },
          },
        ],
      },
    ],
  });
  // A value that cannot stand in an expression leaves its row out.
  expect(cases).toEqual([
    {
      id: 'some/one',
      json: { title: 'Some' },
      steps: [
        { as: 'first', authorize: { claims: { iat: 1 } } },
        {
          at: 'first + 187',
          authorize: {
            claims: {
              login_hint: '{{ subscribers.second.sub }}',
              state: "{{ concat('it''s', subscribers.second.sub) }}",
            },
          },
        },
      ],
    },
  ]);
});

test('steps get a prefix wherever they are named, and nothing else does', () => {
  const steps = [
    { as: 'first', authorize: { claims: { state: 'first {{ fresh() }}' } } },
    {
      at: 'first + 5s',
      authorize: { again: 'first', claims: { nonce: "{{ concat('first', first.claims.nonce, client.first) }}" } },
      expect: { like: 'first', equals: { 'body.first': '{{ first.claims.state }}' } },
    },
  ];
  expect(prefixSteps(steps, 'c1-')).toEqual([
    { as: 'c1-first', authorize: { claims: { state: 'first {{ fresh() }}' } } },
    {
      as: 'c1-step2',
      at: 'c1-first + 5s',
      authorize: {
        again: 'c1-first',
        claims: { nonce: "{{ concat('first', c1-first.claims.nonce, client.first) }}" },
      },
      expect: { like: 'c1-first', equals: { 'body.first': '{{ c1-first.claims.state }}' } },
    },
  ]);
});

const linkOf = (id: string, length: number): ChainLink => ({
  id,
  area: 'some',
  rules: [],
  requires: [],
  client: 'sp',
  subscriber: 'first',
  steps: Array.from({ length }, () => ({})),
  requests: length,
  lasts: true,
  changes: false,
  instant: true,
  brief: true,
});
const links = [linkOf('one', 2), linkOf('two', 4), linkOf('three', 3), linkOf('three', 3)];
const places = links.flatMap(({ steps }, link) => steps.map((_, step) => [link, step]));

test.each(['1', '2', '3'])(
  'cases that begin before others end behind them, each in its own order (seed %s)',
  (seed) => {
    const order = holdFirstCases(links, 2, seededRandom(seed)).places;
    expect(order.toSorted(([a, i], [b, j]) => a - b || i - j)).toEqual(places);
    for (const link of [0, 1, 2, 3]) {
      const steps = order.flatMap(([of, step]) => (of === link ? [step] : []));
      expect(steps).toEqual(steps.toSorted((one, other) => one - other));
    }
    const between = order.map(([link]) => link >= 2);
    const [begin, end] = [between.indexOf(true), between.lastIndexOf(true)];
    // The others stand in one piece; each held case has steps in front and behind.
    expect(between.slice(begin, end + 1)).not.toContain(false);
    for (const held of [0, 1]) {
      expect(order.slice(0, begin).some(([link]) => link === held)).toBe(true);
      expect(order.slice(end + 1).some(([link]) => link === held)).toBe(true);
    }
  },
);

test('side by side every step stands once, each case in its own order', () => {
  const order = interleaveSteps(links, seededRandom('1')).places;
  expect(order.toSorted(([a, i], [b, j]) => a - b || i - j)).toEqual(places);
  expect(order.flatMap(([link, step]) => (link === 1 ? [step] : []))).toEqual([0, 1, 2, 3]);
});
