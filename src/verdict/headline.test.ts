import { expect, test } from 'vitest';
import { buildFooter } from '../testing/results/result.ts';
import { makeHeadline, type VerdictScope } from './headline.ts';

const scope: VerdictScope = { isPartial: false, profile: 'interface', testCarrier: false, clock: 'real' };
const figures = buildFooter({ outcome: 'not conformant' });

test.each([
  [{ expected: 1 }, 'interrupted', 'not conformant, as expected, and interrupted'],
  [{ expected: 1, broken: 1 }, 'interrupted', 'not conformant'],
  [{ expected: 1 }, 'incomplete', 'not conformant, as expected, and incomplete'],
  [{ expected: 1 }, 'expected', 'not conformant, as expected'],
] as const)('with %j, %s: %s', (standings, ending, words) =>
  expect(makeHeadline({ ...figures, standings }, scope, ending).words).toBe(words),
);
