import type { CarrierDefinition } from '../carrier.ts';
import { isPart, partName } from './changes.ts';
import { type Alternatives, type Outcome, outcomeOf } from './differential.ts';

/** Gets the faults and variants that would act otherwise than the clean carrier does just now. */
type Differs = (names: readonly string[]) => void;

interface Trace {
  readonly alternatives: Alternatives;
  readonly differs: Differs;
  /** Values of the policy that the check under way has read. */
  reading: Set<string> | undefined;
}

/** A definition that does the same, and reports where which of the alternatives would not. */
export function traceDefinition(
  definition: CarrierDefinition,
  alternatives: Alternatives,
  differs: Differs,
): CarrierDefinition {
  return traced(definition, '', { alternatives, differs, reading: undefined });
}

function report(names: readonly string[], { differs }: Trace): void {
  if (names.length > 0) differs(names);
}

/** A member that is read: within a check, a value of the policy waits for the end of the check. */
function touch(part: string, trace: Trace): void {
  const [, key] = part.match(/^policy\.(.*)$/) ?? [];
  if (key !== undefined && trace.reading !== undefined) trace.reading.add(key);
  else report(trace.alternatives.using(part), trace);
}

type Act = (...given: readonly unknown[]) => unknown;

/** A check or a reader: its outcome is compared with that of every alternative. */
function tracedStep(path: string, act: Act, trace: Trace): Act {
  return (context) => {
    const outer = trace.reading;
    const read = new Set<string>();
    trace.reading = read;
    const clean = outcomeOf(() => act(context));
    trace.reading = undefined;
    const names = trace.alternatives.calling(path, { act, context, clean, read });
    trace.reading = outer;
    report(names, trace);
    return unwrap(clean);
  };
}

function tracedBuilder(part: string, build: Act, trace: Trace): Act {
  return (...given) => {
    const clean = outcomeOf(() => build(...given));
    report(trace.alternatives.building(part, given, clean), trace);
    return unwrap(clean);
  };
}

function unwrap(outcome: Outcome): unknown {
  if ('thrown' in outcome) throw outcome.thrown;
  return outcome.returned;
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
  const act: Act = (...given): unknown => Reflect.apply(member, undefined, given);
  const isStep = path.includes('/') && (key === 'run' || key === 'read');
  return isStep ? tracedStep(path, act, trace) : tracedBuilder(part, act, trace);
}
