import type { Json } from '../lib/json.ts';
import type { Position, RuleRef } from './rule.ts';
import type { Difference } from './suite.ts';

export type LimitUnit = 's' | 'characters' | 'requests';

/** Search method for a limit. Times are in seconds. */
export type LimitMethod =
  | {
      readonly kind: 'bisect';
      /** Accepted value, unless the carrier has no such limit. */
      readonly from: number;
      /** Above `from` for a maximum, below it for a minimum. */
      readonly to: number;
      /** `response`: the request is refused at any value, and the limit is where the refusal changes. */
      readonly holds: 'accepted' | 'response';
      /** Its templates read the tried value as `probe`. */
      readonly difference: Difference;
    }
  | { readonly kind: 'repeat'; readonly claim: string; readonly rungs: readonly number[] }
  /** Leaves up to `to` valid requests pending at the same time. */
  | { readonly kind: 'pending'; readonly to: number }
  | { readonly kind: 'event'; readonly action: string; readonly rungs: readonly number[] };

/** Measurable limit of a carrier, from suites/limits.yaml. */
export interface Limit {
  readonly name: string;
  readonly title: string;
  readonly rules: readonly RuleRef[];
  readonly unit: LimitUnit;
  /** Distance from the carrier's time, blurred by clocks and the network. */
  readonly clock: boolean;
  /** Words if a limit was found, and if there was none in the tried range; `{limit}` stands for the value. */
  readonly found: string;
  readonly beyond: string;
  /** Limit of the same text in one-byte characters. Comparing the two shows whether bytes or characters are counted. */
  readonly beside?: { readonly limit: string; readonly bytesEach: number };
  readonly method: LimitMethod;
  readonly position: Position;
}

/** Behaviour that the interface leaves open, and the case that records it. */
export interface ProfileEntry {
  readonly name: string;
  readonly description: string;
  readonly case: string;
  readonly record: string;
}

export interface Limits {
  readonly limits: readonly Limit[];
  readonly profile: readonly ProfileEntry[];
}

/** Tried value with the carrier's response. */
export interface LimitProbe {
  readonly at: number;
  readonly held: boolean;
  readonly response: string;
}

/** `limit`: it is `value`. `beyond`: none up to `value`. `nothing`: every tried value is refused. `unmeasured`: see `reason`. */
export type LimitState = 'limit' | 'beyond' | 'nothing' | 'unmeasured';

export interface LimitResult {
  readonly name: string;
  readonly title: string;
  readonly rules: readonly RuleRef[];
  readonly state: LimitState;
  /** In `unit`; the true limit is at most `uncertainty` away. Absent if nothing was measured. */
  readonly value?: number;
  readonly uncertainty?: number;
  readonly unit: LimitUnit;
  /** `refuses iat older than 300 s ± 2 s`. */
  readonly words: string;
  readonly reason?: string;
  readonly probes: readonly LimitProbe[];
}

/** Measured value without the probes: enough to compare results. */
export type LimitValue = Pick<LimitResult, 'state' | 'value' | 'uncertainty' | 'unit' | 'words' | 'reason'>;

export const toLimitValue = ({ state, value, uncertainty, unit, words, reason }: LimitResult): LimitValue => ({
  state,
  ...(value === undefined ? {} : { value }),
  ...(uncertainty === undefined ? {} : { uncertainty }),
  unit,
  words,
  ...(reason === undefined ? {} : { reason }),
});

/** Behaviour of this carrier on an open point. Together these values are its profile. */
export interface ProfileValue {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly RuleRef[];
  readonly case: string;
  /** Absent if the case did not reach it; `reason` says why. */
  readonly value?: Json;
  readonly reason?: string;
}
