import type { ResponseClass } from '../verdict/response-class.ts';
import type { HeaderLines, NamedDifference, NoResponse, ReadabilityFlaw } from '../model/exchange.ts';
import type { Json, JsonObject } from '../lib/json.ts';

/** Effect of a response, whatever its form. */
/** Parts of the request object that the carrier can read: all of it; claims with an invalid signature; nothing. */
export type ObjectReadability = 'verified' | 'unverified' | 'not at all';

/** A configuration member with a URL where nothing is sent: its name, what it is for, and what is wrong with it. */
export interface StrayUrl {
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
  /** Seconds by which the response may have arrived before it was read, because the run was behind; absent if it was not. */
  readonly lag?: number;
  /** Claims sent; absent if there was no request object. */
  readonly claims?: JsonObject;
  readonly header?: JsonObject;
  readonly jws?: string;
  /** Parameters beside the request object, in the body and in the query. */
  readonly outside?: JsonObject;
  /** Public JWK of the key that signed. */
  readonly signingKey?: JsonObject;
  readonly client?: string;
  /** Differences from the plain request. */
  readonly differences?: readonly NamedDifference[];
  /** A JSON POST of a request object to the endpoint, the only kind that invariants on responses judge. */
  readonly usual: boolean;
  readonly readable: ObjectReadability;
  readonly url: string;
  /** The interface's name for the endpoint, if an HTTP step called it. */
  readonly endpoint?: string;
  /** Wall time from sending to the end of the response, in milliseconds; `samples` has every repetition's. */
  readonly took: number;
  readonly samples: readonly number[];
  /** Wall times of the step whose exchange was interleaved with this one. */
  readonly beside?: { readonly step: string; readonly samples: readonly number[] };
  /** Every repetition of the step, including this one. */
  readonly repetitions?: readonly ResponseObservation[];
  readonly proof?: string;
  readonly status?: number;
  /** Lower-case names; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly headerLines: HeaderLines;
  readonly body?: Json;
  /** Claims and header of the id token in the body, unverified. */
  readonly idToken?: JsonObject;
  readonly idTokenHeader?: JsonObject;
  /** Body as received, if `body` is a reading of it (P10). Rules about the form judge this one. */
  readonly received?: Json;
  /** The body as text, even if it is not JSON. */
  readonly text: string;
  /** Absent if the body is readable. */
  readonly unreadable?: readonly ReadabilityFlaw[];
  /** Only in an observation of the configuration. */
  readonly elsewhere?: readonly StrayUrl[];
  readonly outcome: ResponseClass;
  readonly noResponse?: NoResponse;
  /** `accepted 200`, `denied 400 invalid_request`, `no response: timeout (nothing in 30 s)`. */
  readonly summary: string;
  /** Granted lifetime in seconds, if the response states it. */
  readonly granted?: number;
  /** Kind of secret that an accepting response of this endpoint gives away; absent for other endpoints. */
  readonly gives?: 'tokens' | 'data';
  /** For an accepted request that may be dropped: true if neither a push nor tokens followed. */
  readonly dropped?: boolean;
  /** Number of repetitions that brought tokens after all accepted ones had been approved. */
  readonly completed?: number;
}

/** Responses that accepted a request, of a step that may be repeated. */
export const acceptedResponses = (observation: ResponseObservation): readonly ResponseObservation[] =>
  (observation.repetitions ?? [observation]).filter(({ outcome }) => outcome === 'accepted');

interface DeliveryObservation {
  readonly message: string;
  readonly receivedAt: number;
  /** Seconds that it may have been unread before `receivedAt`; absent if none. */
  readonly lag?: number;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headerLines: HeaderLines;
  readonly body?: Json;
  /** Body as received, if `body` is a reading of it (P10). */
  readonly received?: Json;
  readonly text: string;
  /** Absent if the body is readable. */
  readonly unreadable?: readonly ReadabilityFlaw[];
}

