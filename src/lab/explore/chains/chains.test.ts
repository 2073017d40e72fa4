import { expect, test } from 'vitest';
import { seededRandom } from '../../../lib/covering/random.ts';
import { holdFirstCases, interleaveSteps } from './chains.ts';
import type { ChainLink } from './link.ts';

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
