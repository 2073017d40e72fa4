import type { HeaderLines, NamedDifference, NoResponse, Unreadable } from '../model/exchange.ts';
import type { Json, JsonObject } from '../lib/json.ts';

/** What a response comes to: what the carrier did in effect, whatever the form. */
export type ResponseClass = 'accepted' | 'denied' | 'redirected' | 'broken' | 'no-answer';

/** What a carrier can know of the object: all; its claims, though they do not verify; or nothing. */
export type Readable = 'verified' | 'unverified' | 'not at all';

/** A member of a configuration that names a URL where nothing is sent: what it names, and what is wrong with that. */
export interface Elsewhere {
  readonly member: string;
  readonly words: string;
  readonly why: string;
}

/** A response of the carrier, as a step or an invariant judges it. Times in seconds since the epoch, with fraction. */
export interface ResponseObservation {
  readonly kind: 'response';
  readonly step: string;
  /** Id of the recorded exchange. */
  readonly message: string;
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Seconds by which the run was behind when it read the response: it may have come so much earlier; absent where it was not. */
  readonly lag?: number;
  /** What was sent; absent where no request object was. */
  readonly claims?: JsonObject;
  readonly header?: JsonObject;
  readonly jws?: string;
  /** What stood beside the request object, in the body and in the query. */
  readonly outside?: JsonObject;
  /** Public JWK of the key that signed. */
  readonly signingKey?: JsonObject;
  readonly client?: string;
  /** What differs from the plain request. */
  readonly differences?: readonly NamedDifference[];
  /** A JSON POST of a request object to the endpoint: what invariants on responses judge. */
  readonly usual: boolean;
  readonly readable: Readable;
  readonly url: string;
  /** Name of the endpoint of the interface, where an HTTP step asked it. */
  readonly endpoint?: string;
  /** Wall time from sending to the end of the response, milliseconds; and of every repetition. */
  readonly took: number;
  readonly samples: readonly number[];
  /** Wall times of the step whose exchange was interleaved with this one's. */
  readonly beside?: { readonly step: string; readonly samples: readonly number[] };
  /** Every repetition of the step, this one among them. */
  readonly repetitions?: readonly ResponseObservation[];
  readonly proof?: string;
  readonly status?: number;
  /** By lower-case name; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly headerLines: HeaderLines;
  readonly body?: Json;
  /** Body as received; `body` is its reading (P10). The rules of the form judge this one. */
  readonly received?: Json;
  /** The body as text, where it is no JSON. */
  readonly text: string;
  /** Absent where it can be read. */
  readonly unreadable?: readonly Unreadable[];
  /** Of a configuration. */
  readonly elsewhere?: readonly Elsewhere[];
  readonly outcome: ResponseClass;
  readonly noResponse?: NoResponse;
  /** `accepted 200`, `denied 400 invalid_request`, `no answer: timeout`. */
  readonly summary: string;
  /** Granted life in seconds, where the response names it. */
  readonly granted?: number;
  /** After an accepted request that may be dropped: true when neither push nor tokens came of it. */
  readonly dropped?: boolean;
  /** How many of the repetitions brought tokens when all that were accepted had been approved. */
  readonly completed?: number;
}

/** The responses that accepted a request, of one step that may be repeated. */
export const acceptedOf = (observation: ResponseObservation): readonly ResponseObservation[] =>
  (observation.repetitions ?? [observation]).filter(({ outcome }) => outcome === 'accepted');

interface DeliveryObservation {
  readonly message: string;
  readonly receivedAt: number;
  /** Seconds that it may have been unread before `receivedAt`; absent where none. */
  readonly lag?: number;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headerLines: HeaderLines;
  readonly body?: Json;
  /** As of a response. */
  readonly received?: Json;
  readonly text: string;
  /** Absent where it can be read. */
  readonly unreadable?: readonly Unreadable[];
}

/** A call of a driver, as far as a delivery may follow from it. */
export interface DriverCall {
  readonly action: string;
  /** When it began, in seconds since the epoch. */
  readonly at: number;
  /** Id of the request that it is about; absent of a call that is about none. */
  readonly request?: string;
  readonly client: string;
  readonly given: JsonObject;
  /** Whether it was done; absent while it is under way, and where the driver failed. */
  done?: boolean;
}

