import { MissingValue } from '../model/template.ts';
import type { CheckMismatch } from './check.ts';
import type { ResponseObservation } from './observation.ts';

/** We were behind ourselves when the answer came: how long it took is not known well enough. */
class Blurred extends MissingValue {
  constructor(took: number, lag: number) {
    super('time of the answer');
    this.message = `the answer took ${took} s, of which our own lag may be up to ${lag.toFixed(2)} s`;
  }
}

/** Holds the seconds that an answer took, to a tenth, to the most there may be. Throws MissingValue where our own lag decides. */
export function judgeTime(took: number, { lag = 0 }: ResponseObservation, most: number): CheckMismatch[] {
  const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;
  if (tenths(took) <= most) return [];
  if (tenths(took - lag) <= most) throw new Blurred(tenths(took), lag);
  return [{ expected: `an answer within ${most} s`, actual: `${tenths(took)} s` }];
}
