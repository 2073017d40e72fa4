import type { CertifiedInterface } from '../../judge/check.ts';
import type { InvariantJudge } from '../../judge/invariants.ts';
import type {
  CallbackObservation,
  EventObservation,
  Observation,
  ResponseObservation,
} from '../../judge/observation.ts';
import type { RuleBook } from '../../judge/rule-book.ts';
import type { Json } from '../../lib/json.ts';
import type { Undoing } from '../../model/action.ts';
import type { Attempt, Exchange, Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { CorrelationKeys } from '../../model/interface.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import type { Difference, Scope } from '../../model/suite.ts';
import type { RootCause } from '../../model/result.ts';
import type { Client, RefusedUrl, Subscriber, Target } from '../../model/target.ts';
import type { Grammar } from '../../suite/grammar/grammar.ts';
import type { Case, Step, Suites } from '../../suite/suites.ts';
import type { AnyAct, VerbDefinition } from '../../suite/verbs/define.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import type { KeyRing } from '../../wire/build/keys.ts';
import type { BodyReader } from '../../wire/read/read-body.ts';
import type { Correlator } from '../../wire/receive/correlate.ts';
import type { LagMeter } from '../../wire/receive/lag.ts';
import type { Recorder } from '../../wire/record/recorder.ts';
import type { Redactor } from '../../wire/record/redact.ts';
import type { RunSecrets } from '../../wire/record/run-secrets.ts';
import type { Sender } from '../../wire/send/send.ts';
import type { SkewOfOrigins } from '../../wire/send/skew.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Timeline, Wait } from '../clock/timeline.ts';
import type { Disturbances } from '../disturbances.ts';
import type { Trial } from '../preflight/note.ts';
import type { CarrierKeys, ReceiverLock } from '../receive/lock.ts';
import type { Circuits } from './circuit.ts';
import type { Draws } from './drawn.ts';
import type { Operator } from './operator.ts';
import type { RecoveryRecord } from './recovery-record.ts';
import type { RunState } from './run-state.ts';
import type { Walk } from './walk.ts';

/** The requests of this step are handed over, as they would be sent and as they would be recorded, and not sent. */
export interface Hold {
  readonly step: string;
  readonly take: (http: HttpRequest, recorded: Exchange) => void;
}

/** Endpoints and issuer after discovery; names as in docs/suite-language.md, `http`. */
export interface Endpoints {
  readonly issuer: string;
  /** Those that may be called. */
  readonly urls: Readonly<Record<string, string>>;
  /** Those that discovery names where nothing is sent. */
  readonly refused?: Readonly<Record<string, RefusedEndpoint>>;
  /** Algorithms by which discovery says that an SP may sign; none where it says nothing. */
  readonly algorithms?: readonly string[];
}

/** An endpoint that discovery names somewhere else than the target file allows. */
export interface RefusedEndpoint extends RefusedUrl {
  readonly member: string;
}

/** A plain request that was refused in a case before any other of its client was accepted. */
interface FirstRefused extends Omit<RootCause, 'cases'> {
  readonly case: string;
}

/** A verb of the suite language, with how its steps are carried out and how long they take. */
export interface StepVerb extends VerbDefinition {
  /** Throws Unmet where the case can no longer mean anything. */
  readonly run: (act: AnyAct, step: Step, ctx: CaseContext) => Promise<Observation>;
  /** What the step does to a case that is planned. */
  readonly plan: (act: AnyAct, step: Step, walk: Walk) => void;
  /** The act with these of its differences from the plain request alone, by the names that reports use. */
  readonly only?: (act: AnyAct, whats: ReadonlySet<string>) => AnyAct;
}

/** A request to an endpoint as its step describes it, before the interface adds what every request there has. */
export interface PreparedRequest {
  readonly to: string;
  readonly http: HttpRequest;
  /** The headers that the step writes, those that it takes out among them. */
  readonly written: readonly string[];
}

/** The interface that is certified, as the engine runs it. */
export interface RunnableInterface extends CertifiedInterface {
  readonly verbs: readonly StepVerb[];
  /** What makes a valid request differ, as suites and limits write it. */
  readonly difference: Grammar<Difference>;
  /** Sends a valid request with a difference: the act of preflight and of measuring. */
  readonly validRequest: (difference: Difference) => AnyAct;
  /** Adds what every `http` request to an endpoint of this carrier has beside what its step says. Throws Unmet. */
  readonly prepare: (request: PreparedRequest, ctx: CaseContext) => Promise<HttpRequest>;
  /** What preflight tries of the declarations of a target file. */
  readonly trials: readonly Trial<CaseContext>[];
  /** Whether the carrier accepts a request at the edge of its freshness, `time` in seconds. */
  readonly isFreshAt: (time: number, edge: 'past' | 'future', ctx: CaseContext) => Promise<boolean>;
  /** Members of a configuration that list the algorithms by which an SP may sign. */
  readonly signingAlgorithms: readonly string[];
  /** The endpoint that takes the requests, and the member of an accepting response that names the request. */
  readonly requestEndpoint: string;
  readonly requestId: string;
  /** Endpoints with the keys by which the carrier signs what it delivers. */
  readonly keyEndpoints: readonly string[];
  /** Why a valid request of this client is not expected to be accepted. */
  readonly refuses: (client: Client) => string | undefined;
  /** Why a refusal may be about a registration that the target file does not tell of, and not about the request. */
  readonly mayBeUnregistered: (response: ResponseObservation, client: Client) => string | undefined;
  /** A declaration of the target file that would explain why a control did not succeed. */
  readonly mayBeUndeclared: (observation: Observation) => string | undefined;
}

export interface RunServices {
  readonly target: Target;
  readonly endpoints: Endpoints;
  /** The receiver's public URL, which registered notification URIs begin with. */
  readonly receiver: string;
  readonly suites: Pick<Suites, 'bases'>;
  readonly interface: RunnableInterface;
  /** Answers `ask` drivers; without an operator the target has none. */
  readonly operator?: Operator;
  readonly random: Draws['random'];
  readonly state: RunState;
  /** Something of carrierspec broke outside any case. */
  readonly onInternalError: (cause: unknown) => void;
  /** Absent: the run goes on whatever is refused. */
  readonly onFirstRefused?: (refused: FirstRefused) => void;
}

export interface ClockServices {
  readonly timeline: Timeline;
  /** What our own machine did to the run; absent where nothing watches it. */
  readonly disturbances?: Disturbances;
  /** Subscribers, registrations and the key set. */
  readonly locks: Scheduler;
  /** Bounds the cases that are open at the same time. */
  readonly places?: Scheduler;
  /** Bounds the exchanges under way, and their rate. */
  readonly exchanges: Scheduler;
  /** Bounds the programs of exec drivers. */
  readonly programs: Scheduler;
}

interface OutboundServices {
  readonly sender: Sender;
  /** Leaves endpoints alone that do not answer. */
  readonly circuits: Circuits;
  readonly keys: KeyRing;
  readonly skew: SkewOfOrigins;
  /** Bounds what is read of all bodies together. */
  readonly bodies: BodyReader;
  readonly hold?: Hold;
}

export interface InboundServices {
  /** How far behind the receiver is; in real time only. */
  readonly lag?: LagMeter;
  readonly correlator: Correlator<RequestInbox>;
  readonly lock: ReceiverLock;
  readonly carrierKeys: CarrierKeys;
  readonly isDrawn: Draws['isDrawn'];
  /** Cases that listen for events, by SP and subscriber, and for requests to a canary, by path. */
  readonly registry: { readonly events: Map<string, CaseContext>; readonly canaries: Map<string, CaseContext> };
}

interface RecordServices {
  /** Bounds what is kept of all messages together. */
  readonly recorder: Recorder;
  readonly secrets: RunSecrets;
  readonly progress: (event: ProgressEvent) => void;
  /** Keeps what a run that is resumed after a crash has to know; absent where nothing is kept. */
  readonly keep?: (recoveryRecord: RecoveryRecord) => void;
}

export interface JudgingServices {
  readonly rules: RuleBook;
  readonly invariants: InvariantJudge;
}

/** The services that all cases of a run share, and the state of the run. A function takes those that it uses. */
export interface World
  extends RunServices,
    ClockServices,
    OutboundServices,
    InboundServices,
    RecordServices,
    JudgingServices {}

/** Deliveries that a case waits for: callbacks of one request, events of one subscriber for one SP, requests to a canary. */
export interface Inbox<D = CallbackObservation | EventObservation> {
  readonly deliveries: D[];
  /** Deliveries that an `await` has taken already. */
  readonly taken: Set<D>;
  readonly listeners: Set<() => void>;
}

export interface RequestInbox extends Inbox<CallbackObservation> {
  readonly ctx: CaseContext;
  readonly step: string;
  /** Known once the response is in. */
  response: ResponseObservation | undefined;
  /** Resolves when the response is in; callbacks that overtake it wait for it. Undefined: the request was not sent. */
  readonly answered: Promise<ResponseObservation | undefined>;
  readonly settle: (response: ResponseObservation | undefined) => void;
  /** The subscriber has approved or denied it: its result is on the way. */
  decided: boolean;
  correlationKeys: CorrelationKeys;
}

/** Everything that changes while a case runs. All views of its context share it. */
export interface CaseState {
  readonly traces: Map<string, Observation>;
  readonly inboxes: RequestInbox[];
  readonly messages: Message[];
  readonly findings: Finding[];
  readonly recorded: Record<string, Json>;
  /** What is to be undone when the case ends, in the order in which it was done. */
  undo: readonly Undo[];
  responsesGiven: number;
  /** Events answered so far, by SP, subscriber and kind. */
  readonly eventsAnswered: Map<string, number>;
  /** By SP and subscriber. */
  readonly events: Map<string, Inbox<EventObservation>>;
  /** When the last action that may raise events of a subscriber was triggered, by name; milliseconds. */
  readonly eventsRaised: Map<string, number>;
  /** From when on all that was done shows at the carrier; milliseconds. */
  shownAt: number;
  /** The step that sent the last request. */
  lastRequest: string | undefined;
  /** The step that did not show what the rest of the case builds on. */
  unmet: string | undefined;
  /** A control was refused. */
  refused: boolean;
}

/** A try that belongs to another case, or to an earlier one of the same. */
export interface CaseAttempt {
  /** The case whose record has its messages. */
  readonly of: string;
  readonly name: Attempt;
  /** Which of several of this name, from 1. */
  readonly time: number;
}

/** One case that runs: what is fixed, what changes, and what can be done in it. */
export interface CaseContext {
  readonly world: World;
  readonly case: Case;
  readonly order: number;
  /** Absent: the first try of the case itself. */
  readonly attempt?: CaseAttempt;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly client: Client;
  readonly second: Client | undefined;
  readonly subscriber: Subscriber;
  /** Which repetition of its step this is, from 0; absent where the step is not repeated. */
  readonly repetition?: number;
  readonly redactor: Redactor;
  readonly canary: { readonly path: string; readonly url: string; readonly inbox: Inbox<EventObservation> };
  readonly state: CaseState;
  /** The same case as another client of the target; the same context where none is named. Throws Unmet. */
  readonly as: (client: string | undefined) => CaseContext;
  /** The same case with another subscriber. */
  readonly about: (subscriber: Subscriber) => CaseContext;
  /** The same case in a repetition of its step. */
  readonly during: (repetition: number) => CaseContext;
  /** The same case with other services. */
  readonly within: (world: World) => CaseContext;
  /** What a template sees; `extra` are roots that go before all others. */
  readonly scope: (extra?: Readonly<Record<string, unknown>>) => Scope;
  /** Milliseconds since the epoch on the clock of the run. */
  readonly now: () => number;
  /** True: woken; false: the due moment came. Throws Interrupted. */
  readonly wait: (wait: Omit<Wait, 'label'> & { readonly for: string }) => Promise<boolean>;
}

export interface Undo {
  readonly undoing: Undoing;
  /** The step that made the change, and which request that was about. */
  readonly step: string;
  readonly of: string | undefined;
  /** The context with the subscriber that was changed. */
  readonly whose: CaseContext;
  /** Where the change can be seen until then. */
  readonly lock: string;
  /** Id of its recovery record; absent where none is kept. */
  readonly note: string | undefined;
}

export interface Assignment {
  readonly client: Client;
  readonly second: Client | undefined;
  readonly subscriber: Subscriber;
}

/** A condition of the case is unmet: it becomes inconclusive, with this reason. */
export class Unmet extends Error {
  /** The step whose response or delivery is not what the case builds on; absent where something else is missing. */
  readonly step: string | undefined;

  constructor(reason: string, step?: string) {
    super(reason);
    this.step = step;
    this.name = 'Unmet';
  }
}
