import type { CarrierDefinition } from '../../definition.ts';

/** One choice that the interface leaves to a carrier; no rule turns to fail or warn by it. */
export interface Variant {
  readonly name: string;
  /** What is done otherwise, and the clause or reading that leaves it open. */
  readonly says: string;
  /** What such a carrier must say under `supports` in its target file, for what it does not have. */
  readonly declares?: Readonly<Record<string, boolean>>;
  readonly apply: (definition: CarrierDefinition) => CarrierDefinition;
}

export function defineVariant(variant: Variant): Variant {
  return variant;
}
