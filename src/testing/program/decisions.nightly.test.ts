import { describe, it } from 'vitest';
import { missingPython } from '../carriers/foreign-carrier.ts';
import { expectGoldenDrawn, expectGoldenFault, expectGoldenForeign, timeLimit } from './golden-runs.ts';

/** Faults of each area and kind of consequence, beside those of faulty.golden.test.ts. */
const faults = [
  'callback-state-missing',
  'consent-revoked-missing',
  'context-limit-241',
  'exp-window-10-minutes',
  'kid-ignored-first-key',
  'tenure-always-false',
  'unknown-client-500',
];

describe('a whole run decides the golden lines', { timeout: 2 * timeLimit }, () => {
  it.each(faults)('of the fault %s', (name) => expectGoldenFault(name));

  it.each([1, 3])('with drawn carrier %d', (number) => expectGoldenDrawn(number));

  it.skipIf(missingPython() !== undefined)('with the foreign carrier in Python', () => expectGoldenForeign('python'));
});
