import type { NamedCheck } from '../../judge/check.ts';
import type { InvariantJudge } from '../../judge/invariants.ts';
import type { RuleBook } from '../../judge/rule-book.ts';
import type { Delivery } from '../../model/exchange.ts';
import type { BaseRequest, TemplateMap } from '../../model/suite.ts';
import type { Target } from '../../model/target.ts';
import type { Correlator } from '../../wire/correlate.ts';
import type { KeyRing } from '../../wire/keys.ts';
import type { LagMeter } from '../../wire/lag.ts';
import type { Sender } from '../../wire/send.ts';
import type { SkewMeter } from '../../wire/skew.ts';
import type { CaseContext } from './case-context.ts';
import type { CaseGate } from '../clock/case-gate.ts';
import type { ProgramGate } from '../clock/program-gate.ts';
import type { Gate } from '../clock/gate.ts';
import type { Inbox } from './inbox.ts';
import type { Operator } from './operator.ts';
import type { Locks } from '../clock/scheduler.ts';
import type { RecoveryRecord } from './recovery-record.ts';
import type { Timeline } from '../clock/timeline.ts';

/** Endpoints and issuer after discovery (§2.9); names as in docs/suite-language.md, `http`. */
export interface Endpoints {
  readonly issuer: string;
  readonly urls: Readonly<Record<string, string>>;
}

/** What all cases of a run share. */
export interface World {
  readonly target: Target;
  readonly endpoints: Endpoints;
  /** The receiver's public URL, which registered notification URIs begin with. */
  readonly receiver: string;
  readonly base: BaseRequest;
  readonly assertion: BaseRequest | undefined;
  readonly usertrait: TemplateMap | undefined;
  readonly rules: RuleBook;
  readonly checks: Readonly<Record<string, NamedCheck>>;
  readonly invariants: InvariantJudge;
  /** Who answers `ask` drivers; without one the target has none. */
  readonly operator?: Operator;
  readonly timeline: Timeline;
  readonly locks: Locks;
  /** Bounds the cases that are open at the same time. */
  readonly open?: CaseGate;
  /** Keeps what a run that goes on after a crash has to know; absent where none can. */
  readonly keep?: (recoveryRecord: RecoveryRecord) => void;
  /** Bounds the exchanges under way. */
  readonly gate: Gate;
  /** Bounds the programs of exec drivers. */
  readonly programs: ProgramGate;
  readonly sender: Sender;
  readonly keys: KeyRing;
  readonly skew: SkewMeter;
  /** How far behind our receiver is; in real time only. */
  readonly lag?: LagMeter;
  readonly correlator: Correlator<Inbox>;
  /** Who takes events and requests to canaries: events by SP and subscriber, canaries by path. */
  readonly desk: { readonly events: Map<string, CaseContext>; readonly canaries: Map<string, CaseContext> };
  readonly unsolicited: Delivery[];
  /** What cases that were stopped have left at the carrier, and until when they deny; of performance.now(). */
  readonly stopping: { readonly left: LeftBehind[]; until: number | undefined };
  /** Deliveries our receiver holds back on purpose. */
  readonly held: { count: number };
  /** Something of ours broke outside any case. */
  readonly onInternalError: (cause: unknown) => void;
  readonly random: (bytes: number) => string;
  readonly counts: { exchanges: number; deliveries: number };
}

/** Something that is at the carrier when the run has ended. */
export interface LeftBehind {
  readonly about: 'change' | 'events' | 'request';
  readonly words: string;
}

/** The carrier's time in milliseconds: ours, corrected by what its `Date` headers say. */
export function carrierNow({ timeline, skew }: Pick<World, 'timeline' | 'skew'>): number {
  return timeline.now() + (timeline.kind === 'real' ? (skew.current()?.offset ?? 0) : 0);
}