/** A driver call, as far as a delivery may follow from it. */
export interface DriverCallRecord {
  readonly action: string;
  /** Start of the call, in seconds since the epoch. */
  readonly at: number;
  /** Id of the request that the call is about, if any. */
  readonly request?: string;
  readonly client: string;
  readonly given: JsonObject;
  /** A person did it, or says so. */
  readonly attended?: true;
  /** Whether the action succeeded; absent while it is running, and if the driver failed. */
  done?: boolean;
}

/** Driver calls of the run that concern a request, at the time of a delivery for it. */
export interface RequestHistory {
  /** Id that driver calls use for the request. */
  readonly request: string;
  readonly calls: readonly DriverCallRecord[];
  /** Driver calls about its subscriber, for any client, in order; empty if it names no subscriber of the target. */
  readonly ofSubscriber: readonly DriverCallRecord[];
  readonly ofClient: readonly DriverCallRecord[];
  /** Tags of its subscriber and flags of its client, from the target file. */
  readonly tags: readonly string[];
  readonly flags: Readonly<Record<string, boolean>>;
  /** Seconds until a change of the subscriber takes effect. */
  readonly settles: number;
  /** Number of earlier deliveries for the request. */
  readonly earlier: number;
  /** Path and query of its client's registered notification URIs. */
  readonly registered: readonly string[];
  /** Every decision is a driver call: no person holds the phone. */
  readonly isDriven: boolean;
}

export interface CallbackObservation extends DeliveryObservation {
  readonly kind: 'callback';
  readonly idToken?: JsonObject;
  readonly idTokenHeader?: JsonObject;
  /** Tokens came without an ID token. */
  readonly withoutIdToken?: true;
  /** `tokens` is true if it carries an access_token, `error` if it has an `error` member. Both or neither is possible, and wrong. */
  readonly tokens: boolean;
  readonly error: boolean;
  readonly sent: ResponseObservation;
  /** It came to a URI that is not registered, and its request was refused, or only this URI shows its request. */
  readonly stray?: true;
  /** Milliseconds of wall time by which it arrived before the response to its request; absent if it did not. */
  readonly ahead?: number;
  /** Absent if the delivery is read from a record. */
  readonly history?: RequestHistory;
}

/** A delivery at the event endpoint, or a request to the canary. */
export interface EventObservation extends DeliveryObservation {
  readonly kind: 'event';
  /** Client that received it, and path and query of that client's registered endpoint. */
  readonly client?: string;
  readonly endpoint?: string;
  /** Claims and header of the SET, unverified. */
  readonly set?: JsonObject;
  readonly setHeader?: JsonObject;
  /** aud of the SET; a list with one entry becomes that entry. */
  readonly audience?: Json;
  readonly jws?: string;
}

/** Result of an `await`: its deliveries in order; the other members come from the delivery that decided. */
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

/** The operator's answer about what the phone shows. */
export interface OperatorReply {
  readonly words: string;
  readonly holds: boolean;
  /** The answer verbatim, with the evidence. */
  readonly answer: string;
}

export interface LookObservation {
  readonly kind: 'look';
  readonly step: string;
  readonly sentAt: number;
  readonly card: Json;
  /** The operator's answers if an `ask` driver looks: one for each expectation of the step, in order. */
  readonly said?: readonly OperatorReply[];
  /** The request that the card belongs to. */
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

/** A JWT that was made but not sent. */
interface SignObservation {
  readonly kind: 'sign';
  readonly step: string;
  readonly sentAt: number;
  readonly jws: string;
  readonly claims: JsonObject;
  readonly header: JsonObject;
  /** Every repetition of the step, including this one. */
  readonly repetitions?: readonly SignObservation[];
  readonly summary: string;
  readonly message?: string;
}

/** A JWE that was made or altered but not sent. */
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

/** A step's observation, or one message that invariants judge. */
export type Judgeable = Observation | CallbackObservation | EventObservation;
