import type { CarrierDefinition } from '../../carrier/carrier.ts';
import type { Variant } from '../edit/fault-table.ts';
import { strictCarrier } from '../../carrier/strict-carrier.ts';

/** A check or a reader, with the function that does its work. */
export interface TracedStep {
  readonly name: string;
  readonly act: (context: object) => unknown;
}

export type BuilderCall = (...given: readonly unknown[]) => unknown;

/**
 * A difference between a changed definition and the clean one. `part` is a path: `policy.jtiWindow`, `builders.response`,
 * `pipeline.onClaims/aud-is-the-issuer`. `instead`: the checks or readers that replace one, in order. `builder`: the function that replaces
 * a function.
 */
export interface DefinitionChange {
  readonly part: string;
  readonly instead?: readonly TracedStep[];
  readonly builder?: BuilderCall;
}

export const definitionChanges = (clean: CarrierDefinition, changed: CarrierDefinition): readonly DefinitionChange[] =>
  differences(clean, changed, '');

/** Path of a member; a check or reader goes by its name, because its index moves when another is removed. */
export function partName(path: string, key: string, member: unknown): string {
  if (isNamed(member)) return `${path}/${member.name}`;
  return path === '' ? key : `${path}.${key}`;
}

export const isPart = (member: unknown): member is object =>
  typeof member === 'function' || (typeof member === 'object' && member !== null);

interface NamedPart {
  readonly name: string;
}

const isNamed = (value: unknown): value is NamedPart =>
  isPart(value) && typeof value !== 'function' && 'name' in value && typeof value.name === 'string';

const stepFunction = (value: NamedPart): unknown =>
  'run' in value ? value.run : 'read' in value ? value.read : undefined;

function stepKinds(definition: CarrierDefinition): ReadonlyMap<string, 'check' | 'reader'> {
  const parts = new Map<string, 'check' | 'reader'>();
  const visit = (value: object, path: string): void => {
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== 'object' || !isPart(member)) continue;
      const part = partName(path, key, member);
      if (isNamed(member) && stepFunction(member) !== undefined) parts.set(part, 'run' in member ? 'check' : 'reader');
      else visit(member, part);
    }
  };
  visit(definition, '');
  return parts;
}

function readStep(value: unknown): TracedStep | undefined {
  if (!isNamed(value)) return undefined;
  const act = stepFunction(value);
  // An asynchronous step talks to other hosts, so it is not run a second time.
  if (typeof act !== 'function' || act.constructor.name === 'AsyncFunction') return undefined;
  return { name: value.name, act: (context): unknown => Reflect.apply(act, value, [context]) };
}

function differences(clean: unknown, changed: unknown, path: string): DefinitionChange[] {
  if (clean === changed) return [];
  if (typeof clean === 'function' && typeof changed === 'function') {
    return [{ part: path, builder: (...given): unknown => Reflect.apply(changed, undefined, given) }];
  }
  if (!isPart(clean) || !isPart(changed)) return [{ part: path }];
  if (Array.isArray(clean) && Array.isArray(changed)) return listDifferences(clean, changed, path);
  const step = readStep(changed);
  if (readStep(clean) !== undefined) return [step === undefined ? { part: path } : { part: path, instead: [step] }];
  const names = [...new Set([...Object.keys(clean), ...Object.keys(changed)])];
  return names.flatMap((name) => {
    const before: unknown = Reflect.get(clean, name);
    if (!Object.hasOwn(clean, name)) return [{ part: path }];
    return differences(before, Reflect.get(changed, name), partName(path, name, before));
  });
}

/** Finds removed, replaced and added steps of a list; a list in another order differs as a whole. */
function listDifferences(clean: readonly unknown[], changed: readonly unknown[], path: string): DefinitionChange[] {
  const [before, after] = [clean.map(readStep), changed.map(readStep)];
  const names = clean.filter(isNamed).map(({ name }) => name);
  if ([...before, ...after].includes(undefined) || new Set(names).size < clean.length) return [{ part: path }];
  const now = new Map<string, TracedStep[]>(names.map((name) => [name, []]));
  let place = 0;
  for (const step of after) {
    if (step === undefined) continue;
    const found = names.indexOf(step.name);
    // The order changed.
    if (found >= 0 && found < place) return [{ part: path }];
    if (found >= 0) place = found;
    const here = now.get(names[place] ?? '');
    if (here === undefined) return [{ part: path }];
    here.push(step);
  }
  return clean.filter(isNamed).flatMap((entry) => {
    const instead = now.get(entry.name) ?? [];
    const same = instead.length === 1 && changed.includes(entry);
    return same ? [] : [{ part: `${path}/${entry.name}`, instead }];
  });
}

interface CarrierPart {
  /** `checks`: a group of checks that is longer or in another order. `part`: anything else, such as an address. */
  readonly kind: 'check' | 'reader' | 'builder' | 'policy' | 'checks' | 'part';
  /** `aud-is-the-issuer`, `builders.response`, `jtiWindow`, `pipeline.onClaims`. */
  readonly name: string;
}

/** Parts of the definition that a fault or a variant changes, each once. */
export function changedParts(
  alteration: Variant,
  definition: CarrierDefinition = strictCarrier,
): readonly CarrierPart[] {
  const kinds = stepKinds(definition);
  const parts = new Map<string, CarrierPart>();
  for (const change of definitionChanges(definition, alteration.apply(definition))) {
    const part = describePart(change, kinds);
    parts.set(`${part.kind} ${part.name}`, part);
  }
  return [...parts.values()];
}

function describePart(
  { part, instead, builder }: DefinitionChange,
  kinds: ReadonlyMap<string, 'check' | 'reader'>,
): CarrierPart {
  const [group = part, step] = part.split('/');
  const kind = kinds.get(part);
  if (step !== undefined && kind !== undefined) {
    const isAddition = (instead?.length ?? 0) > 1 && instead?.some(({ name }) => name === step) === true;
    return isAddition ? { kind: 'checks', name: group } : { kind, name: step };
  }
  if (part.startsWith('policy.')) return { kind: 'policy', name: part.slice('policy.'.length) };
  if (builder !== undefined) return { kind: 'builder', name: part };
  return { kind: /\.on[A-Z]\w*$/.test(part) ? 'checks' : 'part', name: part };
}
