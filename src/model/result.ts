import type { Declaration } from './declaration.ts';
import type { AttestedStatement } from './target.ts';
import type { Delivery, Message } from './exchange.ts';
import type { ExpectedResult } from './expected-failure.ts';
import type { Finding } from './finding.ts';
import type { Json } from '../lib/json.ts';
import type { LimitResult, ProfileValue } from './limit.ts';
import type {
  Position,
  Score,
  Binding,
  JudgingMethod,
  Level,
  RuleRef,
  RuleStanding,
  RunOutcome,
  Verdict,
} from './rule.ts';
import type { Profile } from './profile.ts';
import type { MessageKind } from './suite.ts';
import type { PeopleSummary, PersonAct } from './person-act.ts';

export interface InterfaceRef {
  readonly id: string;
  readonly version: string;
}

/** First line of the journal and head of the result: the cases, the tool and the carrier. */
export interface ResultHeader {
  readonly format: 'carrierspec-result';
  readonly version: 3;
  readonly run: string;
  readonly interface: InterfaceRef;
  /** `digest` is the digest of the running program, `sha256:...`. */
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
    /** Declared as a test carrier by the operator. Only then can a run on a virtual clock be certified. */
    readonly testCarrier?: boolean;
  };
  readonly clock: { readonly kind: 'real' | 'virtual'; readonly note: string };
  /** ISO 8601, on the run's clock. */
  readonly startedAt: string;
  /** Selectors as typed; empty means everything. */
  readonly selection: readonly string[];
  /** The target file's declarations on points that the interface leaves open (P4). */
  readonly declarations: readonly Declaration[];
  readonly profile: Profile;
  /** Part of a run, counted from 1; absent for a whole run. */
  readonly shard?: Shard;
  /** Parts that were merged into this result; absent for a result of one run. */
  readonly joined?: readonly { readonly index: number; readonly run: string; readonly startedAt: string }[];
  /** Flags to add to `carrierspec run ID` for the same target: --target, --suites, --fault. */
  readonly flags: readonly string[];
}

