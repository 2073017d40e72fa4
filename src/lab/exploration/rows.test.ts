import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../lib/covering/random.ts';
import type { Json } from '../../lib/json.ts';
import type { TargetAbilities } from './abilities.ts';
import { fillReferences, readListRows, expandSteps } from './rows.ts';
import { rowProbe } from './scenarios.ts';

const abilities: TargetAbilities = {
  approve: true,
  deny: true,
  look: true,
  binding: true,
  userinfo: true,
  untick: true,
  wait: true,
  cancel: false,
  consent: true,
  moveSim: true,
  rotateKeys: true,
  severalPending: true,
  secondClient: true,
  floods: true,
  silent: true,
  codes: true,
  proofs: true,
  swapSim: true,
  hintToken: true,
  foreignCode: true,
  byNumber: true,
  byNumberOfMain: false,
  latency: { event: 60, callback: 5, simSwap: 60 },
  tagged: (tag) => tag === 'unenrolled',
  can: (action) => action === 'link',
  runs: (id) => id === 'plain-query',
};
const refusal = (rule: string, claims: Json) => ({ difference: { claims }, rule, outcome: 'denied' as const });
const ground = {
  abilities,
  deviations: [
    refusal('REQ-001', { iss: 'x' }),
    refusal('REQ-082', { correlation_id: '!' }),
    refusal('REQ-007', { aud: 'x' }),
  ],
};
const stepsOf = (...steps: readonly Json[]): Json => [...expandSteps(steps, {}, ground)];
const drawnBy = (draw: Json, seed: string, steps: readonly Json[]) =>
  readListRows([{ title: 'One', draw, steps }], abilities).map(
    (row) => rowProbe(row, { kind: 'sequences', random: seededRandom(seed), ...ground }).steps([], 'p-') ?? [],
  )[0] ?? [];

/** `${path}`, as a row writes it. */
const at = (path: string): string => `\${${path}}`;

describe('values of a row', () => {
  const values = { one: 1, text: 'a "b" {{c}}', list: [{ x: 'y' }], more: { b: '$one' } };

  test('take the places of their names, whole or inside a text, and what is no name stays', () => {
    expect(
      fillReferences(
        {
          a: '$one',
          b: `r${at('one')}s $one`,
          c: at('list.0.x'),
          d: '$more',
          e: `Pay $25 to ${at('nobody')}`,
          $one: 1,
        },
        values,
      ),
    ).toEqual({ a: 1, b: 'r1s 1', c: 'y', d: { b: 1 }, e: `Pay $25 to ${at('nobody')}`, '1': 1 });
  });

  test('are written as JSON, and as a text that no template changes', () => {
    expect(fillReferences([at('text.json'), at('text.literal')], values)).toEqual([
      '"a \\"b\\" {{c}}"',
      `a "b" {{ '{{' }}c}}`,
    ]);
  });

  test('of another mapping stand beside its own, which count', () => {
    expect(fillReferences({ a: 1, $with: { a: 2, b: 3 } }, {})).toEqual({ a: 1, b: 3 });
    expect(fillReferences(fillReferences({ a: 1, $with: '$later' }, {}), { later: { b: 2 } })).toEqual({ a: 1, b: 2 });
  });
});

describe('rows', () => {
  const titlesOf = (row: Json): readonly string[] => readListRows([row], abilities).map(({ title }) => title);

  test('stand for each item, for each combination, or for each difference', () => {
    expect(titlesOf({ title: 'Of $a', each: [{ a: 1 }, { a: 2 }] })).toEqual(['Of 1', 'Of 2']);
    expect(titlesOf({ title: '$text', each: { a: ['x', 'y'], text: ['$a', '-$a'] } })).toEqual(['x', '-x', 'y', '-y']);
    expect(titlesOf({ title: '$name is denied', differences: { 'No body': {}, 'A list': [] } })).toEqual([
      'No body is denied',
      'A list is denied',
    ]);
  });

  test.each([
    [['look'], 1],
    [['cancel'], 0],
    [['!cancel', 'action:link', 'case:plain-query', 'subscriber:unenrolled'], 1],
    [['action:unlink'], 0],
    [['case:another'], 0],
    [['subscriber:another'], 0],
    [['no-such-ability'], 0],
  ])('with the needs %j are there %i times', (needs, count) => {
    expect(titlesOf({ title: 'One', needs })).toHaveLength(count);
  });

  test('have the keys that are known', () => {
    expect(() => titlesOf({ title: 'One', need: ['look'] })).toThrow(
      'a row of suites/exploration has no "need": "One"',
    );
  });

  test('are left out where the target takes longer than they allow', () => {
    expect(titlesOf({ title: 'One', within: { event: 60 } })).toHaveLength(1);
    expect(titlesOf({ title: 'One', within: { event: 59 } })).toHaveLength(0);
  });
});

