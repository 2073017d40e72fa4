import { describe, it } from 'vitest';
import { expectGolden } from './golden-lines.ts';
import { expectGoldenFault, plainLines, timeLimit } from './golden-runs.ts';

// The others of fixtures/golden: decisions.nightly.test.ts.
describe('a whole run decides the golden lines', { timeout: 2 * timeLimit }, () => {
  it('of the plain carrier', async () => expectGolden('plain', await plainLines()));

  /** A root cause of many reds, one broken rule, and a number of retries. */
  it.each(['access-token-unusable', 'userinfo-any-token', 'event-retried-4-times'])('of the fault %s', (name) =>
    expectGoldenFault(name),
  );
});