/** One of `of` parts of a run; `index` is from 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Whether a finding was reproduced: `confirmed` in both tries, `unstable` in one of two, `seen-once` if there was one try. */
export interface Confirmation {
  readonly status: 'confirmed' | 'unstable' | 'seen-once';
  /** Why there was no second try, or what its value was. */
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
  /** Left out by `--without` or `--safe`; `reason` says why. */
  readonly leftOut?: true;
  readonly findings: readonly Finding[];
  /** Present if the run confirms and the case has a required finding. */
  readonly confirmation?: Confirmation;
  /** Set if the precondition of the case failed: the broken rule, and the case that showed it. */
  readonly followsFrom?: RuleRef & { readonly case: string };
  /** Ids of the only rules that the case could not judge, if `reason` holds for them alone; the others it judged to its end. */
  readonly open?: readonly string[];
  /** Step that did not establish the state which the rest of the case needs. */
  readonly unmet?: string;
  readonly recorded: Readonly<Record<string, Json>>;
  /** Number of failures that were gone when the same request was sent again; absent if there was none. */
  readonly passing?: number;
  /** Features that the case needs and the target file does not name, if something was found; absent without any. */
  readonly assumes?: readonly string[];
  /** Questions to people and their answers, in order; absent if there were none. */
  readonly acts?: readonly PersonAct[];
  /** Names in the target file; absent if the case did not run. */
  readonly client?: string;
  readonly subscriber?: string;
  /** Milliseconds since the epoch, on the run's clock; 0 if the case did not run. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly messages: readonly Message[];
}

/** Message of a case as judged by the run's invariants, in addition to its record. */
export interface ContributedMessage {
  /** Id of the recorded exchange or delivery. */
  readonly id: string;
  readonly kind: 'response' | 'callback' | 'event';
  /** Name of the client that sent or received it. */
  readonly client?: string;
  /** For a response. */
  readonly outcome?: 'accepted' | 'denied' | 'redirected' | 'broken' | 'no-answer';
  readonly usual?: true;
  /** For a callback: whether it carries tokens or an error; `sent` is the exchange of its request. */
  readonly tokens?: true;
  readonly error?: true;
  readonly sent?: string;
  /** Driver calls about the request of a callback. */
  readonly done?: readonly string[];
}

/** Contribution of one case to the judgement of the run. A merge judges shards as one run from these. */
export interface Contribution {
  /** Number of judged messages by invariant id. */
  readonly judged: Readonly<Record<string, number>>;
  /** Broken invariants with their number of violations and first findings. */
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
  /** Number of judged messages. */
  readonly judged: number;
  /** Number of messages it could not be judged on; absent if none. */
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
  /** For a rule with aspects of several levels: whether each level is free of findings. */
  readonly levels?: Readonly<Partial<Record<Level, boolean>>>;
  readonly interpretation?: string;
  /** How the rule is meant to be judged; the verdict is the result. */
  readonly judged: JudgingMethod;
  /** Belongs to the baseline. If also critical, it counts for the outcome in every profile. */
  readonly baseline?: true;
  readonly critical?: true;
  /** Verdict on the critical aspects, if only some aspects are critical. */
  readonly criticalVerdict?: Verdict;
  /** Its verdict does not count for the outcome of this run; its `criticalVerdict`, if any, does. */
  readonly apart?: true;
  readonly verdict: Verdict;
  /** Meaning of the verdict for this run. */
  readonly standing: RuleStanding;
  readonly reason?: string;
  /** Rule whose findings fully explain this rule's failure or missing verdict. */
  readonly followsFrom?: string;
  /** Only for an `attested` rule. */
  readonly attestation?: AttestedStatement;
  readonly judgedBy: readonly string[];
  readonly recorded: Readonly<Record<string, Json>>;
}

/** Time without a receiver because the run was cut off and resumed: ISO 8601, by the machine's clock. */
export interface Gap {
  readonly from: string;
  readonly to: string;
}

/** Refused plain request that leaves nothing else to judge (P14). */
export interface RootCause {
  readonly client: string;
  /** Names of the clients with an accepted plain request: the refusal explains nothing of them. */
  readonly accepted: readonly string[];
  /** Cases with the refusal. */
  readonly cases: readonly string[];
  /** Request in words; redacted. */
  readonly sent: string;
  /** Response with the carrier's own words; redacted. */
  readonly came: string;
  /** Sentences about other forms of the request; absent if none was tried. */
  readonly tried?: readonly string[];
  /** Questions about the target file and the registration, most likely first. */
  readonly causes: readonly string[];
}

/** Digests of a result as its run wrote it. They are no secret: they find what was changed by mistake, not a forgery. */
export interface Seal {
  /** When the run was over, by the machine's clock: ISO 8601. A virtual clock does not say. */
  readonly at: string;
  /** Over header, cases, rules, invariants, unsolicited deliveries and footer: `sha256:...`. */
  readonly digest: string;
  /** First 8 hexadecimal digits of the digest of each case, in the order of the result. */
  readonly caseDigests: string;
}

/**
 * How a run ends, for the exit code and all reports. `expected`: every broken rule is expected. `unjudged`: nothing is broken and no
 * required rule was judged. `stale`: an entry of expected.yaml has to be deleted. `internal`: carrierspec or its surroundings failed.
 */
export type Ending =
  | 'conformant'
  | 'unjudged'
  | 'expected'
  | 'broken'
  | 'stale'
  | 'internal'
  | 'incomplete'
  | 'interrupted';

/** Colour of a verdict. `part`: conformant in some of the rules. `none`: nothing required was judged. Both are grey. */
export type HeadlineTone = 'good' | 'part' | 'none' | 'expected' | 'bad' | 'open';

/** Verdict on a carrier as shown by every report and the certificate. */
export interface Headline {
  readonly tone: HeadlineTone;
  /** `conformant in the 10 of 274 required rules that were run`. */
  readonly words: string;
  /** Limits of the verdict, one phrase each: test carrier, virtual clock, profile. */
  readonly limits: readonly string[];
}

export interface ResultFooter {
  readonly endedAt: string;
  readonly outcome: RunOutcome;
  readonly ending: Ending;
  /** Exit code of the process. */
  readonly exitCode: number;
  readonly headline: Headline;
  /** Number of rules of each standing; absent if none. */
  readonly standings: Readonly<Partial<Record<RuleStanding, number>>>;
  /** Failures of all cases that were gone when the same request was sent again (P26); absent if there was none. */
  readonly passing?: number;
  /** Number of cases that `--without` or `--safe` left out; absent if there was none. */
  readonly leftOut?: number;
  /** Rules that count only because the selection names them. */
  readonly named: readonly string[];
  /** Reasons if it is incomplete or stopped early; otherwise empty. */
  readonly reasons: readonly string[];
  readonly interrupted: boolean;
  /** Stopped by Ctrl-C or --bail before all cases ended; it can be resumed. */
  readonly stopped?: true;
  /** Refused plain request that explains whatever else failed. Absent if the run had none, or went on regardless. */
  readonly root?: RootCause;
  /** Carrier clock minus ours, in milliseconds; absent if no Date header was seen. */
  readonly skew?: { readonly offset: number; readonly uncertainty: number };
  /** Why the run distrusts the carrier's Date headers and dates requests by its own clock. Absent on a virtual clock. */
  readonly doubt?: string;
  /** Number of required rules that count for the outcome, selected or not. */
  readonly whole: number;
  /** Scores by level for rules that count for the outcome; `all` covers all rules. */
  readonly score: Readonly<Record<Level | 'all', Score>>;
  readonly areas: Readonly<Record<string, Readonly<Record<Level, Score>>>>;
  /** Only if expected.yaml is given. The outcome does not depend on it. */
  readonly expected?: readonly ExpectedResult[];
  /** Maximum delay of our own receiver, in milliseconds; absent on a virtual clock. A deviation it could explain is no finding. */
  readonly receiverLag?: number;
  /** Answers of people; absent if there were none. */
  readonly people?: PeopleSummary;
  /** Number of unauthenticated deliveries; absent if none. */
  readonly strangers?: number;
  /** Changes that stopped cases left at the carrier, in words; absent if there are none. */
  readonly left?: readonly string[];
  /** Only for a resumed run: gaps, after which unfinished cases were repeated. */
  readonly gaps?: readonly Gap[];
  /** Only for a run that measured: the carrier's limits and profile. They change no verdict. */
  readonly limits?: readonly LimitResult[];
  readonly profile?: readonly ProfileValue[];
  readonly wallMilliseconds: number;
  readonly exchanges: number;
  readonly deliveries: number;
  /** Absent until the footer is written. */
  readonly seal?: Seal;
}

/** Most unsolicited deliveries kept, of the authenticated and of the unauthenticated ones each. */
export const maxUnsolicited = 100;

/** Document that every report renders. `cases` can be iterated repeatedly, in the order of the suites. */
export interface Result {
  readonly header: ResultHeader;
  readonly cases: Iterable<CaseResult>;
  readonly invariants: readonly InvariantResult[];
  readonly rules: readonly RuleResult[];
  readonly unsolicited: readonly Delivery[];
  /** Only for a shard: contributions for a merge, by case id. */
  readonly contributions?: Readonly<Record<string, Contribution>>;
  /** Absent if the run was cut off. */
  readonly footer?: ResultFooter;
}

/** Finding with its case if known, and with the invariant that found it. */
export interface FindingContext {
  readonly finding: Finding;
  readonly seenIn?: CaseResult | undefined;
  readonly invariant?: Pick<InvariantResult, 'id' | 'on'> | undefined;
}

/** Selection that reproduces a finding. A selected case includes its invariants, a selected invariant its cases. */
export function reproducingSelection({ finding, seenIn, invariant }: FindingContext): readonly string[] {
  const own = seenIn?.id ?? finding.seenIn;
  const cases = [...(own === undefined ? [] : [own]), ...(finding.comparedWith ?? [])];
  return invariant?.on === 'run' || cases.length === 0 ? [...cases, ...(invariant ? [invariant.id] : [])] : cases;
}
