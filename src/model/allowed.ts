import type { LimitUnit, LimitValue } from './limit.ts';
import type { Level } from './rule.ts';

export interface AllowedLimit {
  /** The least and the greatest value that a carrier's limit may have, both allowed; absent where the interface states none. */
  readonly from?: number;
  readonly to?: number;
  /** How far a figure may be from both and still be as stated: what is allowed for clocks that differ. */
  readonly tolerance?: number;
  /** The limit is a smallest value: what is below it is refused. */
  readonly smallest?: true;
  readonly unit: LimitUnit;
  /** How binding that is; `informational` where the interface states no value at all. */
  readonly level: Level;
  /** The clauses that say so: `2.3 context, 8`. */
  readonly clause: string;
  /** A sentence without its full stop. */
  readonly words: string;
}

/** `unsure`: no limit was found as far as was tried, and what is allowed goes on from there. */
export type Standing = 'within' | 'outside' | 'unsure' | 'open' | 'unmeasured';

/** Between which values the true limit is. */
function measuredRange(
  { state, uncertainty: blur = 0 }: LimitValue,
  value: number,
  smallest: boolean,
): [number, number] {
  if (state === 'limit') return [value - blur, value + blur];
  return smallest ? [Number.NEGATIVE_INFINITY, value] : [value, Number.POSITIVE_INFINITY];
}

const rangeEdges = ({ from, to, smallest, tolerance = 0 }: Partial<AllowedLimit> = {}) => ({
  from: (from ?? Number.NEGATIVE_INFINITY) - tolerance,
  to: (to ?? Number.POSITIVE_INFINITY) + tolerance,
  smallest: smallest === true,
});

const isMeasured = ({ state }: LimitValue): boolean => state === 'limit' || state === 'beyond';

/** On which side of the interface a measured limit is, as sharp as it was measured. `open`: the interface states no value. */
export function limitStanding(limit: LimitValue, allowed: AllowedLimit | undefined): Standing {
  if (limit.value === undefined || !isMeasured(limit)) return 'unmeasured';
  const { from, to, smallest } = rangeEdges(allowed);
  if (!Number.isFinite(from) && !Number.isFinite(to)) return 'open';
  const [least, greatest] = measuredRange(limit, limit.value, smallest);
  if (least > to || greatest < from) return 'outside';
  const isWhole = least >= from && greatest <= to;
  return limit.state === 'limit' || isWhole ? 'within' : 'unsure';
}
