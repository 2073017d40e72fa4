import type { LimitUnit, LimitValue } from './limit.ts';
import type { Level } from './rule.ts';

export interface AllowedLimit {
  /** Minimum and maximum allowed value of the limit; absent if the interface states none. */
  readonly from?: number;
  readonly to?: number;
  /** Allowed excess over either bound, because clocks differ. */
  readonly tolerance?: number;
  /** The limit is a minimum: smaller values are refused. */
  readonly smallest?: true;
  readonly unit: LimitUnit;
  /** Level of the statement; `informational` if the interface states no value. */
  readonly level: Level;
  /** Clauses that state it: `2.3 context, 8`. */
  readonly clause: string;
  /** A sentence without its full stop. */
  readonly words: string;
}

/** `unsure`: no limit was found in the tried range, and the allowed range goes beyond it. */
export type LimitStanding = 'within' | 'outside' | 'unsure' | 'open' | 'unmeasured';

/** Range that contains the true limit. */
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

/** Compares a measured limit with the interface, within the measuring uncertainty. `open`: the interface states no value. */
export function limitStanding(limit: LimitValue, allowed: AllowedLimit | undefined): LimitStanding {
  if (limit.value === undefined || !isMeasured(limit)) return 'unmeasured';
  const { from, to, smallest } = rangeEdges(allowed);
  if (!Number.isFinite(from) && !Number.isFinite(to)) return 'open';
  const [least, greatest] = measuredRange(limit, limit.value, smallest);
  if (least > to || greatest < from) return 'outside';
  const isWhole = least >= from && greatest <= to;
  return limit.state === 'limit' || isWhole ? 'within' : 'unsure';
}
