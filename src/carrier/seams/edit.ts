import type { CarrierDefinition } from '../carrier.ts';

/** Changes the definition of a carrier; leaves the given one as it is. */
export type Edit = (definition: CarrierDefinition) => CarrierDefinition;

/** Applies the edits in order. */
export function combineEdits(...edits: readonly Edit[]): Edit {
  return (definition) => edits.reduce((changed, edit) => edit(changed), definition);
}
