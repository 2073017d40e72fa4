import type { Problem } from './problem.ts';
import type { Profile } from './profile.ts';
import type { ReceiverResponse, TemplateMap, Template } from './suite.ts';

export interface ClientKey {
  readonly kid: string;
  readonly alg: string;
  /** Private JWK; never recorded. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** An SP registration at the carrier under test. */
export interface Client {
  readonly name: string;
  readonly clientId: string;
  readonly keys: readonly ClientKey[];
  readonly secret?: string;
  readonly redirectUris: readonly string[];
  readonly notificationUris: readonly string[];
  /** URI for the carrier's events (§4.8). */
  readonly eventUri?: string;
  /** Scopes that it may ask for; absent: not known. */
  readonly scopes?: readonly string[];
  /** §2.12. */
  readonly flags: Readonly<Record<string, boolean>>;
}

/** A test user at the carrier under test. */
export interface Subscriber {
  readonly name: string;
  readonly tags: readonly string[];
  readonly phone?: string;
  /** Pairwise subscriber id by name of the client. */
  readonly subs: Readonly<Record<string, string>>;
}

export type ProofFormat = 'taap' | 'jwt' | 'dpop';

/** How long a carrier may take, in seconds. */
export interface Latency {
  /** From what ends a request to its callback. */
  readonly callback: number;
  /** From a change to the first delivery of its event. */
  readonly event: number;
  /** From a SIM swap until the SIM shows as new. */
  readonly sim_swap: number;
  /** From a change of a consent until requests are judged by it. */
  readonly consent: number;
}

/** Carrier codes of a carrier with several, and those of other carriers that the same discovery serves. */
interface CarrierCodes {
  readonly own: readonly string[];
  readonly foreign: readonly string[];
}

interface AnyDriver {
  /** Seconds from when it is done until the carrier acts by it. */
  readonly takesEffect?: number;
}

/** How an action is made to happen: by a request. */
export interface HttpDriver extends AnyDriver {
  readonly kind: 'http';
  readonly method: string;
  readonly url: Template;
  /** Beside `content-type`, which goes with `json`; one whose value is not there is left out. */
  readonly headers?: TemplateMap;
  readonly json?: TemplateMap;
  /** Statuses that mean it happened, and those that mean it was not possible (the push is gone). */
  readonly done: readonly number[];
  readonly impossible: readonly number[];
  /** Environment variables that `env.NAME` reads in its templates. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
/** Runs a program of the operator; no shell reads its arguments. */
export interface ExecDriver extends AnyDriver {
  readonly kind: 'exec';
  readonly argv: readonly [program: Template, ...args: readonly Template[]];
  /** Beside PATH, HOME, LANG and TZ of ours; one whose value is not there is left out. */
  readonly variables: TemplateMap;
  /** The target file's. */
  readonly folder: string;
  /** Seconds. */
  readonly timeout: number;
  /** Exit codes that mean it happened, and those that mean it was not possible. */
  readonly done: readonly number[];
  readonly impossible: readonly number[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Asks the operator to do it on a phone. */
export interface AskDriver extends AnyDriver {
  readonly kind: 'ask';
  /** Instead of the sentence of the action. */
  readonly description?: Template;
  /** Seconds. */
  readonly timeout: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}
/** Calls a function of the operator, in the process of the run. */
export interface ModuleDriver extends AnyDriver {
  readonly kind: 'module';
  /** The module whose default export it is; and as the target file names it. */
  readonly file: string;
  readonly shown: string;
  readonly input?: TemplateMap;
  /** Seconds. */
  readonly timeout: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}
export type Driver = HttpDriver | ExecDriver | ModuleDriver | AskDriver;
/** Templates that read the response of the carrier's clock as `body`. */
export interface ClockNames {
  readonly now: Template;
  readonly next?: Template;
  readonly inFlight?: Template;
  readonly unit: 'seconds' | 'milliseconds';
}

/** A run moves a clock a thousand times: no operator does that by hand. */
export type ClockDriver = (HttpDriver | ExecDriver) & {
  /** Without them the answer has the usual names, in milliseconds. */
  readonly names?: ClockNames;
};

export interface TargetClock {
  readonly read: ClockDriver;
  readonly advance: ClockDriver;
  /** Time goes on by itself between advances. */
  readonly flows?: boolean;
}

/** How a cancellation is sent: §4.4 shows neither its method nor its path nor its payload. */
export interface CancelCall {
  readonly method: string;
  readonly as: 'form' | 'json' | 'query';
  /** Carrier's name for `auth_req_id`. */
  readonly member: string;
  /** Beside what the suite sends; null takes a parameter out. One whose value is not there is left as it is. */
  readonly parameters?: TemplateMap;
  readonly headers?: TemplateMap;
  /** Environment variables that `env.NAME` reads in its templates. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A certificate and its private key, in PEM. */
export interface Identity {
  readonly cert: string;
  /** Never recorded. */
  readonly key: string;
}

/** Trusted authorities, and our identity, for calls to the carrier. */
export interface TlsTrust {
  /** Certificates of authorities in PEM, instead of those of the system. */
  readonly ca?: string;
  /** Certificate and key for a carrier that asks for one (mTLS). */
  readonly identity?: Identity;
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
}

/** A place in the target file, for mistakes that are found only when the suites are known. */
export type Place = Pick<Problem, 'position' | 'sourceLine'>;

/** A second receiver with a self-signed certificate for another host. A conforming carrier must not deliver to it (SEC-24). */
export interface WrongReceiver {
  readonly host: string;
  readonly port: number;
  /** Registered for notifications of the client main; https. */
  readonly uri: string;
}

/** Address of the SP's endpoints during a run. */
interface TargetReceiver {
  readonly host: string;
  readonly port: number;
  readonly url?: string;
  readonly tls?: Identity;
  /** Addresses and CIDR ranges that deliveries come from. */
  readonly sources?: readonly string[];
  /** Authorities of the certificates that the carrier shows the receiver, in PEM. */
  readonly clientAuthorities?: string;
  readonly wrongCertificate?: WrongReceiver;
}

/** A URL of the carrier's configuration that nothing is sent to. */
export interface RefusedUrl {
  readonly url: string;
  /** Its origin, as people read it, and what is wrong with it. */
  readonly words: string;
  readonly why: string;
  /** Origin to list under `origins` of the target file; absent if that would not help. */
  readonly origin?: string;
}

/** The carrier under test, as carrier.yaml describes it. */
export interface Target {
  readonly name: string;
  readonly file: string;
  /** SHA-256 over the content of the file, without secrets. */
  readonly fingerprint: string;
  readonly mccmnc: string;
  readonly discovery?: string;
  readonly issuer?: string;
  readonly endpoints: Readonly<Record<string, string>>;
  /** Further origins of the carrier, beside those of discovery and `endpoints`. */
  readonly origins?: readonly string[];
  readonly clients: readonly Client[];
  readonly subscribers: readonly Subscriber[];
  readonly supports: Readonly<Record<string, boolean>>;
  /** Positions of the words of `supports`. */
  readonly supportsPlaces?: ReadonlyMap<string, Place>;
  /** Positions of the clients in the file. */
  readonly clientPlaces?: ReadonlyMap<string, Place>;
  readonly receiver: TargetReceiver;
  readonly tls?: TlsTrust;
  /** URL of the HTTP proxy between us and the carrier; it may hold a password. */
  readonly proxy?: string;
  /** Requests a second that the carrier is to get at most, in real time. */
  readonly rateLimit?: number;
  /** Cases that are open at the same time for one subscriber; 4 unless said. */
  readonly casesPerSubscriber?: number;
  /** The rules that count for the outcome of a run that is given no other. */
  readonly profile?: Profile;
  /** A test carrier, without real subscribers. */
  readonly testCarrier?: boolean;
  readonly drivers: Readonly<Record<string, Driver>>;
  /** Actions whose `ask` driver counts for nothing, because no operator is there to be asked. */
  readonly unattended?: readonly string[];
  /** Without it, a cancellation is a form that is POSTed. */
  readonly cancel?: CancelCall;
  readonly attestations?: readonly Attestation[];
  readonly clock?: TargetClock;
  /** Seconds an exchange may take, and a delivery that should come at once. */
  readonly requestTimeout: number;
  /** Format of the proof of possession in x-authorization (§5.8), or the program that makes it. */
  readonly proof?: ProofFormat | ExecDriver;
  /** User info wants a proof of possession too. */
  readonly userinfoProof?: boolean;
  /** Declared latencies; `latencyOf` adds the defaults. */
  readonly latency?: Partial<Latency>;
  /** The attributes that the carrier has; absent: the usual ones of the interface. */
  readonly attributes?: readonly string[];
  readonly carrierCodes?: CarrierCodes;
  /** Audience of client assertions: the token endpoint unless said, else the issuer or a URL. */
  readonly assertionAudience?: string;
  /** A header of every request with a value of its own, random and opaque, to find it in the carrier's logs. */
  readonly traceHeader?: string;
  readonly deliveryTimeout: number;
}

/** The response of our receiver where no case scripts another. */
export const defaultResponse: ReceiverResponse = { status: 200 };

/** The operator's statement about a rule that no black box can judge. */
export interface AttestedStatement {
  readonly by: string;
  /** `2026-11-01`. */
  readonly on: string;
  readonly description: string;
  /** Evidence: the name of a file, or a text. */
  readonly evidence: string;
  /** Digest of the file: `sha256:...`. */
  readonly sha256?: string;
}

/** An attestation of the target file, with its place there. */
export interface Attestation extends AttestedStatement {
  readonly rule: string;
  readonly place: Pick<Problem, 'position' | 'sourceLine'>;
}
