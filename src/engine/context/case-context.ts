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
import type { UndoCall } from '../../model/action.ts';
import type { Attempt, Exchange, Message } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { CorrelationKeys } from '../../model/interface.ts';
import type { PersonAct } from '../../model/person-act.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import type { NamedDifference } from '../../model/exchange.ts';
import type { Difference, MissingValue, Scope } from '../../model/suite.ts';
import type { RootCause } from '../../model/result.ts';
import type { Client, RefusedUrl, Subscriber, Target } from '../../model/target.ts';
import type { Grammar } from '../../suite/grammar/grammar.ts';
import type { Case, Step, Suites } from '../../suite/suites.ts';
import type { AnyAct, VerbDefinition } from '../../suite/verbs/verb.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import type { KeyRing } from '../../wire/build/keys.ts';
import type { BodyReader } from '../../wire/read/read-body.ts';
import type { Correlator } from '../../wire/receive/correlator.ts';
import type { Destinations } from '../../wire/receive/destinations.ts';
import type { LagMeter } from '../../wire/receive/lag.ts';
import type { Recorder } from '../../wire/record/recorder.ts';
import type { Redactor } from '../../wire/record/redactor.ts';
import type { RunSecrets } from '../../wire/record/run-secrets.ts';
import type { Sender } from '../../wire/send/sender.ts';
import type { SkewOfOrigins } from '../../wire/send/skew.ts';
import type { OpenHours } from '../clock/open-hours.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Timeline, Wait } from '../clock/timeline.ts';
import type { Disturbances } from '../disturbances.ts';
import type { DeclarationTrial } from './note.ts';
import type { CarrierKeys, ReceiverLock } from './attribution.ts';
import type { Circuits } from './circuit.ts';
import type { RandomDraws } from './random-draws.ts';
import type { Operator } from './operator.ts';
import type { RecoveryRecord } from './recovery-record.ts';
import type { RunState } from './run-state.ts';
import type { Walk } from './walk.ts';
import type { Millis } from '../../lib/time.ts';

/** Hands over the requests of this step, as they would be sent and recorded, instead of sending them. */
export interface RequestHold {
  readonly step: string;
  readonly take: (http: HttpRequest, recorded: Exchange) => void;
}

/** Issuer and endpoints after discovery, named as in docs/suite-language.md, `http`. */
export interface Endpoints {
  readonly issuer: string;
  /** URLs that may be called. */
  readonly urls: Readonly<Record<string, string>>;
  /** Endpoints that discovery names at origins where nothing is sent. */
  readonly refused?: Readonly<Record<string, RefusedEndpoint>>;
  /** Signing algorithms that discovery lists for SPs; empty without any. */
  readonly algorithms?: readonly string[];
}

/** Endpoint that discovery names outside the origins the target file allows. */
export interface RefusedEndpoint extends RefusedUrl {
  readonly member: string;
}

/** Refused plain request of a client that had no accepted request before. */
/** A form of the plain request that is one step away from it. */
export interface Narrowing {
  /** Words after "it is accepted": `without state`. */
  readonly words: string;
  readonly difference: Difference;
  /** Difference that the carrier must accept in its place; absent if a registration decides that. */
  readonly allows?: NamedDifference;
}

/** Forms of a refused plain request that were tried, and those that were accepted, each with the rule that the refusal breaks. */
export interface Narrowed {
  readonly tried: number;
  readonly accepted: readonly { readonly words: string; readonly rule: string | undefined }[];
  /** The plain request was accepted meanwhile. */
  readonly over?: true;
}

export interface FirstRefusal extends Omit<RootCause, 'accepted' | 'cases'> {
  readonly case: string;
  /** Whether the failure may be of a moment, such as a 502 of a proxy. */
  readonly passing: boolean;
}

