import { expect, test } from 'vitest';
import { type JsonObject, renderPlain } from '../../lib/json.ts';
import type { Probe } from './exploration.ts';
import { type ExplorationProgress, exploreRounds, type RoundsOptions } from './rounds.ts';
import type { TryResult } from './try-cases.ts';

/** Probes of a round: each is a stretch of its own. */
const probesOf: RoundsOptions['probesOf'] = (_, { round, requests: { values = 0 } }) =>
  Array.from(
    { length: Math.floor(values / 300) },
    (__, at): Probe => ({
      kind: 'values',
      title: () => `${round}/${at}`,
      setting: {},
      parts: [],
      steps: () => [{ as: 'request', name: `${round}/${at}`, authorize: {} }],
      requests: 300,
    }),
  );

const namesIn = (cases: readonly JsonObject[]): readonly string[] =>
  [...JSON.stringify(cases).matchAll(/"name":"([^"]+)"/g)].map(([, name = '']) => name);

/** Explores 9,000 requests in at most this many tries; returns the names of what was tried, and the state reached. */
async function exploreFor(tries: number, from?: ExplorationProgress, pushes?: number) {
  const tried: string[] = [];
  let reached: ExplorationProgress | undefined;
  const { stopped } = await exploreRounds({
    // The probes of this test need no ground.
    ground: undefined as unknown as RoundsOptions['ground'],
    probesOf,
    seed: 'any',
    kinds: ['values'],
    requests: 9000,
    attempt: (cases): Promise<TryResult> => {
      tried.push(...namesIn(cases));
      const outcomes = cases.map(({ id }) => ({ id: renderPlain(id ?? null), findings: [] }));
      return Promise.resolve({ cases: outcomes, invariants: [] });
    },
    goOn: () => tried.length < tries,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onReached: (one) => {
      reached = one;
    },
    ...(from === undefined ? {} : { from }),
    ...(pushes === undefined ? {} : { pushes }),
  });
  return { tried, reached, stopped };
}

test.each([1, 5, 16, 20])(
  'goes on where %i tries ended: each probe is tried once, in the same order',
  async (tries) => {
    const whole = await exploreFor(Infinity);
    expect(whole.tried).toHaveLength(30);
    const first = await exploreFor(tries);
    const second = await exploreFor(Infinity, first.reached);
    expect([...first.tried, ...second.tried]).toEqual(whole.tried);
    expect(second.reached?.explored.requests).toEqual(whole.reached?.explored.requests);
    const third = await exploreFor(Infinity, second.reached);
    expect(third.tried).toEqual([]);
  },
);

test('counts the pushes of before, so that no subscriber gets more when it goes on', async () => {
  const first = await exploreFor(4, undefined, 12);
  expect(first.reached?.pushes).toEqual({ consented: 4 });
  const second = await exploreFor(Infinity, first.reached, 12);
  expect(second.reached?.pushes).toEqual({ consented: 8 });
});
