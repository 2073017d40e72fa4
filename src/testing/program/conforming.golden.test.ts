import { describe, it } from 'vitest';
import { expectGoldenDrawn, expectGoldenForeign, timeLimit } from './golden-runs.ts';

// The others of fixtures/golden: decisions.nightly.test.ts.
describe.concurrent('a whole run against a carrier without a fault decides the golden lines', {
  timeout: 2 * timeLimit,
}, () => {
  it('with a drawn carrier', () => expectGoldenDrawn(2));

  it('with the foreign carrier in JavaScript', () => expectGoldenForeign('node'));
});
