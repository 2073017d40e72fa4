import type { Action } from './action.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import type { SigningAlg } from './signing.ts';
import type { MessageKind } from './suite.ts';
import type { Client, Latency, Subscriber } from './target.ts';
import type { AllowedLimit } from './allowed-limit.ts';

export interface Endpoint {
  /** Configuration members that may name it; the first match wins. */
  readonly members: readonly string[];
  /** Endpoint whose URL it shares if the target file names none. */
  readonly elseAs?: string;
  /** Kind of its responses, if invariants judge them. */
  readonly kind?: MessageKind;
  /** Kind of secret that an accepting response gives away: tokens, or data of a person. */
  readonly gives?: 'tokens' | 'data';
  /** For a cancel endpoint: the parameter that names the request. */
  readonly cancels?: string;
  /** Its responses show the carrier's keys, which no other case may change meanwhile. */
  readonly showsKeys?: true;
}

export interface Area {
  readonly name: string;
  /** Prefixes of its rule ids: `REQ`, `HDR`. */
  readonly families: readonly string[];
}

/** Facts about a carrier that are known before the first case. */
export interface CarrierFacts {
  /** The discovery issuer of the target file. */
  readonly discovery?: string | undefined;
  readonly urls: Readonly<Record<string, string>>;
  readonly configuration?: JsonObject | undefined;
}

export interface FeatureSign {
  readonly description: string;
  /** Undefined if the facts do not tell. */
  readonly isThere: (facts: CarrierFacts) => boolean | undefined;
  /** If the target file claims the feature and the carrier lacks it, that is a finding, not a mistake in the file. */
  readonly claimIsJudged?: true;
}

/** Role of a registration in cases; `init` writes it into a target file. */
export interface ClientRole {
  readonly algs: readonly SigningAlg[];
  readonly secret?: true;
  readonly events?: true;
  /** Registration flags that are on. */
  readonly flags: readonly string[];
}

/** Likely disagreement between the registration and the target file when a valid request is refused. */
export interface RefusalHint {
  /** Matched against the class and status of the response, the error and its description: `denied 400 invalid_request, "…"`. */
  readonly matches: RegExp;
  /** It explains the refusal alone: no other cause is named beside it. */
  readonly isWhole?: true;
  readonly change: (asked: {
    readonly client: Client;
    readonly subscriber: Subscriber;
    readonly notificationUri: string;
    readonly issuer: string;
  }) => string;
}

/** Values that link a callback to its request, by the interface's names. */
export type CorrelationKeys = Readonly<Record<string, string>>;

/** Base file for the requests of a verb. */
interface BaseFile {
  readonly file: string;
  /** `signed`: a header and claims. `members`: plain members. */
  readonly shape: 'signed' | 'members';
  readonly required?: true;
}

/** Interprets a body; `text` is the whole of it. */
export type BodyInterpreter = (body: Json | undefined, text: string) => Json | undefined;

export interface Messages {
  /** Replaces each tolerated form with the value it stands for (P10). Returns the same value if there is none. */
  readonly meant: BodyInterpreter;
  /** Whether a response names the accepted request. */
  readonly hasRequestId: (body: Json | undefined) => boolean;
  /** Requested lifetime, as written and unchecked. */
  readonly askedSeconds: (claims: JsonObject | undefined) => Json | undefined;
  /** Granted lifetime in seconds. */
  readonly grantedSeconds: (body: Json | undefined) => number | undefined;
  /** Signed token in a delivery, in compact form. */
  readonly tokenIn: (kind: 'callback' | 'event', body: Json | undefined) => Json | undefined;
  /** A success has tokens, a failure an error. Both or neither can occur, and both are wrong. */
  readonly callbackKind: (body: Json | undefined) => { readonly tokens: boolean; readonly error: boolean };
  /** Callback members that moments and templates may read before it arrives. */
  readonly plannedCallback: JsonObject;
  /** Text by which an operator recognizes the request on the phone; undefined if its claims have none. */
  readonly describeRequest: (claims: JsonObject) => string | undefined;
  /** The request's SP and its name for the subscriber: a phone number or a pairwise id. */
  readonly partiesOf: (claims: JsonObject) => { readonly sp?: string; readonly subscriber?: string };
}

