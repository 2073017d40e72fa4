import type { Json } from '../lib/json.ts';
import type { Position, RuleRef } from './rule.ts';
import type { Difference } from './suite.ts';

export type LimitUnit = 's' | 'characters' | 'requests';

/** How a limit is looked for. Times are in seconds. */
export type LimitMethod =
  | {
      readonly kind: 'bisect';
      /** Accepted, unless the carrier has no such limit at all. */
      readonly from: number;
      /** Above `from` for a greatest value, below it for a smallest. */
      readonly to: number;
      /** `response`: what is sent is refused anyway; its limit is where the refusal becomes another. */
      readonly holds: 'accepted' | 'response';
      /** Reads the value that is tried as `probe`. */
      readonly difference: Difference;
    }
  | { readonly kind: 'repeat'; readonly claim: string; readonly rungs: readonly number[] }
  /** So many valid requests at most are left alone, one beside the other. */
  | { readonly kind: 'pending'; readonly to: number }
  | { readonly kind: 'event'; readonly action: string; readonly rungs: readonly number[] };

/** A limit of a carrier that can be measured, as suites/limits.yaml has it. */
export interface Limit {
  readonly name: string;
  readonly title: string;
  readonly rules: readonly RuleRef[];
  readonly unit: LimitUnit;
  /** It is a distance from the carrier's time: clocks and the network blur it. */
  readonly clock: boolean;
  /** Words for a limit that was found, and for none in the tried range; `{limit}` stands for the value. */
  readonly found: string;
  readonly beyond: string;
  /** The limit of the same text in characters of one byte: whether bytes or characters are counted shows beside it. */
  readonly beside?: { readonly limit: string; readonly bytesEach: number };
  readonly method: LimitMethod;
  readonly position: Position;
}

/** A behaviour that the interface leaves open, by the case that records it. */
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

/** One value that was tried, and how the carrier responded. */
export interface LimitProbe {
  readonly at: number;
  readonly held: boolean;
  readonly response: string;
}

/** `limit`: the value is it; `beyond`: none up to the value; `nothing`: refused wherever tried; `unmeasured`: see `reason`. */
export type LimitState = 'limit' | 'beyond' | 'nothing' | 'unmeasured';

export interface LimitResult {
  readonly name: string;
  readonly title: string;
  readonly rules: readonly RuleRef[];
  readonly state: LimitState;
  /** In `unit`; the true limit is at most `uncertainty` away. Absent where nothing was measured. */
  readonly value?: number;
  readonly uncertainty?: number;
  readonly unit: LimitUnit;
  /** `refuses iat older than 300 s ± 2 s`. */
  readonly words: string;
  readonly reason?: string;
  readonly probes: readonly LimitProbe[];
}

/** Measured value of a limit, without the attempts: enough to compare results. */
export type LimitValue = Pick<LimitResult, 'state' | 'value' | 'uncertainty' | 'unit' | 'words' | 'reason'>;

export const toLimitValue = ({ state, value, uncertainty, unit, words, reason }: LimitResult): LimitValue => ({
  state,
  ...(value === undefined ? {} : { value }),
  ...(uncertainty === undefined ? {} : { uncertainty }),
  unit,
  words,
  ...(reason === undefined ? {} : { reason }),
});

/** A behaviour that the interface leaves open, as this carrier has it; together they are its profile. */
export interface ProfileValue {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly RuleRef[];
  readonly case: string;
  /** Absent where the case did not come to it; `reason` says why. */
  readonly value?: Json;
  readonly reason?: string;
}
