import type { CaseOrder } from '../model/order.ts';
import type { CaseResult, InvariantResult } from '../model/result.ts';
import type { Choices } from './space/draw.ts';

/** One run of the shipped runner against the reference carrier: with which defects, and which cases. */
export interface Job {
  readonly id: number;
  readonly faults: readonly string[];
  /** Of a drawn carrier, the choices in which it is not the plain one; absent: the plain carrier. */
  readonly choices?: Choices;
  /** Ids of cases; absent: all. */
  readonly cases?: readonly string[];
  /** Names of what runs, as on the command line of `run`; in place of `cases`. */
  readonly what?: readonly string[];
  /** The order in which cases begin; absent: the planned one. */
  readonly order?: CaseOrder;
  /** Cases one after the other, not side by side. */
  readonly serial?: boolean;
  /** What the target file says under `supports` beside the reference carrier's. */
  readonly supports?: Readonly<Record<string, boolean>>;
  /** Of these faults and variants, report the cases for which they would not do the same as this carrier. */
  readonly shadows?: readonly string[];
}

/** A case as it ended, and what went over the wire in it, without what is random. */
export type CaseOutcome = Omit<CaseResult, 'messages'> & { readonly wire: string };

/** Names of the shadows that differ, by the case for which they do; `''`: for no case in particular. */
export type Differing = Readonly<Record<string, readonly string[]>>;

export interface JobOutcome {
  readonly id: number;
  readonly cases: readonly CaseOutcome[];
  readonly invariants: readonly InvariantResult[];
  readonly differing?: Differing;
  /** Why the run had to stop. */
  readonly stopped?: string;
}

/** What a worker is given when it begins. */
export interface WorkerSettings {
  /** Folders of suites beside the shipped ones. */
  readonly suites: readonly string[];
  /** A folder of its own, for journals. */
  readonly folder: string;
  /** Milliseconds since the epoch at which the virtual clock starts: no verdict may depend on the hour. */
  readonly startAt: number;
}
