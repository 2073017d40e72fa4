import type { TriedCases } from '../explore/try-cases.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Finding } from '../model/finding.ts';
import type { CaseOrder } from '../engine/plan/case-order.ts';
import type { CaseResult, InvariantResult } from '../model/result.ts';
import type { Choices } from './space/draw.ts';

/** Kinds of jobs: what each is given, and its outcome. */
export interface Jobs {
  /** A run of the engine against a carrier of its own. */
  readonly run: { readonly job: Job; readonly outcome: JobOutcome };
  /** An exploration of a carrier of its own. */
  readonly explore: { readonly job: DeepJob; readonly outcome: DeepOutcome };
  /** Made cases, tried together against a carrier that lives as long as the thread. */
  readonly try: { readonly job: readonly JsonObject[]; readonly outcome: TriedCases };
}

export type JobKind = keyof Jobs;

/** The answer of a thread to a job: its outcome, or the message of an error. */
export type Reply<Kind extends JobKind> = { readonly outcome: Jobs[Kind]['outcome'] } | { readonly fault: string };

export interface ThreadSettings {
  /** Folders of suites beside the shipped ones. */
  readonly suites: readonly string[];
  /** A folder for journals. */
  readonly folder: string;
  /** Milliseconds since the epoch at which the virtual clock starts: no verdict may depend on the hour. Default: now. */
  readonly startAt?: number;
  /** Faults of the carrier of `try`. */
  readonly faults?: readonly string[];
}

/** The carrier of one job: with which defects, and which of the space. */
export interface CarrierOfJob {
  readonly faults: readonly string[];
  /** Of a drawn carrier, the choices in which it is not the plain one; absent: the plain carrier. */
  readonly choices?: Choices;
  /** Of these faults and variants, report the cases for which they would not do the same as this carrier. */
  readonly traced?: readonly string[];
}

/** One run of the shipped runner against the reference carrier, and which cases. */
export interface Job extends CarrierOfJob {
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
}

/** A case as it ended, and what went over the wire in it, without what is random. */
export type CaseOutcome = Omit<CaseResult, 'messages'> & { readonly wire: string };

/** Names of traced faults that differ, by the case for which they do; `''`: for no case in particular. */
export type Differing = Readonly<Record<string, readonly string[]>>;

export interface JobOutcome {
  readonly cases: readonly CaseOutcome[];
  readonly invariants: readonly InvariantResult[];
  readonly differing?: Differing;
  readonly stopped?: string;
}

/** One exploration, or a part of it, of the reference carrier, or of one of the space, with these defects. */
export interface DeepJob extends CarrierOfJob {
  readonly seed: string;
  /** Request objects of the whole exploration. */
  readonly requests: number;
  /** How much has to be red for it to end. */
  readonly enough: number;
  /** Places of the cases that run, in their order; absent: all. */
  readonly cases?: readonly number[];
}

export interface DeepShown {
  readonly rule: string;
  readonly kind: string;
  /** What was tried, and what came of it. */
  readonly title: string;
  readonly finding: Finding;
  /** Request objects that the exploration had sent by then. */
  readonly requests: number;
}

export interface DeepOutcome {
  /** What was red, of each breach the first. */
  readonly shown: readonly DeepShown[];
  /** Places of the cases in which a traced fault differs, by its name. */
  readonly differing: Readonly<Record<string, readonly number[]>>;
  /** Request objects, and cases, of the whole exploration; 0 where it had to stop. */
  readonly requests: number;
  readonly cases: number;
  /** Request objects that stayed without a verdict. */
  readonly unjudged: number;
  readonly stopped?: string;
}
