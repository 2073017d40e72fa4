import { AsyncLocalStorage } from 'node:async_hooks';
import type { CarrierDefinition } from '../carrier.ts';
import { isPart, partName } from './changes.ts';
import { come, type Alternatives } from './differential.ts';

/** The `x-request-id` of the request on whose behalf the carrier acts, at once or later; none at its start. */
export const callers = new AsyncLocalStorage<string>();

/** Told the faults and variants that would act otherwise than the clean carrier does just now. */
export type Differs = (names: readonly string[]) => void;

interface Trace {
  readonly alternatives: Alternatives;
  readonly differs: Differs;
  /** Values of the policy that the check under way has read. */
  reading: Set<string> | undefined;
}

/** A definition that does the same, and tells where which of the alternatives would not. */
export function traceDefinition(
  definition: CarrierDefinition,
  alternatives: Alternatives,
  differs: Differs,
): CarrierDefinition {
  return traced(definition, '', { alternatives, differs, reading: undefined });
}

function touch(part: string, { alternatives, differs, reading }: Trace): void {
  const [, key] = part.match(/^policy\.(.*)$/) ?? [];
  if (key !== undefined && reading !== undefined) {
    reading.add(key);
    return;
  }
  const names = alternatives.using(part);
  if (names.length > 0) differs(names);
}

/** A check or a reader: what it comes to is compared with the result of every alternative. */
function call(path: string, act: (context: unknown) => unknown, context: unknown, trace: Trace): unknown {
  const outer = trace.reading;
  const read = new Set<string>();
  trace.reading = read;
  const came = come(() => act(context));
  trace.reading = undefined;
  const names = trace.alternatives.calling(path, { act, context, came, read });
  trace.reading = outer;
  if (names.length > 0) trace.differs(names);
  if ('thrown' in came) throw came.thrown;
  return came.given;
}

function traced<T extends object>(value: T, path: string, trace: Trace): T {
  const known = new Map<PropertyKey, unknown>();
  return new Proxy(value, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key) || key === 'length' || key === 'name') return member;
      const part = partName(path, key, member);
      if (typeof member !== 'function') touch(part, trace);
      if (!isPart(member)) return member;
      if (!known.has(key)) known.set(key, tracedMember(member, { part, path, key }, trace));
      return known.get(key);
    },
  });
}

interface Place {
  readonly part: string;
  readonly path: string;
  readonly key: string;
}

function tracedMember(member: object, { part, path, key }: Place, trace: Trace): unknown {
  if (typeof member !== 'function') return traced(member, part, trace);
  const isStep = path.includes('/') && (key === 'run' || key === 'read');
  return (...given: unknown[]): unknown => {
    if (isStep) return call(path, (context) => Reflect.apply(member, undefined, [context]), given[0], trace);
    const made = come(() => Reflect.apply(member, undefined, given));
    const names = trace.alternatives.making(part, given, made);
    if (names.length > 0) trace.differs(names);
    if ('thrown' in made) throw made.thrown;
    return made.given;
  };
}
