import type { Json } from './json.ts';
import type { Position } from './position.ts';
import type { Rule, RuleRef } from './rule.ts';
import type { Moment, Template } from './template.ts';

export type TemplateMap = readonly (readonly [name: string, value: Template])[];

/** What makes a request object, or the HTTP request that carries it, differ from the base request. */
export interface Difference {
  readonly client?: string;
  readonly claims?: TemplateMap;
  readonly drop?: readonly string[];
  readonly raw?: TemplateMap;
  readonly append?: Template;
  readonly header?: TemplateMap;
  readonly dropHeader?: readonly string[];
  readonly key?: string;
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
}

/** The acts of §2 and §4 that a step can perform or observe. */
export type Act =
  | { readonly verb: 'authorize'; readonly difference: Difference }
  | {
      readonly verb: 'trigger';
      readonly action: string;
      readonly of?: string;
      readonly with: TemplateMap;
      readonly ifPossible: boolean;
      /** Another subscriber, by trait. */
      readonly subscriber?: string;
    }
  | {
      readonly verb: 'await';
      readonly what: 'callback' | 'events' | 'canary';
      readonly of?: string;
      readonly until?: Moment;
      /** Of events: the SP and the subscriber they are for, where not the case's own. */
      readonly client?: string;
      readonly subscriber?: string;
    }
  | { readonly verb: 'look'; readonly what: 'card'; readonly of?: string }
  | { readonly verb: 'sign'; readonly base: SignBase; readonly difference: Difference }
  | { readonly verb: 'usertrait'; readonly difference: UsertraitDifference }
  | { readonly verb: 'http'; readonly request: HttpAct };

/** What `sign` begins with. */
export type SignBase = 'none' | 'client-assertion' | 'request-object';

/** What a proof of possession is made over, where not over the request that is sent. */
export interface ProofOver {
  readonly method?: Template;
  readonly url?: Template;
  readonly body?: Template;
}

/** What makes the proof of possession of §4.7 differ. */
export interface ProofDifference
  extends Pick<Difference, 'claims' | 'drop' | 'header' | 'dropHeader' | 'key' | 'alg' | 'tamper' | 'again'> {
  readonly absent?: boolean;
  readonly value?: Template;
  readonly over?: ProofOver;
}

/** What makes a usertrait request (§2.8, §4.7) differ from the base one. */
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
  /** Sent as the target says for the endpoint (`cancel`), elsewhere as a form; `method` is the target's then. */
  readonly parameters?: TemplateMap;
}

export type Outcome =
  | 'accepted'
  | 'denied'
  | 'denied-or-dropped'
  | 'at-most-one'
  | 'answered'
  | 'completed'
  | 'failed'
  | 'no-tokens'
  | 'silence'
  | 'delivered';

export interface SchemaMismatch {
  /** JSON pointer into the value. */
  readonly path: string;
  readonly message: string;
  readonly expected: Json;
  readonly actual: Json;
}

/** A JSON Schema, compiled when first used. */
export interface SchemaCheck {
  readonly schema: Json;
  readonly mismatches: (value: unknown) => readonly SchemaMismatch[];
}

/** One entry of `expect`. Every key present is judged, each on its own. */
export interface Expectation {
  readonly rules: readonly RuleRef[];
  readonly position: Position;
  readonly outcome?: Outcome;
  readonly error?: readonly string[];
  readonly status?: readonly (number | string)[];
  readonly body?: SchemaCheck;
  readonly idToken?: SchemaCheck;
  readonly card?: SchemaCheck;
  readonly set?: SchemaCheck;
  readonly setHeader?: SchemaCheck;
  /** Steps that this one must be like: in status and error, and in median time. */
  readonly like?: string;
  readonly latencyLike?: string;
  readonly equals?: TemplateMap;
  readonly absent?: readonly string[];
  readonly echo?: readonly string[];
  readonly count?: number;
  /** Seconds. */
  readonly spacing?: { readonly every: number; readonly early: number; readonly late: number };
  readonly checks?: readonly string[];
}

export interface Step {
  readonly name: string;
  readonly position: Position;
  readonly at?: Moment;
  readonly act: Act;
  /** The step must succeed for the case to mean anything: no `expect`, or `control: true`. */
  readonly control: boolean;
  /** How often an exchange is repeated; once unless said. */
  readonly times?: number;
  /** The repetitions are sent all at once. */
  readonly together?: boolean;
  readonly expectations: readonly Expectation[];
  readonly record: TemplateMap;
}

/** One answer of our receiver to a delivery. */
export interface ReceiverResponse {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds before the answer. */
  readonly delay?: number;
  /** The connection is reset instead of answered. */
  readonly reset?: boolean;
}

/** An answer as a suite scripts it: header values may be templates. */
export interface ScriptedResponse extends Omit<ReceiverResponse, 'headers'> {
  readonly headers?: TemplateMap;
}

/** One scenario; a row of a matrix is a case of its own, called `id/row`. */
export interface Case {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  readonly position: Position;
  readonly rules: readonly RuleRef[];
  readonly client: string | Readonly<Record<string, boolean>>;
  readonly subscriber: string;
  readonly exclusive: boolean;
  /** Everything the target must have: `action:approve`, `client:second`, `subscriber:second`, or a declared support. */
  readonly requires: readonly string[];
  readonly receiver: readonly ScriptedResponse[];
  /** What the event endpoint answers. */
  readonly eventReceiver?: readonly ScriptedResponse[];
  readonly detects: readonly string[];
  /** The row's `with:` values. */
  readonly each: TemplateMap;
  readonly steps: readonly Step[];
  /** False: nobody looks at what comes after the last step, and what is pending then stays so. */
  readonly watched?: false;
}

export type MessageKind =
  | 'response'
  | 'accepted'
  | 'refused'
  | 'callback'
  | 'tokens'
  | 'callback-error'
  | 'event'
  | 'userinfo'
  | 'usertrait'
  | 'token'
  | 'discovery'
  | 'jwks'
  | 'cancel'
  | 'run';

/** An expectation on every message of a kind, over the whole run. */
export interface Invariant {
  readonly id: string;
  readonly title: string;
  readonly suite: string;
  readonly area: string;
  readonly position: Position;
  readonly on: MessageKind;
  readonly expectations: readonly Expectation[];
  readonly seenIn: readonly string[];
  readonly detects: readonly string[];
}

/** The base request object: templates of its header and claims, in the order they are sent. */
export interface BaseRequest {
  readonly header: TemplateMap;
  readonly claims: TemplateMap;
}

/** Everything read from the suite folders, checked. */
export interface Suites {
  readonly rules: readonly Rule[];
  readonly cases: readonly Case[];
  readonly invariants: readonly Invariant[];
  readonly base: BaseRequest;
  /** The base client assertion (§4.3), and the members of the base usertrait request (§2.8). */
  readonly assertion?: BaseRequest;
  readonly usertrait?: TemplateMap;
  /** SHA-256 over the files' bytes, in the order of their names: `sha256:...`. */
  readonly digests: { readonly rules: string; readonly suites: string };
  readonly files: readonly string[];
}
