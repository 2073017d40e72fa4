import type { CarrierDefinition } from '../../carrier.ts';

/** A change of a carrier's definition. */
export type Edit = (definition: CarrierDefinition) => CarrierDefinition;

/** One choice that the interface leaves to a carrier; no rule turns to fail or warn by it. */
export interface Variant {
  readonly name: string;
  /** What the carrier does otherwise, and the clause or interpretation that leaves it open. */
  readonly description: string;
  /** What the target file of such a carrier says under `supports`, for what the carrier does not have. */
  readonly declares?: Readonly<Record<string, boolean>>;
  readonly apply: Edit;
}

/** One named defect: a carrier definition made worse in one way. */
export interface Fault extends Variant {
  /** What a carrier's engineer got wrong. */
  readonly description: string;
  /** Rules it breaks. */
  readonly breaks: readonly string[];
  /** Rules that can no longer be judged, because what their cases build on does not work; 'what follows' where that is a great part. */
  readonly masks?: readonly string[] | 'what follows';
  /** What the fault does in one case shows in another, so a proof runs the cases one after the other. */
  readonly stateful?: true;
}

/** Faults by name, in this order. */
export function defineFaults(faults: Readonly<Record<string, Omit<Fault, 'name'>>>): readonly Fault[] {
  return Object.entries(faults).map(([name, fault]) => ({ name, ...fault }));
}

/** Variants by name, in this order. */
export function defineVariants(variants: Readonly<Record<string, Omit<Variant, 'name'>>>): readonly Variant[] {
  return Object.entries(variants).map(([name, variant]) => ({ name, ...variant }));
}

/** The rule ids of a text, which white space separates. */
export function ruleIds(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** One edit after the other. */
export function all(...edits: readonly Edit[]): Edit {
  return (definition) => edits.reduce((changed, edit) => edit(changed), definition);
}

/** What is wrong, the rules it breaks, what of the edit is its own, and the rules it masks. */
type Row<T> = readonly [description: string, breaks: readonly string[], change: T, masks?: Fault['masks']];

/** Faults of one kind by name, one a line: `edit` makes the edit out of the third column. */
export function faultTable<T>(edit: (change: T) => Edit, rows: Readonly<Record<string, Row<T>>>): readonly Fault[] {
  return Object.entries(rows).map(([name, [description, breaks, change, masks = []]]) => ({
    name,
    description,
    breaks,
    masks,
    apply: edit(change),
  }));
}