/** Verb of the suite language, with the execution and the planned time of its steps. */
export interface StepVerb extends VerbDefinition {
  /** Throws Unmet if the rest of the case has no meaning. */
  readonly run: (act: AnyAct, step: Step, ctx: CaseContext) => Promise<Observation>;
  /** Advances the walk of a planned case by this step. */
  readonly plan: (act: AnyAct, step: Step, walk: Walk) => void;
  /** Reduces the act to these of its differences from the plain request, by the names in reports. */
  readonly only?: (act: AnyAct, whats: ReadonlySet<string>) => AnyAct;
}

/** Request to an endpoint as its step describes it, before the interface adds what all requests there share. */
export interface PreparedRequest {
  readonly to: string;
  readonly http: HttpRequest;
  /** Names of the headers that the step sets or removes. */
  readonly written: readonly string[];
}

/** Certified interface, with the parts that the engine runs. */
export interface RunnableInterface extends CertifiedInterface {
  readonly verbs: readonly StepVerb[];
  /** Grammar of a difference from the valid request, in suites and limits. */
  readonly difference: Grammar<Difference>;
  /** Builds the act that sends a valid request with a difference, for preflight and measuring. */
  readonly validRequest: (difference: Difference) => AnyAct;
  /** Adds to an `http` request what this carrier's endpoint always needs and the step leaves out. Throws Unmet. */
  readonly prepare: (request: PreparedRequest, ctx: CaseContext) => Promise<HttpRequest>;
  /** Trials with which preflight checks the declarations of a target file. */
  readonly trials: readonly DeclarationTrial<CaseContext>[];
  /** Whether the carrier accepts a request at the edge of its freshness; `time` in seconds. */
  readonly isFreshAt: (time: number, edge: 'past' | 'future', ctx: CaseContext) => Promise<boolean>;
  /** Members of a configuration that list signing algorithms for SPs. */
  readonly signingAlgorithms: readonly string[];
  /** Endpoint that takes the requests, and the member of an accepting response that holds the request's id. */
  readonly requestEndpoint: string;
  readonly requestId: string;
  /** Endpoints that publish the keys with which the carrier signs its deliveries. */
  readonly keyEndpoints: readonly string[];
  /** Explains why a valid request of this client may be refused; undefined if it should be accepted. */
  readonly refuses: (client: Client) => string | undefined;
  /** Explains a refusal by a registration that the target file does not describe; undefined if it is about the request. */
  readonly mayBeUnregistered: (response: ResponseObservation, client: Client) => string | undefined;
  /** Forms in which to try a plain request that was refused with these claims. */
  readonly narrowings: (plain: {
    readonly claims: Readonly<Record<string, Json>>;
    readonly phone: string | undefined;
  }) => readonly Narrowing[];
  /** Names a declaration of the target file that would explain a failed control. */
  readonly mayBeUndeclared: (observation: Observation) => string | undefined;
}

export interface CarrierServices {
  readonly target: Target;
  readonly endpoints: Endpoints;
  /** Public URL of the receiver, the base of registered notification URIs. */
  readonly receiver: string;
  readonly suites: Pick<Suites, 'bases'>;
  readonly interface: RunnableInterface;
  /** Answers `ask` drivers; without an operator the target has none. */
  readonly operator?: Operator;
  readonly random: RandomDraws['random'];
  readonly state: RunState;
  /** Reports a fault of carrierspec outside any case. */
  readonly onInternalError: (cause: unknown) => void;
  /** The carrier is not the embedded one, so the target file or its registrations may be wrong. */
  readonly outlives?: true;
  /** Absent: the run continues despite refusals. */
  readonly onFirstRefused?: (refused: FirstRefusal, narrow: () => Promise<Narrowed>) => Promise<void>;
}

export interface ClockServices {
  readonly timeline: Timeline;
  /** Disturbances of our own machine; absent if nothing watches it. */
  readonly disturbances?: Disturbances;
  /** Locks on subscribers, registrations and the key set. */
  readonly locks: Scheduler;
  /** Bounds the cases that are open at the same time. */
  readonly places?: Scheduler;
  /** Hours in which cases may reach phones and people; always without it. */
  readonly hours?: OpenHours;
  /** Seconds after its beginning at which a case reaches a phone or a person; only with hours. */
  readonly reaches?: (given: Case) => readonly number[];
  /** Bounds the exchanges under way, and their rate. */
  readonly exchanges: Scheduler;
  /** Bounds the programs of exec drivers. */
  readonly programs: Scheduler;
}

