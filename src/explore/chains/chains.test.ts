import { expect, test } from 'vitest';
import { withPrefix } from './rename.ts';
import { writtenCases } from '../../suite/written.ts';

test('a row of a matrix is a case of its own, with the values of the row in place', () => {
  const cases = writtenCases({
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
  // What cannot stand in an expression leaves its row out.
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
  expect(withPrefix(steps, 'c1-')).toEqual([
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
