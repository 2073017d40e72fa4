import { strictCarrier } from '../carrier/strict-carrier.ts';
import type { Variant } from './edit/fault-table.ts';

interface CarrierPart {
  /** `checks`: a group of checks that is longer or in another order. `part`: anything else, such as an address. */
  readonly kind: 'check' | 'reader' | 'builder' | 'policy' | 'checks' | 'part';
  /** `aud-is-the-issuer`, `builders.response`, `jtiWindow`, `pipeline.onClaims`. */
  readonly name: string;
}

/** Check or reader of the carrier. */
interface Step {
  readonly name: string;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isStep = (value: unknown): value is Step =>
  isObject(value) && 'name' in value && typeof value.name === 'string' && ('run' in value || 'read' in value);

const isStepList = (value: unknown): value is readonly Step[] => Array.isArray(value) && value.every(isStep);

const stepPart = (step: Step): CarrierPart => ({ kind: 'run' in step ? 'check' : 'reader', name: step.name });

const hasSameSteps = (one: readonly Step[], other: readonly Step[]): boolean =>
  one.length === other.length && one.every(({ name }, at) => name === other[at]?.name);

/** Replaced and removed steps of a list; the list itself if one was added or the order changed. */
function changedSteps(clean: readonly Step[], changed: readonly Step[], path: string): readonly CarrierPart[] {
  const kept = clean.filter(({ name }) => changed.some((step) => step.name === name));
  if (!hasSameSteps(kept, changed)) return [{ kind: 'checks', name: path }];
  return clean.filter((step) => !changed.includes(step)).map(stepPart);
}

function changedMembers(clean: unknown, changed: unknown, path: string): readonly CarrierPart[] {
  if (clean === changed) return [];
  if (isStep(clean)) return [stepPart(clean)];
  if (isStepList(clean) && isStepList(changed)) return changedSteps(clean, changed, path);
  if (isObject(clean) && isObject(changed) && !Array.isArray(clean)) {
    if (Object.keys(changed).some((key) => !Object.hasOwn(clean, key))) return [{ kind: 'part', name: path }];
    return Object.entries(clean).flatMap(([key, member]: readonly [string, unknown]) =>
      changedMembers(member, Reflect.get(changed, key), path === '' ? key : `${path}.${key}`),
    );
  }
  const [, policy] = path.match(/^policy\.(.*)$/) ?? [];
  if (policy !== undefined) return [{ kind: 'policy', name: policy }];
  return [{ kind: typeof clean === 'function' ? 'builder' : 'part', name: path }];
}

/** Parts of the reference carrier's definition that a fault or a variant changes, each once. */
export function changedParts(alteration: Variant): readonly CarrierPart[] {
  const parts = changedMembers(strictCarrier, alteration.apply(strictCarrier), '');
  return [...new Map(parts.map((part) => [`${part.kind} ${part.name}`, part])).values()];
}