interface OutboundServices {
  readonly sender: Sender;
  /** Circuit breakers of silent endpoints. */
  readonly circuits: Circuits;
  readonly keys: KeyRing;
  readonly skew: SkewOfOrigins;
  /** Bounds the bytes read of all bodies together. */
  readonly bodies: BodyReader;
  readonly hold?: RequestHold;
}

interface InboundServices {
  /** Lag of the receiver; in real time only. */
  readonly lag?: LagMeter;
  readonly correlator: Correlator<RequestInbox>;
  readonly lock: ReceiverLock;
  readonly carrierKeys: CarrierKeys;
  readonly isDrawn: RandomDraws['isDrawn'];
  /** Cases that listen for events, by SP and subscriber. */
  readonly registry: { readonly events: Map<string, CaseContext> };
  /** URIs that the run drew: canaries of cases, and unregistered URIs of requests. */
  readonly destinations: Destinations<Destination>;
}

interface RecordServices {
  /** Bounds what is recorded of all messages together. */
  readonly recorder: Recorder;
  readonly secrets: RunSecrets;
  readonly progress: (event: ProgressEvent) => void;
  /** Stores a record for resuming after a crash; absent if nothing is stored. */
  readonly keep?: (recoveryRecord: RecoveryRecord) => void;
}

export interface JudgingServices {
  readonly rules: RuleBook;
  readonly invariants: InvariantJudge;
}

/** Services that all cases of a run share, and the state of the run. A function takes only the parts it uses. */
export interface RunServices
  extends CarrierServices,
    ClockServices,
    OutboundServices,
    InboundServices,
    RecordServices,
    JudgingServices {}

/** Deliveries for a case: callbacks of one request, events of one subscriber for one SP, or canary requests. */
export interface Inbox<D = CallbackObservation | EventObservation> {
  readonly deliveries: D[];
  /** Deliveries that an `await` has already taken. */
  readonly taken: Set<D>;
  readonly listeners: Set<() => void>;
}

export interface RequestInbox extends Inbox<CallbackObservation> {
  readonly ctx: CaseContext;
  readonly step: string;
  response: ResponseObservation | undefined;
  /** Resolves with the response, or undefined if the request was not sent. Callbacks that overtake the response wait for it. */
  readonly answered: Promise<ResponseObservation | undefined>;
  readonly settle: (response: ResponseObservation | undefined) => void;
  /** The subscriber has approved or denied the request: its result is on the way. */
  decided: boolean;
  correlationKeys: CorrelationKeys;
}

/** Case for which the run drew a URI, and the request that names it; without a request the URI is the case's canary. */
export interface Destination {
  readonly ctx: CaseContext;
  readonly inbox?: RequestInbox;
}

interface OpenExpectation {
  readonly rules: readonly string[];
  readonly missing: MissingValue;
}

/** Mutable state of a running case, shared by all views of its context. */
export interface CaseState {
  readonly traces: Map<string, Observation>;
  readonly inboxes: RequestInbox[];
  readonly messages: Message[];
  readonly findings: Finding[];
  readonly recorded: Record<string, Json>;
  readonly acts: PersonAct[];
  /** Changes to undo when the case ends, in the order they were made. */
  undo: readonly PendingUndo[];
  responsesGiven: number;
  /** Events answered so far, by SP, subscriber and kind. */
  readonly eventsAnswered: Map<string, number>;
  /** Inboxes by SP and subscriber. */
  readonly events: Map<string, Inbox<EventObservation>>;
  /** Time of the last action that may raise events of a subscriber, by name; milliseconds. */
  readonly eventsRaised: Map<string, Millis>;
  /** Time from which the carrier shows all changes; milliseconds. */
  shownAt: Millis;
  /** Step that sent the last request. */
  lastRequest: string | undefined;
  /** Step that did not show what the rest of the case builds on. */
  unmet: string | undefined;
  /** Rules of expectations that the message gave nothing to judge by, with the reason; the case goes on. */
  readonly open: OpenExpectation[];
  /** Why the case has no verdict although it ran to its end; its findings stand. */
  incomplete: string | undefined;
  /** The case has to run once more, because a delivery may have been for it or for another. */
  again: boolean;
  /** A request that had to be accepted was refused. */
  refused: boolean;
  /** The case has its result: later deliveries do not reach it. */
  isOver: boolean;
}

