import type { Hours } from '../lib/hours.ts';
import type { Problem } from './problem.ts';
import type { Profile } from './profile.ts';
import type { ReceiverResponse, TemplateMap, Template } from './suite.ts';

export interface ClientKey {
  readonly kid: string;
  readonly alg: string;
  /** Private JWK; never recorded. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

/** SP registration at the carrier under test. */
export interface Client {
  readonly name: string;
  readonly clientId: string;
  readonly keys: readonly ClientKey[];
  readonly secret?: string;
  readonly redirectUris: readonly string[];
  readonly notificationUris: readonly string[];
  /** URI for the carrier's events (§4.8). */
  readonly eventUri?: string;
  /** Allowed scopes; absent if unknown. */
  readonly scopes?: readonly string[];
  /** Registration flags (§2.12). */
  readonly flags: Readonly<Record<string, boolean>>;
}

/** Test user at the carrier under test. */
export interface Subscriber {
  readonly name: string;
  readonly tags: readonly string[];
  readonly phone?: string;
  /** Pairwise subscriber id by client name. */
  readonly subs: Readonly<Record<string, string>>;
}

export type ProofFormat = 'taap' | 'jwt' | 'dpop';

/** Maximum delays of a carrier, in seconds. */
export interface Latency {
  /** From the end of a request to its callback. */
  readonly callback: number;
  /** From a change to the first delivery of its event. */
  readonly event: number;
  /** From a SIM swap until the SIM shows as new. */
  readonly sim_swap: number;
  /** From a consent change until requests are judged by it. */
  readonly consent: number;
}

/** Codes of a carrier with several, and foreign codes served by the same discovery. */
interface CarrierCodes {
  readonly own: readonly string[];
  readonly foreign: readonly string[];
}

interface DriverBase {
  /** Seconds until the carrier acts on it. */
  readonly takesEffect?: number;
}

/** Performs an action with an HTTP request. */
export interface HttpDriver extends DriverBase {
  readonly kind: 'http';
  readonly method: string;
  readonly url: Template;
  /** Added to `content-type`, which `json` implies. A header with a missing value is left out. */
  readonly headers?: TemplateMap;
  readonly json?: TemplateMap;
  /** Statuses that mean success, and that mean it was impossible (the push is gone). */
  readonly done: readonly number[];
  readonly impossible: readonly number[];
  /** Environment variables that `env.NAME` reads in its templates. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
/** Runs a program of the operator; no shell reads its arguments. */
export interface ExecDriver extends DriverBase {
  readonly kind: 'exec';
  readonly argv: readonly [program: Template, ...args: readonly Template[]];
  /** Added to our PATH, HOME, LANG and TZ. A variable with a missing value is left out. */
  readonly variables: TemplateMap;
  /** Folder of the target file. */
  readonly folder: string;
  /** Seconds. */
  readonly timeout: number;
  /** Exit codes that mean success, and that mean it was impossible. */
  readonly done: readonly number[];
  readonly impossible: readonly number[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Asks the operator to perform an action on a phone. */
export interface AskDriver extends DriverBase {
  readonly kind: 'ask';
  /** Replaces the description of the action. */
  readonly description?: Template;
  /** Seconds. */
  readonly timeout: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}
/** Calls an operator's function in the process of the run. */
export interface ModuleDriver extends DriverBase {
  readonly kind: 'module';
  /** Absolute path of the module, and its name in the target file. */
  readonly file: string;
  readonly shown: string;
  readonly input?: TemplateMap;
  /** Seconds. */
  readonly timeout: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}
export type Driver = HttpDriver | ExecDriver | ModuleDriver | AskDriver;
/** Templates on the response of the carrier's clock, which they read as `body`. */
export interface ClockNames {
  readonly now: Template;
  readonly next?: Template;
  readonly inFlight?: Template;
  readonly unit: 'seconds' | 'milliseconds';
}

/** HTTP or exec only: a run advances a clock a thousand times, too often for an operator. */
export type ClockDriver = (HttpDriver | ExecDriver) & {
  /** Default: the usual names, in milliseconds. */
  readonly names?: ClockNames;
};

export interface TargetClock {
  readonly read: ClockDriver;
  readonly advance: ClockDriver;
  /** Time passes between advances. */
  readonly flows?: boolean;
}

/** How to send a cancellation: §4.4 defines neither method, path nor payload. */
export interface CancelCall {
  readonly method: string;
  readonly as: 'form' | 'json' | 'query';
  /** Carrier's name for `auth_req_id`. */
  readonly member: string;
  /** Added to the suite's parameters; null removes one. A parameter with a missing value stays unchanged. */
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

/** Trusted authorities and our identity for TLS to the carrier. */
export interface TlsTrust {
  /** CA certificates in PEM that replace the system's. */
  readonly ca?: string;
  /** Certificate and key for mTLS. */
  readonly identity?: Identity;
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
}

/** Position in the target file of a mistake that can be found only with the suites. */
export type TargetPosition = Pick<Problem, 'position' | 'sourceLine'>;

/** Second receiver with a self-signed certificate for another host; a conforming carrier must not deliver to it (SEC-24). */
export interface WrongReceiver {
  readonly host: string;
  readonly port: number;
  /** https URI, registered for notifications of the client `main`. */
  readonly uri: string;
}

/** Address of the SP's endpoints during a run. */
interface TargetReceiver {
  readonly host: string;
  readonly port: number;
  readonly url?: string;
  readonly tls?: Identity;
  /** Source addresses and CIDR ranges of the carrier's deliveries. */
  readonly sources?: readonly string[];
  /** CA certificates in PEM for the carrier's client certificates. */
  readonly clientAuthorities?: string;
  readonly wrongCertificate?: WrongReceiver;
}

/** URL in the carrier's configuration to which the run sends nothing. */
export interface RefusedUrl {
  readonly url: string;
  /** Its origin for people, and what is wrong with it. */
  readonly words: string;
  readonly why: string;
  /** Origin to list under `origins` of the target file; absent if that would not help. */
  readonly origin?: string;
}

/** Carrier under test, from carrier.yaml. */
export interface Target {
  readonly name: string;
  readonly file: string;
  /** SHA-256 of the file's content without secrets. */
  readonly fingerprint: string;
  readonly mccmnc: string;
  readonly discovery?: string;
  readonly issuer?: string;
  readonly endpoints: Readonly<Record<string, string>>;
  /** Origins of the carrier in addition to discovery and `endpoints`. */
  readonly origins?: readonly string[];
  readonly clients: readonly Client[];
  readonly subscribers: readonly Subscriber[];
  readonly supports: Readonly<Record<string, boolean>>;
  /** Positions by the words of `supports`. */
  readonly supportsPlaces?: ReadonlyMap<string, TargetPosition>;
  /** Positions by client name. */
  readonly clientPlaces?: ReadonlyMap<string, TargetPosition>;
  /** Positions of each scope of each client. */
  readonly scopePlaces?: readonly (readonly [scope: string, place: TargetPosition])[];
  readonly receiver: TargetReceiver;
  readonly tls?: TlsTrust;
  /** HTTP proxy between us and the carrier; the URL may contain a password. */
  readonly proxy?: string;
  /** Maximum requests per second of real time. */
  readonly rateLimit?: number;
  /** Maximum concurrent cases per subscriber; default 4. */
  readonly casesPerSubscriber?: number;
  /** Hours of the local day in which a run may reach phones and people, unless --hours says otherwise. */
  readonly hours?: Hours;
  /** Default profile of a run. */
  readonly profile?: Profile;
  /** Declared as a test carrier, without real subscribers. */
  readonly testCarrier?: boolean;
  readonly drivers: Readonly<Record<string, Driver>>;
  /** Actions whose `ask` driver is ignored, because no operator is present. */
  readonly unattended?: readonly string[];
  /** Default: POST of a form. */
  readonly cancel?: CancelCall;
  readonly attestations?: readonly Attestation[];
  readonly clock?: TargetClock;
  /** Maximum seconds of an exchange; `deliveryTimeout`: of a delivery that is due at once. */
  readonly requestTimeout: number;
  /** Format of the proof of possession in x-authorization (§5.8), or the program that makes it. */
  readonly proof?: ProofFormat | ExecDriver;
  /** User info also requires a proof of possession. */
  readonly userinfoProof?: boolean;
  /** Declared latencies; `effectiveLatency` adds the defaults. */
  readonly latency?: Partial<Latency>;
  /** Attributes that the carrier has; default: the interface's usual ones. */
  readonly attributes?: readonly string[];
  readonly carrierCodes?: CarrierCodes;
  /** Audience of client assertions: `issuer` or a URL; default: the token endpoint. */
  readonly assertionAudience?: string;
  /** Header with a random, opaque value in every request, to find it in the carrier's logs. */
  readonly traceHeader?: string;
  readonly deliveryTimeout: number;
}

/** Response of our receiver unless a case scripts another. */
export const defaultResponse: ReceiverResponse = { status: 200 };

/** Operator's statement about a rule that no black box can judge. */
export interface AttestedStatement {
  readonly by: string;
  /** `2026-11-01`. */
  readonly on: string;
  readonly description: string;
  /** Evidence: a file name or a text. */
  readonly evidence: string;
  /** Digest of the file: `sha256:...`. */
  readonly sha256?: string;
}

/** Attestation with its position in the target file. */
export interface Attestation extends AttestedStatement {
  readonly rule: string;
  readonly place: Pick<Problem, 'position' | 'sourceLine'>;
}