export interface Correlation {
  /** Key names in the order they are tried: first the carrier's id, then the SP's own keys, which count together. */
  readonly order: readonly [id: string, ...own: string[]];
  readonly ofRequest: (claims: JsonObject | undefined) => CorrelationKeys;
  /** URIs in a request, or beside it, at which a carrier may call the SP. */
  readonly urisOf: (members: JsonObject | undefined) => readonly string[];
  readonly ofResponse: (body: Json | undefined) => CorrelationKeys;
  readonly ofCallback: (body: Json | undefined, authorization: string | undefined) => CorrelationKeys;
}

/** Seconds. */
export interface Timing {
  /** Maximum lifetime of a request, and its lifetime if it asks for none. */
  readonly longestLife: number;
  readonly usualLife: number;
  /** Time from iat to exp in a valid request object. */
  readonly objectLife: number;
  /** Time limit for a response; no request timeout is shorter. */
  readonly slowestResponse: number;
  /** Time between attempts to deliver without a confirmation. */
  readonly retriesAfter: number;
  /** Observation window: for a pending request, after the end of its life, and after its result. */
  readonly longestWatch: number;
  readonly watchAfter: number;
  readonly watchAfterResult: number;
  /** Cool-down of a subscriber after an event, in which the carrier drops events it already sent. */
  readonly coolDown: number;
}

/** Event kinds by name: whether an event with these claims is of that kind. */
export type EventKinds = Readonly<Record<string, (claims: JsonObject | undefined) => boolean>>;

/** How to find a carrier's configuration and recognize it. */
export interface Discovery {
  /** Path below the discovery issuer. */
  readonly path: string;
  readonly query: (asked: { readonly clientId?: string; readonly mccmnc: string }) => Readonly<Record<string, string>>;
  readonly isConfiguration: (document: JsonObject) => boolean;
}

/** All data about the certified interface. The kernel gets it as a value and has none of its own. */
export interface Interface {
  readonly id: string;
  readonly version: string;
  /** Number and title of each clause from which rules come, in order. */
  readonly clauses: readonly (readonly [number: string, title: string])[];
  /** Listed areas come first, in this order; others follow by name. */
  readonly areas: readonly Area[];
  readonly discovery: Discovery;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly actions: readonly Action[];
  /** Events that suites distinguish. The first matching kind wins. */
  readonly eventKinds: EventKinds;
  /** Base files in the shipped suites, by the names that verbs use. */
  readonly baseFiles: Readonly<Record<string, BaseFile>>;
  /** A person's attributes: all known names, and the ones a carrier has unless its target file says otherwise. */
  readonly attributes: { readonly known: readonly string[]; readonly usual: readonly string[] };
  /** Scopes that it names; a carrier may have more. */
  readonly scopes: readonly string[];
  readonly messages: Messages;
  readonly correlation: Correlation;
  readonly timing: Timing;
  readonly allowedLimits: Readonly<Record<string, AllowedLimit>>;
  /** Body members whose text is a credential. */
  readonly secretMembers: ReadonlySet<string>;
  /** Words that the interface defines, such as error codes. They are never credentials, under whatever name a carrier sends them. */
  readonly words: readonly string[];
  /** Signs of a feature in the facts, by the word of `supports`. */
  readonly featureSigns: Readonly<Record<string, FeatureSign>>;
  /** Rule by which a request gets a response in time, whatever the user does. */
  readonly responseRule: string;
  /** Rule by which an event names its subscriber. */
  readonly eventSubject: string;
  /** Names of an event of an unknown kind, else none; and for a kind, the rule by which such an event names it. */
  readonly unknownEvents: {
    readonly names: (claims: JsonObject | undefined) => readonly string[];
    readonly rules: Readonly<Record<string, string>>;
  };
  /** Word of `supports` that means several requests of one subscriber can be pending. */
  readonly severalPending: string;
  /** Values of `supports` that follow from the declared latencies (seconds) if the target file does not set them. */
  readonly impliedFeatures: (latency: Partial<Latency>) => Readonly<Record<string, boolean>>;
  /** Requirements met by the names in a target file, not by its statements about the carrier. */
  readonly targetRequirements: ReadonlySet<string>;
  readonly roles: Readonly<Record<string, ClientRole>>;
  readonly refusalHints: readonly RefusalHint[];
  /** Fields on the phone's card, by the names that suites use. */
  readonly cardFields: Readonly<Record<string, string>>;
}
