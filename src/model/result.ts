import type { Declaration } from './declared.ts';
import type { AttestedStatement } from './target.ts';
import type { Delivery, Message } from './exchange.ts';
import type { ExpectedResult } from './expected.ts';
import type { Finding } from './finding.ts';
import type { Json } from '../lib/json.ts';
import type { LimitResult, ProfileValue } from './limit.ts';
import type { Position, Score, Binding, JudgingWay, Level, RuleRef, RunOutcome, Verdict } from './rule.ts';
import type { Conclusions, Profile, Whole } from './profile.ts';
import type { MessageKind } from './suite.ts';

export interface InterfaceRef {
  readonly id: string;
  readonly version: string;
}

/** First line of the journal and head of the result: the cases, the tool and the carrier. */
export interface ResultHeader {
  readonly format: 'carrierspec-result';
  readonly version: 2;
  readonly run: string;
  readonly interface: InterfaceRef;
  /** `digest` is of the program that ran, `sha256:...`. */
  readonly tool: {
    readonly name: 'carrierspec';
    readonly version: string;
    readonly node: string;
    readonly digest: string;
  };
  readonly suites: { readonly rules: string; readonly suites: string; readonly files: readonly string[] };
  readonly target: {
    readonly name: string;
    readonly file: string;
    readonly issuer: string;
    readonly fingerprint: string;
    /** The operator declares it a test carrier: only then is a run on a virtual clock certified, as of a test carrier. */
    readonly testCarrier?: boolean;
  };
  readonly clock: { readonly kind: 'real' | 'virtual'; readonly note: string };
  /** ISO 8601, on the run's clock. */
  readonly startedAt: string;
  /** Selectors as typed; empty means everything. */
  readonly selection: readonly string[];
  /** Declarations of the target file on points that the interface leaves open (P4). */
  readonly declarations: readonly Declaration[];
  readonly profile: Profile;
  /** The part of a run that this is, counted from 1; absent where it is a whole one. */
  readonly shard?: Shard;
  /** The parts that this result was joined from, by their numbers; absent where it is of one run. */
  readonly joined?: readonly { readonly index: number; readonly run: string; readonly startedAt: string }[];
  /** Flags to add to `carrierspec run ID` for the same target: --target, --suites, --fault. */
  readonly flags: readonly string[];
}

/** One of `of` parts of a run; `index` is from 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Whether what was found was found again: `confirmed` twice, `unstable` in one of two tries, `seen-once` where there was one. */
export interface Confirmation {
  readonly status: 'confirmed' | 'unstable' | 'seen-once';
  /** Why there was no second try, or what it was worth. */
  readonly reason?: string;
}

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  readonly position: Position;
  readonly rules: readonly RuleRef[];
  readonly verdict: Verdict;
  /** Why there is no verdict about the carrier: for inconclusive, error, not-run, not-applicable. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
  /** Only for a case with a required finding, if the run confirms. */
  readonly confirmation?: Confirmation;
  /** Set if the case's precondition failed: the broken rule, and the case that showed it. */
  readonly followsFrom?: { readonly rule: string; readonly case: string };
  /** The step that did not show what the rest of the case builds on. */
  readonly unmet?: string;
  readonly recorded: Readonly<Record<string, Json>>;
  /** Names of the client and the subscriber in the target file; absent where it did not run. */
  readonly client?: string;
  readonly subscriber?: string;
  /** Milliseconds since the epoch on the run's clock; 0 where it did not run. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly messages: readonly Message[];
}

/** A message of a case as the invariants of a run judged it, beside what the record of the case says of it. */
export interface ContributedMessage {
  /** Id of the recorded exchange or delivery. */
  readonly id: string;
  readonly kind: 'response' | 'callback' | 'event';
  /** Name of the client that sent it, or that it came to. */
  readonly client?: string;
  /** For a response. */
  readonly outcome?: 'accepted' | 'denied' | 'redirected' | 'broken' | 'no-answer';
  readonly usual?: true;
  /** For a callback: whether it carries tokens; `answers` is the id of the exchange of its request. */
  readonly tokens?: true;
  readonly error?: true;
  readonly sent?: string;
  /** Driver calls about the request of a callback. */
  readonly done?: readonly string[];
}

/** Contribution of one case to the judgement of a whole run, from which a merge judges shards as one run. */
export interface Contribution {
  /** Messages that each invariant was judged on, by its id. */
  readonly judged: Readonly<Record<string, number>>;
  /** Broken invariants, each with its count of messages and first findings. */
  readonly violations: Readonly<Record<string, { readonly count: number; readonly findings: readonly Finding[] }>>;
  readonly messages: readonly ContributedMessage[];
}

export interface InvariantResult {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  readonly position: Position;
  readonly on: MessageKind;
  readonly rules: readonly RuleRef[];
  readonly verdict: Verdict;
  readonly reason?: string;
  /** Messages it was judged on, and how many of them broke it. */
  readonly judged: number;
  /** Messages it could not be judged on; absent where there is none. */
  readonly unjudged?: number;
  readonly violations: number;
  /** The first violations. */
  readonly findings: readonly Finding[];
  /** Only for an invariant with a required finding. */
  readonly confirmation?: Confirmation;
}