describe('steps', () => {
  test('that repeat, and end what they opened', () => {
    expect(
      stepsOf({
        repeat: { nth: 2 },
        steps: [
          { as: 'r$nth', authorize: {} },
          { end: 'r$nth', how: 'deny' },
        ],
      }),
    ).toEqual(
      [1, 2].flatMap((nth) => [
        { as: `r${nth}`, authorize: {} },
        {
          as: `r${nth}-d`,
          by: `r${nth} + r${nth}.granted - 2s`,
          trigger: { action: 'deny', of: `r${nth}`, ifPossible: true },
        },
        { as: `r${nth}-e`, await: 'callback', of: `r${nth}`, expect: { outcome: 'failed', rule: 'FLOW-003' } },
      ]),
    );
  });

  test('that are repeated more often than one may be are several', () => {
    expect(stepsOf({ as: 'f', authorize: {}, times: 201, together: true })).toEqual([
      { as: 'f-1', authorize: {}, times: 100, together: true },
      { as: 'f-2', authorize: {}, times: 100, together: true },
      { as: 'f-3', authorize: {} },
    ]);
  });

  test('that refuse take one deviation of each rule, and those of claims leave the correlation_id alone', () => {
    const denied = (as: string, claims: Json, rule: string) => ({
      as,
      authorize: { claims },
      expect: { outcome: 'denied', rule },
    });
    expect(stepsOf({ refuse: 5 })).toEqual([
      denied('refused1', { iss: 'x' }, 'REQ-001'),
      denied('refused2', { correlation_id: '!' }, 'REQ-082'),
      denied('refused3', { aud: 'x' }, 'REQ-007'),
    ]);
    expect(
      stepsOf({ refuse: 5, of: 'claims', after: 1, as: 'b', drop: ['correlation_id'], also: { rule: 'X-1' } }),
    ).toEqual([
      {
        as: 'b1',
        authorize: { claims: { aud: 'x' }, drop: ['correlation_id'] },
        expect: [{ outcome: 'denied', rule: 'REQ-007' }, { rule: 'X-1' }],
      },
    ]);
  });

  test('side by side are sent at once, then decided at once', () => {
    const steps = expandSteps([{ sideBySide: [{}, { drop: ['state'] }], actions: ['approve', 'deny'] }], {}, ground);
    expect(steps.map(({ as, parallel = false }) => [as, parallel])).toEqual([
      ['r1', false],
      ['r2', true],
      ['r1-d', false],
      ['r2-d', true],
      ['r1-e', false],
      ['r2-e', false],
    ]);
    expect(steps.map(({ expect: expected }) => expected)).toContainEqual({ outcome: 'failed', rule: 'FLOW-003' });
  });

  test('of which the target cannot do one are left out', () => {
    expect(stepsOf({ needs: ['cancel'], as: 'x' }, { needs: ['look'], as: 'y' })).toEqual([{ as: 'y' }]);
  });
});

describe('what a row draws', () => {
  const draw = {
    lead: { from: 1, to: 5 },
    gap: { from: '$event + $lead', to: 90 },
    how: { ending: ['cancel', 'deny'] },
    some: { some: 2, of: ['a', 'b', 'c', { trigger: 'unlink' }] },
  };
  const steps = [
    {
      as: 'r',
      at: `r + ${at('gap')}s`,
      authorize: { claims: { state: `$how-${at('some.0')}-${at('some.1')}`, lead: '$lead' } },
    },
  ];

  test('is the same for the same seed, within its bounds, and nothing that the target cannot do', () => {
    const all = Array.from({ length: 40 }, (_, seed) => drawnBy(draw, String(seed), steps));
    expect(drawnBy(draw, '3', steps)).toEqual(all[3]);
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBeGreaterThan(10);
    for (const [step] of all) {
      const text = JSON.stringify(step);
      expect(text).toMatch(/"state":"deny-[abc]-[abc]"/);
      expect(text).toMatch(/"lead":[1-4]\b/);
      const gap = Number(/ (\d+)s/.exec(text)?.[1]);
      expect(gap).toBeGreaterThan(60);
      expect(gap).toBeLessThan(90);
    }
  });

  test('stands in steps whose names begin with the prefix of the probe', () => {
    expect(drawnBy({}, '1', [{ as: 'one', authorize: {} }, { authorize: { again: 'one' } }])).toEqual([
      { as: 'p-one', authorize: {} },
      { as: 'p-step2', authorize: { again: 'p-one' } },
    ]);
  });
});
