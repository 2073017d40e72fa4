import type { TryResult } from '../explore/try-cases.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseOrder } from '../../engine/plan/case-order.ts';
import type { CaseResult, InvariantResult } from '../../model/result.ts';
import type { DrawnChoices } from '../space/draw.ts';

/** Kinds of jobs, with the types of job and outcome. */
export interface Jobs {
  /** Run of the engine against a carrier of its own. */
  readonly run: { readonly job: RunJob; readonly outcome: JobOutcome };
  /** An exploration of a carrier of its own. */
  readonly explore: { readonly job: DeepJob; readonly outcome: DeepOutcome };
  /** Generated cases, tried together against a carrier that lives as long as the thread. */
  readonly try: { readonly job: readonly JsonObject[]; readonly outcome: TryResult };
}

export type JobKind = keyof Jobs;

/** Reply of a thread to a job: its outcome, or the message of an error. */
export type ThreadReply<Kind extends JobKind> =
  | { readonly outcome: Jobs[Kind]['outcome'] }
  | { readonly fault: string };

export interface ThreadSettings {
  /** Folders of suites beside the shipped ones. */
  readonly suites: readonly string[];
  /** A folder for journals. */
  readonly folder: string;
  /** Start of the virtual clock, in ms since the epoch; no verdict may depend on the hour. Default: now. */
  readonly startAt?: number;
  /** Faults of the carrier for `try` jobs. */
  readonly faults?: readonly string[];
}

/** Faults and choices of a job's carrier. */
export interface JobCarrier {
  readonly faults: readonly string[];
  /** Choices in which a drawn carrier differs from the plain one; absent: the plain carrier. */
  readonly choices?: DrawnChoices;
}

/** One run of the engine against the reference carrier, and its cases. */
export interface RunJob extends JobCarrier {
  /** Ids of cases; absent: all. */
  readonly cases?: readonly string[];
  /** Selection as on the command line of `run`, in place of `cases`. */
  readonly what?: readonly string[];
  /** The order in which cases begin; absent: the planned one. */
  readonly order?: CaseOrder;
  /** Cases one after the other, not side by side. */
  readonly serial?: boolean;
  /** Further entries under `supports` in the target file. */
  readonly supports?: Readonly<Record<string, boolean>>;
}

/** Case result with a digest of its wire traffic, without random parts. */
export type CaseOutcome = Omit<CaseResult, 'messages'> & { readonly wire: string };

export interface JobOutcome {
  readonly cases: readonly CaseOutcome[];
  readonly invariants: readonly InvariantResult[];
  readonly stopped?: string;
}

/** Exploration, or a part of one, of the reference carrier or a drawn one. */
export interface DeepJob extends JobCarrier {
  readonly seed: string;
  /** Request objects of the whole exploration. */
  readonly requests: number;
  /** Number of red breaches that ends it. */
  readonly enough: number;
}

export interface DeepFinding {
  readonly rule: string;
  readonly kind: string;
  /** Title of the probe. */
  readonly title: string;
  readonly finding: Finding;
  /** Request objects sent by then. */
  readonly requests: number;
}

export interface DeepOutcome {
  /** First red finding of each breach. */
  readonly shown: readonly DeepFinding[];
  /** Request objects of the whole exploration; 0 if it failed. */
  readonly requests: number;
  /** Request objects without a verdict. */
  readonly unjudged: number;
  readonly stopped?: string;
}