/** The run's driver calls about a request, when a delivery for it came. */
export interface RequestHistory {
  /** The id by which driver calls name the request. */
  readonly request: string;
  readonly calls: readonly DriverCall[];
  /** Driver calls about its subscriber, for each client, in order; empty if it names no subscriber of the target. */
  readonly ofSubscriber: readonly DriverCall[];
  readonly ofClient: readonly DriverCall[];
  /** Tags of its subscriber, and flags of its client, as the target file has them. */
  readonly tags: readonly string[];
  readonly flags: Readonly<Record<string, boolean>>;
  /** Seconds until a change of the subscriber counts. */
  readonly settles: number;
  /** Deliveries for the request that came before. */
  readonly earlier: number;
  /** Path and query of the notification URIs that its client registered. */
  readonly registered: readonly string[];
  /** Each decision is a driver call: no person holds the phone. */
  readonly isDriven: boolean;
}

export interface CallbackObservation extends DeliveryObservation {
  readonly kind: 'callback';
  readonly idToken?: JsonObject;
  readonly idTokenHeader?: JsonObject;
  /** Tokens came, and no ID token with them. */
  readonly withoutIdToken?: true;
  /** Success: it carries an access_token. Failure: an `error` member. Both or neither is possible, and wrong. */
  readonly tokens: boolean;
  readonly error: boolean;
  readonly sent: ResponseObservation;
  /** Milliseconds of wall time by which it came before the response to its request; absent where it did not. */
  readonly ahead?: number;
  /** Absent of a delivery that is read from a record. */
  readonly history?: RequestHistory;
}

/** A delivery at the event endpoint, or a request to the canary. */
export interface EventObservation extends DeliveryObservation {
  readonly kind: 'event';
  /** Name of the client it came to, and path and query of that client's registered endpoint. */
  readonly client?: string;
  readonly endpoint?: string;
  /** Claims and header of the SET, unverified. */
  readonly set?: JsonObject;
  readonly setHeader?: JsonObject;
  /** aud of the SET; of a list of one, its entry. */
  readonly audience?: Json;
  readonly jws?: string;
  /** It names no subscriber of the target: it may be the awaited one with a wrong sub, or be about another user of the SP. */
  readonly astray?: true;
}

/** What an `await` observed: every delivery it took, in order; the other members are those of the delivery that decided. */
interface DeliveriesObservation<Delivery> {
  readonly step: string;
  readonly sentAt: number;
  readonly until: number;
  readonly deliveries: readonly Delivery[];
  readonly count: number;
  readonly summary: string;
  readonly receivedAt?: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
}

export interface AwaitObservation extends DeliveriesObservation<CallbackObservation> {
  readonly kind: 'await';
  readonly sent: ResponseObservation;
  readonly idToken?: JsonObject;
  readonly withoutIdToken?: true;
}

/** An `await` of events or of the canary. */
export interface EventsObservation extends DeliveriesObservation<EventObservation> {
  readonly kind: 'events';
  readonly set?: JsonObject;
  readonly setHeader?: JsonObject;
  readonly audience?: Json;
}

/** The operator's answer to whether something is so on the phone. */
export interface Said {
  readonly words: string;
  readonly holds: boolean;
  /** As typed, with the evidence. */
  readonly answer: string;
}

export interface LookObservation {
  readonly kind: 'look';
  readonly step: string;
  readonly sentAt: number;
  readonly card: Json;
  /** What the operator said, where the look is by an `ask` driver: of each expectation of the step, in their order. */
  readonly said?: readonly Said[];
  /** The request whose card it is. */
  readonly sent?: ResponseObservation;
  readonly summary: string;
  readonly message?: string;
}

export interface TriggerObservation {
  readonly kind: 'trigger';
  readonly step: string;
  readonly sentAt: number;
  readonly done: boolean;
  readonly status?: number;
  readonly body?: Json;
  readonly summary: string;
  readonly message?: string;
}

/** A JWT that was made, not sent. */
interface SignObservation {
  readonly kind: 'sign';
  readonly step: string;
  readonly sentAt: number;
  readonly jws: string;
  readonly claims: JsonObject;
  readonly header: JsonObject;
  /** Every repetition of the step, this one among them. */
  readonly repetitions?: readonly SignObservation[];
  readonly summary: string;
  readonly message?: string;
}

/** A JWE that was made or altered, not sent. */
interface EncryptObservation {
  readonly kind: 'encrypt';
  readonly step: string;
  readonly sentAt: number;
  readonly jwe: string;
  readonly summary: string;
  readonly message?: string;
}

export type Observation =
  | ResponseObservation
  | AwaitObservation
  | EventsObservation
  | LookObservation
  | SignObservation
  | EncryptObservation
  | TriggerObservation;

/** What can be judged: the observation of a step, or one message of an invariant. */
export type Judgeable = Observation | CallbackObservation | EventObservation;
