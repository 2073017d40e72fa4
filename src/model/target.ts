import type { ReceiverAnswer, TemplateMap } from './suite.ts';
import type { Template } from './template.ts';

/** One private key of an SP registration. */
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
  /** Where the carrier delivers events (§4.8). */
  readonly eventUri?: string;
  /** §2.12. */
  readonly flags: Readonly<Record<string, boolean>>;
}

/** A test user at the carrier under test. */
export interface Subscriber {
  readonly name: string;
  readonly traits: readonly string[];
  readonly phone?: string;
  /** Pairwise subscriber id by name of the client. */
  readonly subs: Readonly<Record<string, string>>;
}

export type ProofFormat = 'taap' | 'jwt' | 'dpop';

/** How an action is made to happen. */
export interface HttpDriver {
  readonly kind: 'http';
  readonly method: string;
  readonly url: Template;
  /** Beside `content-type`, which goes with `json`; one whose value is not there is left out. */
  readonly headers?: TemplateMap;
  readonly json?: TemplateMap;
  /** Statuses that mean it happened, and those that mean it was not possible (the push is gone). */
  readonly done: readonly number[];
  readonly impossible: readonly number[];
  /** What `env.NAME` reads in its templates. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
export type Driver = HttpDriver;

/** The carrier under test, as carrier.yaml describes it. */
export interface Target {
  readonly name: string;
  readonly file: string;
  /** SHA-256 over what the file says, without secrets. */
  readonly fingerprint: string;
  readonly mccmnc: string;
  readonly discovery?: string;
  readonly issuer?: string;
  readonly endpoints: Readonly<Record<string, string>>;
  readonly clients: readonly Client[];
  readonly subscribers: readonly Subscriber[];
  readonly supports: Readonly<Record<string, boolean>>;
  readonly receiver: { readonly host: string; readonly port: number; readonly url?: string };
  readonly drivers: Readonly<Record<string, Driver>>;
  readonly clock?: { readonly read: HttpDriver; readonly advance: HttpDriver };
  /** Seconds an exchange may take, and a delivery that should come at once. */
  readonly deadline: number;
  /** Format of the proof of possession in x-authorization (§5.8). */
  readonly proof?: ProofFormat;
  readonly patience: number;
}

/** The answer our receiver gives where no case scripts another. */
export const defaultAnswer: ReceiverAnswer = { status: 200 };