export interface RuleResult extends Binding {
  readonly id: string;
  readonly area: string;
  readonly clause: string;
  readonly description: string;
  /** Descriptions of its aspects, by `RULE#aspect`. */
  readonly aspects?: Readonly<Record<string, string>>;
  /** For a rule with aspects of other levels: whether each level is free of findings. */
  readonly levels?: Readonly<Partial<Record<Level, boolean>>>;
  readonly interpretation?: string;
  /** Way in which the rule is meant to be judged; the verdict is the result. */
  readonly judged: JudgingWay;
  /** It is of the baseline; where it is critical, it counts for the outcome in every profile. */
  readonly baseline?: true;
  readonly critical?: true;
  /** For a rule with only some critical aspects: the verdict on these. */
  readonly criticalVerdict?: Verdict;
  /** Its verdict does not count for the outcome of this run; its `criticalVerdict` does, where it has one. */
  readonly apart?: true;
  readonly verdict: Verdict;
  readonly reason?: string;
  /** The rule whose findings explain all that is wrong with this one, or why it has no verdict. */
  readonly followsFrom?: string;
  /** It is broken only because the carrier refuses the plain request of a client: the run is incomplete, not red. */
  readonly root?: true;
  /** Only for a rule that is `attested`. */
  readonly attestation?: AttestedStatement;
  readonly judgedBy: readonly string[];
  readonly recorded: Readonly<Record<string, Json>>;
}

/** When no receiver listened, because the run was cut off and resumed: ISO 8601, by the clock of the machine. */
export interface Gap {
  readonly from: string;
  readonly to: string;
}

/** The refused plain request that ended a run: nothing else of the carrier could be judged (P14). */
export interface RootCause {
  readonly client: string;
  /** Cases in which it was refused. */
  readonly cases: readonly string[];
  /** The request in words; redacted. */
  readonly sent: string;
  /** The response with the words of the carrier; redacted. */
  readonly came: string;
  /** Questions about the target file and the registration, the most likely first. */
  readonly causes: readonly string[];
}

export interface ResultFooter {
  readonly endedAt: string;
  readonly outcome: RunOutcome;
  /** Why it is incomplete or stopped early; empty otherwise. */
  readonly reasons: readonly string[];
  readonly interrupted: boolean;
  /** It ended before its cases did, by Ctrl-C or --bail, and can go on; absent where it came to its end. */
  readonly stopped?: true;
  /** Absent where the carrier accepted a plain request of each client. */
  readonly root?: RootCause;
  /** Carrier clock minus ours, milliseconds, with its uncertainty; absent where no Date header was seen. */
  readonly skew?: { readonly offset: number; readonly uncertainty: number };
  /** Why the carrier's Date headers are not believed: requests were dated by our clock. Absent where they are, and on a virtual clock. */
  readonly doubt?: string;
  readonly conclusions: Conclusions;
  /** The whole that the judged rules are a part of. */
  readonly whole: Whole;
  /** Scores by level of the rules that count for the outcome; `all` covers all rules. */
  readonly score: Readonly<Record<Level | 'all', Score>>;
  readonly areas: Readonly<Record<string, Readonly<Record<Level, Score>>>>;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** Only for a run with expected.yaml. The outcome does not depend on it. */
  readonly expected?: readonly ExpectedResult[];
  /** Maximum delay of our own receiver, in milliseconds; absent on a virtual clock. A deviation that it could explain is no finding. */
  readonly receiverLag?: number;
  /** Deliveries that nothing shows to be the carrier's; absent where there was none. */
  readonly strangers?: number;
  /** Changes that stopped cases left at the carrier, in words; absent if there are none. */
  readonly left?: readonly string[];
  /** Only for a resumed run: gaps, after which unfinished cases ran again. */
  readonly gaps?: readonly Gap[];
  /** Only for a run that measured: the carrier's limits and profile. They change no verdict. */
  readonly limits?: readonly LimitResult[];
  readonly profile?: readonly ProfileValue[];
  readonly wallMilliseconds: number;
  readonly exchanges: number;
  readonly deliveries: number;
}

/** The one document every report is a view of. `cases` can be walked again and again, in the order of the suites. */
export interface Result {
  readonly header: ResultHeader;
  readonly cases: Iterable<CaseResult>;
  readonly invariants: readonly InvariantResult[];
  readonly rules: readonly RuleResult[];
  readonly unsolicited: readonly Delivery[];
  /** Only for a shard: contributions for a merge, by case id. */
  readonly contributions?: Readonly<Record<string, Contribution>>;
  /** Absent: the run was cut off. */
  readonly footer?: ResultFooter;
}

/** A finding, the case it was seen in, where that is known, and the invariant that found it. */
export interface FoundIn {
  readonly finding: Finding;
  readonly seenIn?: CaseResult | undefined;
  readonly invariant?: Pick<InvariantResult, 'id' | 'on'> | undefined;
}

/** The selection that shows a finding again: a named case brings its invariants, an invariant its cases. */
export function selectionFor({ finding, seenIn, invariant }: FoundIn): readonly string[] {
  const own = seenIn?.id ?? finding.seenIn;
  const cases = [...(own === undefined ? [] : [own]), ...(finding.comparedWith ?? [])];
  return invariant?.on === 'run' || cases.length === 0 ? [...cases, ...(invariant ? [invariant.id] : [])] : cases;
}
