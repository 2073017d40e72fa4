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
  /** Rules it breaks. */
  readonly breaks: readonly string[];
  /** What the fault does in one case shows in another, so a proof runs the cases one after the other. */
  readonly stateful?: true;
  /** Which rules it turns hangs on all cases before, so a proof runs every case. */
  readonly whole?: true;
  /** Freedoms, or choices (`freedom/choice`), with which it is no fault or cannot show, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
}

/** Real time that a careless carrier lets go by between looking something up and taking it, in milliseconds. */
export const raceWindow = 150;

/** Rule ids, as a list or as a text that white space separates. */
export type RuleIds = string | readonly string[];

/** What a fault or a variant has beside its description and its edit. */
type More = Pick<Fault, 'declares' | 'stateful' | 'whole' | 'except'>;

/** What is wrong, the rules it breaks, and what of the edit is its own. */
export type FaultRow<T> = readonly [description: string, breaks: RuleIds, change: T, more?: More];
type VariantRow = readonly [description: string, apply: Edit, more?: Pick<Variant, 'declares'>];

/** Faults of one kind by name, in this order: `edit` makes the edit out of the third column. */
export function faultTable<T>(
  edit: (change: T) => Edit,
  rows: Readonly<Record<string, FaultRow<T>>>,
): readonly Fault[] {
  return Object.entries(rows).map(([name, [description, breaks, change, more]]) => ({
    name,
    description,
    breaks: ruleIds(breaks),
    ...more,
    apply: edit(change),
  }));
}

/** Faults by name, in this order. */
export function defineFaults(rows: Readonly<Record<string, FaultRow<Edit>>>): readonly Fault[] {
  return faultTable((edit) => edit, rows);
}

/** Faults that keep state over cases, by name. */
export function defineStateful(rows: Readonly<Record<string, FaultRow<() => Edit>>>): readonly Fault[] {
  return faultTable(madeAnew, rows).map((fault) => ({ ...fault, stateful: true }));
}

/** The edit, made anew for every carrier, so that no carrier remembers what happened at another. */
export function madeAnew(make: () => Edit): Edit {
  return (definition) => make()(definition);
}

/** Variants by name, in this order. */
export function defineVariants(rows: Readonly<Record<string, VariantRow>>): readonly Variant[] {
  return Object.entries(rows).map(([name, [description, apply, more]]) => ({ name, description, apply, ...more }));
}

/** The ids of a text, which white space separates; a list as it is. */
function ruleIds(ids: RuleIds): readonly string[] {
  return typeof ids === 'string' ? ids.trim().split(/\s+/) : ids;
}

/** One edit after the other. */
export function all(...edits: readonly Edit[]): Edit {
  return (definition) => edits.reduce((changed, edit) => edit(changed), definition);
}

/** Rules on the error code of one refusal each. */
export const errorCodes = ruleIds(`
  ERR-002 ERR-005
  REQ-004 REQ-042 REQ-058 REQ-074 REQ-075 REQ-077
  SEC-44
`);

/** Rules on what comes after a request that was not approved. */
export const failures = ruleIds(`
  FLOW-003 FLOW-012 FLOW-013 FLOW-014 RSP-006 CB-015 CB-019
`);

/** With what a fault is none, or cannot show: shared by faults of several files. */
type Except = Required<Pick<Fault, 'except'>>;

export const ownReading: Except = {
  except: { 'context-reading/for-the-pattern': 'the decoded form is measured by a check of its own' },
};
export const oneUri: Except = { except: { 'notification-uris/one': 'the SP has no second URI' } };
export const ownProofs: Except = { except: { 'proof-format/dpop': 'such proofs have checks of their own' } };
export const ecKey: Except = { except: { 'carrier-keys': 'the key that signs is no RSA key, or has another size' } };

/** What it takes to see a deep fault: more than one deviation in one request. */
export type DeepKind =
  | 'interaction'
  | 'rare value'
  | 'state'
  | 'volume'
  | 'concurrency'
  | 'time'
  | 'information'
  | 'robustness';

/** A defect that no request with a single listed deviation need show. */
export interface DeepFault extends Fault {
  readonly kind: DeepKind;
}

/** Faults of one kind of depth. */
export const deepFaultsOf = (kind: DeepKind, faults: readonly Fault[]): readonly DeepFault[] =>
  faults.map((fault) => ({ ...fault, kind }));
