import type { Action } from '../../model/action.ts';
import type { OperatorReply, ResponseObservation } from '../../judge/observation.ts';
import type { Json } from '../../lib/json.ts';
import type { Step } from '../../suite/suites.ts';
import type { Driver, HttpDriver } from '../../model/target.ts';
import type { Scope, Template } from '../../model/suite.ts';
import { valueIfThere } from '../../wire/build/http-request.ts';
import type { Redactor } from '../../wire/record/redactor.ts';
import type { CaseContext } from '../context/case-context.ts';
import type { Millis } from '../../lib/time.ts';

export interface DriveOrder {
  readonly action: string;
  readonly step: string;
  /** Step with the request; default: the last authorize. */
  readonly of?: string | undefined;
  readonly given?: Readonly<Record<string, Json>>;
}

export interface DriveOutcome {
  /** False: the action was not possible. */
  readonly done: boolean;
  readonly summary: string;
  /** Moment of the action on the run's clock, if it differs from the moment of the call. */
  readonly at?: Millis;
  readonly body?: Json;
  readonly status?: number;
  readonly message?: string;
}

export interface ActiveDriverCall<D extends Driver> extends Required<Omit<DriveOrder, 'of'>> {
  readonly definition: Action | undefined;
  readonly driver: D;
  readonly scope: Scope;
  readonly subject: ResponseObservation | undefined;
}

/** Content of a phone: a person's word on each expectation, or a card that is known without asking. */
export interface PhoneContent {
  readonly card: Json;
  readonly said?: readonly OperatorReply[];
  readonly at: number;
}

type DriverOfKind<K extends Driver['kind']> = Extract<Driver, { readonly kind: K }>;

interface DriverDefinition<D extends Driver> {
  /** A person acts, which takes time; without an operator there is no such driver. */
  readonly attended: boolean;
  /** Whether the summary of a trigger quotes the driver. */
  readonly quoted: boolean;
  /** Reason why a look without a body says nothing; absent: the phone shows no card then. */
  readonly missingBody?: string;
  /** Throws MissingValue if a template has no value, and Unmet if the driver fails. */
  readonly run: (call: ActiveDriverCall<D>, ctx: CaseContext) => Promise<DriveOutcome>;
  /** Asks a person what the phone shows; absent: the body of `run` is the card. */
  readonly look?: (call: ActiveDriverCall<D>, step: Step, ctx: CaseContext) => Promise<PhoneContent>;
}

export interface DriverImplementation extends DriverDefinition<Driver> {
  readonly kind: Driver['kind'];
}

export function defineDriver<K extends Driver['kind']>(
  kind: K,
  definition: DriverDefinition<DriverOfKind<K>>,
): DriverImplementation {
  const isOwn = (driver: Driver): driver is DriverOfKind<K> => driver.kind === kind;
  const own = (call: ActiveDriverCall<Driver>): ActiveDriverCall<DriverOfKind<K>> => {
    const { driver } = call;
    if (!isOwn(driver)) throw new TypeError(`a driver ${driver.kind} is no driver ${kind}`);
    return { ...call, driver };
  };
  const { run, look, ...properties } = definition;
  return {
    ...properties,
    kind,
    run: (call, ctx) => run(own(call), ctx),
    ...(look === undefined ? {} : { look: (call, step, ctx) => look(own(call), step, ctx) }),
  };
}

/** Whether a value is an origin: that is no secret, and readers of the result need it. */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { origin, href } = new URL(value);
  return href === `${origin}/`;
}

/** Learns the environment variables that templates use as secrets: they are never recorded. */
export function learnVariableSecrets(templates: readonly Template[], env: HttpDriver['env'], redactor: Redactor): void {
  for (const [root, name] of templates.flatMap(({ paths }) => paths)) {
    const value = root === 'env' && name !== undefined && Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && name !== undefined && !isOrigin(value)) redactor.keep(name, value);
  }
}

/** Templates of a request that the target file describes. */
interface DescribedCall extends Pick<HttpDriver, 'env'> {
  readonly headers: HttpDriver['headers'] | undefined;
  readonly others: readonly Template[];
}

/** Learns the secrets of a request that the target file describes; all its header values count as secrets. */
export function learnCallSecrets({ headers = [], others, env }: DescribedCall, scope: Scope, redactor: Redactor): void {
  learnVariableSecrets([...others, ...headers.map(([, value]) => value)], env, redactor);
  for (const [name, template] of headers) {
    const value = valueIfThere(template, scope);
    if (typeof value === 'string') redactor.keep(name, value);
  }
}
