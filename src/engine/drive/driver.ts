import type { Action } from '../../model/action.ts';
import type { Said, ResponseObservation } from '../../judge/observation.ts';
import type { Json } from '../../lib/json.ts';
import type { Step } from '../../suite/suites.ts';
import type { Driver, HttpDriver } from '../../model/target.ts';
import type { Scope, Template } from '../../model/suite.ts';
import { valueIfThere } from '../../wire/build/http-request.ts';
import type { Redactor } from '../../wire/record/redact.ts';
import type { CaseContext } from '../context/case-context.ts';

export interface Drive {
  readonly action: string;
  readonly step: string;
  /** The step whose request it is about; the last authorize where absent. */
  readonly of?: string | undefined;
  readonly given?: Readonly<Record<string, Json>>;
}

export interface Driven {
  /** False: it was not possible. */
  readonly done: boolean;
  readonly summary: string;
  /** When it was done, where that is not when it was asked for: milliseconds on the run's clock. */
  readonly at?: number;
  readonly body?: Json;
  readonly status?: number;
  readonly message?: string;
}

export interface DriverCall<D extends Driver> extends Required<Omit<Drive, 'of'>> {
  readonly definition: Action | undefined;
  readonly driver: D;
  readonly scope: Scope;
  readonly subject: ResponseObservation | undefined;
}

/** What a person sees on a phone: what they say of each expectation, or a card that is known without asking them. */
export interface LookedAt {
  readonly card: Json;
  readonly said?: readonly Said[];
  readonly at: number;
}

type DriverOf<K extends Driver['kind']> = Extract<Driver, { readonly kind: K }>;

interface Definition<D extends Driver> {
  /** A person does it, which takes time; where no operator is at hand, there is no such driver. */
  readonly attended: boolean;
  /** Whether the summary of a trigger repeats what the driver says. */
  readonly quoted: boolean;
  /** Why a look that brings no body says nothing; absent: the phone shows no card then. */
  readonly missingBody?: string;
  /** Throws MissingValue where a template has no value, and Unmet where the driver does not work. */
  readonly run: (call: DriverCall<D>, ctx: CaseContext) => Promise<Driven>;
  /** How a person looks; absent: what `run` brings is the card. */
  readonly look?: (call: DriverCall<D>, step: Step, ctx: CaseContext) => Promise<LookedAt>;
}

export interface DriverKind extends Definition<Driver> {
  readonly kind: Driver['kind'];
}

export function defineDriver<K extends Driver['kind']>(kind: K, definition: Definition<DriverOf<K>>): DriverKind {
  const isOwn = (driver: Driver): driver is DriverOf<K> => driver.kind === kind;
  const own = (call: DriverCall<Driver>): DriverCall<DriverOf<K>> => {
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

/** The origin of a host is no secret, and a reader of the result needs it. */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { origin, href } = new URL(value);
  return href === `${origin}/`;
}

/** What templates take from the environment is the operator's secret: nothing of it is recorded. */
export function learnVariables(templates: readonly Template[], env: HttpDriver['env'], redactor: Redactor): void {
  for (const [root, name] of templates.flatMap(({ paths }) => paths)) {
    const value = root === 'env' && name !== undefined && Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && name !== undefined && !isOrigin(value)) redactor.keep(name, value);
  }
}

/** The templates of a request that the target file describes. */
interface OwnCall extends Pick<HttpDriver, 'env'> {
  readonly headers: HttpDriver['headers'] | undefined;
  readonly others: readonly Template[];
}

/** Learns the secrets of a request that the target file describes: the values of its headers are secrets, whatever they are made of. */
export function learnCall({ headers = [], others, env }: OwnCall, scope: Scope, redactor: Redactor): void {
  learnVariables([...others, ...headers.map(([, value]) => value)], env, redactor);
  for (const [name, template] of headers) {
    const value = valueIfThere(template, scope);
    if (typeof value === 'string') redactor.keep(name, value);
  }
}
