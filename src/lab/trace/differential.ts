import { isDeepStrictEqual } from 'node:util';
import type { CarrierDefinition } from '../../carrier/carrier.ts';
import { applyFaults } from '../catalogue.ts';
import { isJsonObject } from '../../carrier/json.ts';
import type { Policy } from '../../carrier/policy.ts';
import { Refusal } from '../../carrier/refusal.ts';
import { rememberReplays, type Replays } from '../../carrier/state/records.ts';
import { strictCarrier } from '../../carrier/strict-carrier.ts';
import { type BuilderCall, definitionChanges, isPart, partName, type TracedStep } from './changes.ts';

/** Result of a check, a reader or a builder: a returned value or a thrown error. */
interface StepOutcome {
  readonly returned?: unknown;
  readonly thrown?: unknown;
}

/** A fault or a variant that runs beside the clean carrier. */
interface Alternative {
  readonly name: string;
  readonly policy: Policy;
  /** Separate memory, which sees the same requests in the same order as the clean carrier's. */
  readonly replays: Replays;
}

/** Compares the clean carrier, call by call, with each fault or variant in its place. */
interface Alternatives {
  /** Names of the alternatives that differ whenever this part is used. */
  readonly using: (part: string) => readonly string[];
  /** Names of the alternatives that build another value than the clean carrier. */
  readonly building: (part: string, given: readonly unknown[], clean: StepOutcome) => readonly string[];
  /** Names of the alternatives that differ in this call of a check or a reader. */
  readonly calling: (part: string, call: StepCall) => readonly string[];
}

interface StepCall {
  readonly act: (context: object) => unknown;
  readonly context: unknown;
  readonly clean: StepOutcome;
  /** Policy values that the call read. */
  readonly read: ReadonlySet<string>;
}

function runOutcome(act: () => unknown): StepOutcome {
  try {
    return { returned: act() };
  } catch (thrown) {
    return { thrown };
  }
}

/** Outcome without replays and policy, which an SP cannot see. */
function visibleOutcome({ returned, thrown }: StepOutcome): unknown {
  if (thrown instanceof Refusal) {
    const { error, description, status, headers } = thrown;
    return { error, description, status, headers };
  }
  if (thrown !== undefined) return { thrown: thrown instanceof Error ? thrown.message : 'no error' };
  return isJsonObject(returned) ? { ...returned, policy: undefined, replays: undefined } : returned;
}

const isSame = (one: StepOutcome, other: StepOutcome): boolean =>
  isDeepStrictEqual(visibleOutcome(one), visibleOutcome(other));

function pushTo<T>(lists: Map<string, T[]>, key: string, entry: T): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [entry]);
  else known.push(entry);
}

const policyPart = 'policy.';

/** Whether a part writes to a connection: comparing it would answer in place of the clean carrier. */
const isResponder = (part: string): boolean => /^routes\..*\.respond$/.test(part);

/** Sorts the differences of these alternatives from the clean carrier by part. */
function sortChanges(names: readonly string[]) {
  const inUse = new Map<string, string[]>();
  const steps = new Map<string, { readonly alternative: Alternative; readonly instead: readonly TracedStep[] }[]>();
  const policies = new Map<string, Alternative[]>();
  const builders = new Map<string, { readonly name: string; readonly builder: BuilderCall }[]>();
  for (const name of names) {
    const changed = applyFaults(strictCarrier, [name]);
    const alternative = { name, policy: changed.policy, replays: rememberReplays() };
    for (const { part, instead, builder } of definitionChanges(strictCarrier, changed)) {
      if (instead !== undefined) pushTo(steps, part, { alternative, instead });
      else if (builder !== undefined) pushTo(builders, part, { name, builder });
      else pushTo(inUse, part, name);
      if (part.startsWith(policyPart)) pushTo(policies, part.slice(policyPart.length), alternative);
    }
  }
  return { inUse, steps, policies, builders };
}

