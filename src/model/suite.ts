import type { Json } from '../lib/json.ts';
import type { Millis } from '../lib/time.ts';
import type { Position } from './rule.ts';

/** Values that a template can read. */
export interface Scope {
  /** Carrier's time in epoch seconds, an integer. */
  readonly now: () => number;
  /** Hexadecimal digits of `bytes` random bytes. */
  readonly random: (bytes: number) => string;
  /** Value of a root name; undefined if there is none yet. */
  readonly root: (name: string) => unknown;
}

/** YAML value with compiled templates. */
export interface Template {
  readonly source: Json;
  readonly position: Position;
  /** Paths that it reads, as `['clients', 'second', 'client_id']`. */
  readonly paths: readonly (readonly string[])[];
  /** Throws MissingValue where a path leads nowhere. */
  readonly evaluate: (scope: Scope) => Json;
}

/** Expression for a time, written in epoch seconds. A step's name means the time it was sent. */
export interface Moment {
  readonly source: string;
  readonly position: Position;
  readonly paths: readonly (readonly string[])[];
  /** Throws MissingValue where a path leads nowhere. */
  readonly evaluate: (scope: Scope) => Millis;
}

/** Thrown if a template reads a missing value: the step's condition is unmet. */
export class MissingValue extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`there is no ${path}`);
    this.name = 'MissingValue';
    this.path = path;
  }
}

/** Thrown if an expectation cannot judge a value that is there. The message says why. */
export class UnjudgedValue extends MissingValue {
  constructor(message: string) {
    super('judgement');
    this.name = 'UnjudgedValue';
    this.message = message;
  }
}

export type TemplateMap = readonly (readonly [name: string, value: Template])[];

/** Difference of a request object, or of its HTTP request, from the base request. */
export interface Difference {
  readonly client?: string;
  readonly claims?: TemplateMap;
  readonly drop?: readonly string[];
  readonly raw?: TemplateMap;
  readonly append?: Template;
  readonly header?: TemplateMap;
  readonly dropHeader?: readonly string[];
  readonly key?: string;
  /** Public key that a `public-...` key writes instead of the client's. */
  readonly jwk?: Template;
  readonly alg?: string;
  readonly tamper?: string;
  readonly again?: string;
  readonly request?: Template;
  readonly beside?: TemplateMap;
  readonly body?: Template;
  readonly text?: Template;
  readonly form?: boolean;
  readonly method?: string;
  readonly query?: TemplateMap;
  readonly headers?: TemplateMap;
  readonly writing?: string;
}

/** Request that a proof of possession covers, if not the sent one. */
interface CoveredRequest {
  readonly method?: Template;
  readonly url?: Template;
  readonly body?: Template;
}

/** Difference of the proof of possession of §4.7. */
export interface ProofDifference
  extends Pick<Difference, 'claims' | 'drop' | 'header' | 'dropHeader' | 'key' | 'alg' | 'tamper' | 'again'> {
  readonly absent?: boolean;
  readonly value?: Template;
  readonly over?: CoveredRequest;
}

/** Difference of a usertrait request (§2.8, §4.7) from the base one. */
export interface UsertraitDifference {
  readonly client?: string;
  readonly members?: TemplateMap;
  readonly drop?: readonly string[];
  readonly text?: Template;
  readonly form?: boolean;
  readonly method?: string;
  readonly headers?: TemplateMap;
  readonly proof?: ProofDifference;
}

export interface HttpAct {
  readonly to: string;
  readonly method: string;
  readonly path?: Template;
  readonly query?: TemplateMap;
  readonly headers?: TemplateMap;
  readonly json?: Template;
  readonly form?: TemplateMap;
  readonly text?: Template;
  /** Sent the way the target defines for `cancel`, with the target's method; for other endpoints as a form. */
  readonly parameters?: TemplateMap;
}

export interface SchemaMismatch {
  /** JSON pointer into the value. */
  readonly path: string;
  /** Expected value in words. */
  readonly message: string;
  readonly actual: Json;
}

/** A JSON Schema, compiled when first used. */
export interface SchemaCheck {
  readonly schema: Json;
  readonly mismatches: (value: unknown) => readonly SchemaMismatch[];
}

export interface ReceiverResponse {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Delay of the response in seconds. */
  readonly delay?: number;
  /** Reset the connection instead of responding. */
  readonly reset?: boolean;
}

/** Response in a suite: header values may be templates. */
export interface ScriptedResponse extends Omit<ReceiverResponse, 'headers'> {
  readonly headers?: TemplateMap;
}

/** Base request object: templates of its header and claims, in wire order. */
export interface BaseRequest {
  readonly header: TemplateMap;
  readonly claims: TemplateMap;
}

/** Message kinds for invariants: `message` is any response or delivery, `run` the whole run. */
export const messageKinds = [
  'message',
  'response',
  'accepted',
  'refused',
  'delivery',
  'callback',
  'tokens',
  'callback-error',
  'event',
  'userinfo',
  'usertrait',
  'token',
  'discovery',
  'jwks',
  'cancel',
  'run',
] as const;
export type MessageKind = (typeof messageKinds)[number];
