import type { Action } from './action.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import type { SigningAlg } from './signing.ts';
import type { MessageKind } from './suite.ts';
import type { Client, Latency, Subscriber } from './target.ts';
import type { AllowedLimit } from './allowed.ts';

export interface Endpoint {
  /** The members of the configuration that may name it, first match wins. */
  readonly members: readonly string[];
  /** Its URL is that of another endpoint where the target file names none. */
  readonly elseAs?: string;
  /** The kind of its responses, where invariants judge them. */
  readonly kind?: MessageKind;
  /** A request is cancelled there: the parameter that names it. */
  readonly cancels?: string;
  /** Its responses show the keys of the carrier, which no other case may change meanwhile. */
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
  /** Undefined where the facts do not tell. */
  readonly isThere: (facts: CarrierFacts) => boolean | undefined;
  /** A carrier without what the target file claims breaks a rule: that is a finding, and no mistake of the file. */
  readonly claimIsJudged?: true;
}

/** A role in which cases use a registration: what `init` writes into a target file. */
export interface ClientRole {
  readonly algs: readonly SigningAlg[];
  readonly secret?: true;
  readonly events?: true;
  /** Flags of the registration that are on. */
  readonly flags: readonly string[];
}

/** A refused valid request: what the registration and the target file may not agree on. */
export interface RefusalHint {
  /** Compared with the error and its description. */
  readonly matches: RegExp;
  readonly change: (asked: {
    readonly client: Client;
    readonly subscriber: Subscriber;
    readonly notificationUri: string;
    readonly issuer: string;
  }) => string;
}

/** Values that tie a callback to its request, by the interface's names. */
export type CorrelationKeys = Readonly<Record<string, string>>;

/** A file that the requests of a verb begin with. */
interface BaseFile {
  readonly file: string;
  /** A header and claims to be signed, or plain members. */
  readonly shape: 'signed' | 'members';
  readonly required?: true;
}

/** Reads a body; `text` is the whole of it. */
export type Meant = (body: Json | undefined, text: string) => Json | undefined;

export interface Messages {
  /** The body with each tolerated form read as the value that it stands for (P10); the same value where none is. */
  readonly meant: Meant;
  /** A response names the request that the carrier accepted. */
  readonly hasRequestId: (body: Json | undefined) => boolean;
  /** The life that a request asks for, whatever is written there. */
  readonly askedSeconds: (claims: JsonObject | undefined) => Json | undefined;
  /** Seconds of life that a response grants. */
  readonly grantedSeconds: (body: Json | undefined) => number | undefined;
  /** The signed token that a delivery carries, in compact form. */
  readonly tokenIn: (kind: 'callback' | 'event', body: Json | undefined) => Json | undefined;
  /** Success carries tokens, failure an error; both or neither is possible, and wrong. */
  readonly callbackKind: (body: Json | undefined) => { readonly tokens: boolean; readonly error: boolean };
  /** Members of a callback that moments and templates may read before one arrives. */
  readonly plannedCallback: JsonObject;
  /** How an operator finds a request on the phone; undefined where its claims do not tell. */
  readonly describeRequest: (claims: JsonObject) => string | undefined;
  /** The SP that a request comes from, and what it names its subscriber by: a phone number or a pairwise id. */
  readonly partiesOf: (claims: JsonObject) => { readonly sp?: string; readonly subscriber?: string };
}

export interface Correlation {
  /** Names of the keys in the order of trial: the id of the carrier first, then the SP's own, which count together. */
  readonly order: readonly [id: string, ...own: string[]];
  readonly ofRequest: (claims: JsonObject | undefined) => CorrelationKeys;
  readonly ofResponse: (body: Json | undefined) => CorrelationKeys;
  readonly ofCallback: (body: Json | undefined, authorization: string | undefined) => CorrelationKeys;
}

/** Seconds. */
export interface Timing {
  /** The longest life that a request may ask for, and the life of one that asks for none. */
  readonly longestLife: number;
  readonly usualLife: number;
  /** From iat to exp of a valid request object. */
  readonly objectLife: number;
  /** In which a response has to come: no request timeout is shorter. */
  readonly slowestResponse: number;
  /** Between the attempts of a delivery without a confirmation. */
  readonly retriesAfter: number;
  /** The observation window: of a request that stays pending, after the end of its life, and after its result. */
  readonly longestWatch: number;
  readonly watchAfter: number;
  readonly watchAfterResult: number;
  /** The cool-down of a subscriber after an event: the carrier drops what it sent within that time. */
  readonly coolDown: number;
}

/** Kinds of events by name: whether an event with these claims is one. */
export type EventKinds = Readonly<Record<string, (claims: JsonObject | undefined) => boolean>>;

/** How the configuration of a carrier is found and told from another document. */
export interface Discovery {
  /** Path below the discovery issuer. */
  readonly path: string;
  readonly query: (asked: { readonly clientId?: string; readonly mccmnc: string }) => Readonly<Record<string, string>>;
  readonly isConfiguration: (document: JsonObject) => boolean;
}

/** Everything about the interface that is certified which is data: the kernel takes it as a value and knows none of it. */
export interface Interface {
  readonly id: string;
  readonly version: string;
  /** The table of contents, in order, as far as rules come from it: number and title. */
  readonly clauses: readonly (readonly [number: string, title: string])[];
  /** In order; other areas follow by name. */
  readonly areas: readonly Area[];
  readonly discovery: Discovery;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly actions: readonly Action[];
  /** Events that suites tell apart, in the order in which an event that may be several is taken for one. */
  readonly eventKinds: EventKinds;
  /** The files of the shipped suites that requests begin with, by the names that verbs use. */
  readonly baseFiles: Readonly<Record<string, BaseFile>>;
  /** Attributes of a person: all known names, and those that a carrier has unless its target file says otherwise. */
  readonly attributes: { readonly known: readonly string[]; readonly usual: readonly string[] };
  readonly messages: Messages;
  readonly correlation: Correlation;
  readonly timing: Timing;
  readonly allowedLimits: Readonly<Record<string, AllowedLimit>>;
  /** Members of bodies whose text is a credential. */
  readonly secretMembers: ReadonlySet<string>;
  /** Words that the interface defines, such as error codes: none is a credential, under whatever name a carrier sends it. */
  readonly words: readonly string[];
  /** The words of `supports` that a carrier shows. */
  readonly featureSigns: Readonly<Record<string, FeatureSign>>;
  /** The word of `supports` for a carrier at which several requests of one subscriber can wait. */
  readonly severalPending: string;
  /** The words of `supports` that the declared latencies (seconds) decide, where the target file does not say. */
  readonly impliedFeatures: (latency: Partial<Latency>) => Readonly<Record<string, boolean>>;
  /** Requirements that a target file meets by what it names, not by what it says of the carrier. */
  readonly targetRequirements: ReadonlySet<string>;
  readonly roles: Readonly<Record<string, ClientRole>>;
  readonly refusalHints: readonly RefusalHint[];
  /** Fields that a phone shows, by the names that suites use. */
  readonly cardFields: Readonly<Record<string, string>>;
}