/** Attempt that belongs to another case, or repeats an earlier one of the same case. */
export interface CaseAttempt {
  /** Id of the case that records its messages. */
  readonly of: string;
  readonly name: Attempt;
  /** Number among the attempts of this name, from 1. */
  readonly time: number;
  /** Acts of the first try that a finding came after, if the person is asked again. */
  readonly asksAgain?: AskedAgain;
}

export interface AskedAgain {
  readonly acts: readonly PersonAct[];
  /** The finding in words. */
  readonly came: string;
}

/** Running case: its fixed parts, its state and its operations. */
export interface CaseContext {
  readonly services: RunServices;
  readonly case: Case;
  readonly order: number;
  /** Absent: the first attempt of the case itself. */
  readonly attempt?: CaseAttempt;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly client: Client;
  readonly second: Client | undefined;
  readonly subscriber: Subscriber;
  /** Number of the step's repetition, from 0; absent if the step is not repeated. */
  readonly repetition?: number;
  /** Entry of the list that the step goes over; absent if it goes over none. */
  readonly entry?: Json;
  readonly redactor: Redactor;
  readonly canary: { readonly path: string; readonly url: string; readonly inbox: Inbox<EventObservation> };
  readonly state: CaseState;
  /** Returns a view with another client of the target, or this context without a name. Throws Unmet. */
  readonly as: (client: string | undefined) => CaseContext;
  /** Returns a view with another subscriber. */
  readonly about: (subscriber: Subscriber) => CaseContext;
  /** Returns a view for a repetition of a step. */
  readonly during: (repetition: number) => CaseContext;
  /** Returns a view for an entry of the list that a step goes over. */
  readonly at: (entry: Json) => CaseContext;
  /** Returns a view with other services. */
  readonly within: (services: RunServices) => CaseContext;
  /** Scope of a template; roots in `extra` precede all others. */
  readonly scope: (extra?: Readonly<Record<string, unknown>>) => Scope;
  /** Moment on the clock of the run. */
  readonly now: () => Millis;
  /** Returns true if woken, false at the due moment. Throws Interrupted. */
  readonly wait: (wait: Omit<Wait, 'label'> & { readonly for: string }) => Promise<boolean>;
}

/** A context with these of its members, and these services of its run: what a function may touch. */
export type CaseWith<Members extends keyof CaseContext, Services extends keyof RunServices = never> = Pick<
  CaseContext,
  Members
> & { readonly services: Pick<RunServices, Services> };

export interface PendingUndo {
  readonly undoing: UndoCall;
  /** Step that made the change, and the request that the change was about. */
  readonly step: string;
  readonly of: string | undefined;
  /** Context of the changed subscriber. */
  readonly whose: CaseContext;
  /** Lock of the resource that stays changed until then. */
  readonly lock: string;
  /** Id of its recovery record; undefined if none is stored. */
  readonly note: string | undefined;
}

export interface Assignment {
  readonly client: Client;
  readonly second: Client | undefined;
  readonly subscriber: Subscriber;
}

/** A condition of the case is unmet: the case becomes inconclusive, with this reason. */
export class Unmet extends Error {
  /** Step that did not show what the case builds on; undefined if something else is missing. */
  readonly step: string | undefined;
  /** Rule whose finding is the cause. */
  readonly brokenRule: string | undefined;

  constructor(reason: string, step?: string, brokenRule?: string) {
    super(reason);
    this.step = step;
    this.brokenRule = brokenRule;
    this.name = 'Unmet';
  }
}