export function createAlternatives(names: readonly string[]): Alternatives {
  const { inUse, steps, policies, builders } = sortChanges(names);
  return {
    using: (part) => inUse.get(part) ?? [],
    building: (part, given, clean) =>
      (builders.get(part) ?? []).flatMap(({ name, builder }) => {
        if (isResponder(part)) return [name];
        const other = runOutcome(() => builder(...given));
        if (!(other.returned instanceof Promise)) return isSame(other, clean) ? [] : [name];
        // The outcome of an alternative's promise is ignored.
        other.returned.catch(() => undefined);
        return [name];
      }),
    calling: (part, { act, context, clean, read }) => {
      if (!isJsonObject(context)) return [];
      const others = new Map<Alternative, readonly TracedStep[]>();
      for (const key of read) for (const one of policies.get(key) ?? []) others.set(one, [{ name: part, act }]);
      for (const { alternative, instead } of steps.get(part) ?? []) others.set(alternative, instead);
      return [...others].flatMap(([{ name, policy, replays }, instead]) => {
        const own = { ...context, policy, replays };
        const other = runOutcome(() => instead.reduce<unknown>((_, step) => step.act(own), undefined));
        return isSame(other, clean) ? [] : [name];
      });
    },
  };
}

/** Receives the faults and variants that would act differently at this point. */
type DifferenceListener = (names: readonly string[]) => void;

interface Trace {
  readonly alternatives: Alternatives;
  readonly differs: DifferenceListener;
  /** Policy values that the running check has read. */
  reading: Set<string> | undefined;
}

/** Wraps a definition so that it reports the alternatives that would act differently. */
export function traceDefinition(
  definition: CarrierDefinition,
  alternatives: Alternatives,
  differs: DifferenceListener,
): CarrierDefinition {
  return traceMembers(definition, '', { alternatives, differs, reading: undefined });
}

function reportNames(names: readonly string[], { differs }: Trace): void {
  if (names.length > 0) differs(names);
}

/** Records the read of a member; a policy value read within a check is compared at the check's end. */
function touchPart(part: string, trace: Trace): void {
  const [, key] = part.match(/^policy\.(.*)$/) ?? [];
  if (key !== undefined && trace.reading !== undefined) trace.reading.add(key);
  else reportNames(trace.alternatives.using(part), trace);
}

type TracedFunction = (...given: readonly unknown[]) => unknown;

/** Runs a check or a reader, and compares its outcome with every alternative's. */
function traceStep(path: string, act: TracedFunction, trace: Trace): TracedFunction {
  return (context) => {
    const outer = trace.reading;
    const read = new Set<string>();
    trace.reading = read;
    const clean = runOutcome(() => act(context));
    trace.reading = undefined;
    const names = trace.alternatives.calling(path, { act, context, clean, read });
    trace.reading = outer;
    reportNames(names, trace);
    return unwrap(clean);
  };
}

function traceBuilder(part: string, build: TracedFunction, trace: Trace): TracedFunction {
  return (...given) => {
    const clean = runOutcome(() => build(...given));
    reportNames(trace.alternatives.building(part, given, clean), trace);
    return unwrap(clean);
  };
}

function unwrap(outcome: StepOutcome): unknown {
  if ('thrown' in outcome) throw outcome.thrown;
  return outcome.returned;
}

function traceMembers<T extends object>(value: T, path: string, trace: Trace): T {
  const known = new Map<PropertyKey, unknown>();
  return new Proxy(value, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key) || key === 'length' || key === 'name') return member;
      const part = partName(path, key, member);
      if (typeof member !== 'function') touchPart(part, trace);
      if (!isPart(member)) return member;
      if (!known.has(key)) known.set(key, traceMember(member, { part, path, key }, trace));
      return known.get(key);
    },
  });
}

interface MemberPlace {
  readonly part: string;
  readonly path: string;
  readonly key: string;
}

function traceMember(member: object, { part, path, key }: MemberPlace, trace: Trace): unknown {
  if (typeof member !== 'function') return traceMembers(member, part, trace);
  const act: TracedFunction = (...given): unknown => Reflect.apply(member, undefined, given);
  const isStep = path.includes('/') && (key === 'run' || key === 'read');
  return isStep ? traceStep(path, act, trace) : traceBuilder(part, act, trace);
}
