import type { Json } from '../lib/json.ts';
import type { LimitValue } from '../model/limit.ts';
import type { ResultFooter, ResultHeader } from '../model/result.ts';
import type { Level, Verdict } from '../model/rule.ts';

export interface Column {
  /** `A`, `B`, ... in the order given. */
  readonly letter: string;
  /** What tells it from the others: the carrier's name, or the day where that is the same. */
  readonly title: string;
  readonly file: string;
  readonly header: ResultHeader;
  readonly footer?: ResultFooter;
}

/** A value that was recorded, by column; undefined where there is none. */
export interface ValueRow {
  readonly name: string;
  readonly values: readonly (Json | undefined)[];
  /** Addresses, ids and moments of each run are no difference. */
  readonly differs: boolean;
  /** Of values that are the same but for those: what they have in common. */
  readonly alike?: string;
}

export interface Row {
  readonly id: string;
  readonly area: string;
  readonly clause: string;
  readonly level: Level;
  readonly description: string;
  /** Undefined where the run did not select the rule. */
  readonly verdicts: readonly (Verdict | undefined)[];
  readonly reasons: readonly (string | undefined)[];
  readonly values: readonly ValueRow[];
  readonly differs: boolean;
}

/** A limit as one result has it, or an entry of the profile. */
export type MeasuredCell = LimitValue | { readonly words?: undefined; readonly value?: Json; readonly reason?: string };

/** A limit, or an entry of the profile, by column; undefined where a result does not have it. */
export interface MeasuredRow {
  readonly kind: 'limit' | 'profile';
  readonly name: string;
  readonly description: string;
  /** Rules and aspects it belongs to: `REQ-019`, `REQ-019#48-hours`. */
  readonly rules: readonly string[];
  readonly cells: readonly (MeasuredCell | undefined)[];
  /** Only where both are known; limits within the uncertainty of each other are no difference. */
  readonly differs: boolean;
  /** Of values that are the same but for addresses, ids and moments: what they have in common. */
  readonly alike?: string;
}

/** Rules that are in some of the results and not compared. */
export interface LeftOut {
  readonly reason: string;
  readonly rules: readonly string[];
}

export interface Comparison {
  readonly columns: readonly Column[];
  /** The same carrier each time. */
  readonly overTime: boolean;
  /** Those that differ first; each part in the order of the rules. */
  readonly rows: readonly Row[];
  /** Limits and profile of runs that measured: those that differ first; each part in the order of suites/limits.yaml. */
  readonly measured: readonly MeasuredRow[];
  readonly leftOut: readonly LeftOut[];
  /** What a reader must know before trusting a difference, a sentence each. */
  readonly notes: readonly string[];
}
