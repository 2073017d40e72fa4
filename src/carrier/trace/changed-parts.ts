import type { CarrierDefinition } from '../carrier.ts';
import type { Fault, Variant } from '../faults/edit/define.ts';
import { strictCarrier } from '../strict-carrier.ts';
import { type Change, changesOf, partsOf } from './changes.ts';

/** A named part of the reference carrier. */
export interface CarrierPart {
  /** `checks`: a group of checks that is longer, or in another order. `part`: anything else, an address for example. */
  readonly kind: 'check' | 'reader' | 'builder' | 'policy' | 'checks' | 'part';
  /** `aud-is-the-issuer`, `builders.response`, `jtiWindow`, `pipeline.onClaims`. */
  readonly name: string;
}

/** Rules that a fault breaks at most where it is made for them, and not for all that builds on one message. */
const specificMax = 4;

/** What a fault or a variant changes in the definition of the strict carrier, each part once. */
export function changedParts(
  alteration: Variant,
  definition: CarrierDefinition = strictCarrier,
): readonly CarrierPart[] {
  const kinds = partsOf(definition);
  const parts = new Map<string, CarrierPart>();
  for (const change of changesOf(definition, alteration.apply(definition))) {
    const part = describePart(change, kinds);
    parts.set(`${part.kind} ${part.name}`, part);
  }
  return [...parts.values()];
}

function describePart({ part, instead, builder }: Change, kinds: ReadonlyMap<string, 'check' | 'reader'>): CarrierPart {
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

/** The parts of the carrier that a rule exercises: those that the faults of this rule change, the most specific faults alone. */
export function partsFor(rule: string, faults: readonly Fault[]): readonly CarrierPart[] {
  const breaking = faults.filter(({ breaks }) => breaks.includes(rule));
  const specific = breaking.filter(({ breaks }) => breaks.length <= specificMax);
  const chosen = (specific.length > 0 ? specific : breaking).flatMap((fault) => changedParts(fault));
  return [...new Map(chosen.map((part) => [`${part.kind} ${part.name}`, part])).values()];
}
