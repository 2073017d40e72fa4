import type { Edit } from '../../carrier/seams/edit.ts';

export { combineEdits, type Edit } from '../../carrier/seams/edit.ts';

/** Choice that the interface leaves to a carrier; it makes no rule fail or warn. */
export interface Variant {
  readonly name: string;
  /** How the carrier differs, and the clause or interpretation that leaves it open. */
  readonly description: string;
  /** Entries under `supports` in the target file, for features that such a carrier lacks. */
  readonly declares?: Readonly<Record<string, boolean>>;
  readonly apply: Edit;
}

/** Named defect: makes a carrier definition worse in one way. */
export interface Fault extends Variant {
  /** Ids of the broken rules. */
  readonly breaks: readonly string[];
  /** The effect of one case shows in another, so a proof runs the cases one after the other. */
  readonly stateful?: true;
  /** Why the fault stays, although other faults turn all that it turns. */
  readonly keeps?: string;
  /** Why required rules stay without a verdict, although the carrier breaks only what is recommended (P10). */
  readonly undecided?: string;
  /** Freedoms or choices (`freedom/choice`) that excuse the fault or hide it, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
}

/** Rule ids, as a list or as text separated by white space. */
export type RuleIds = string | readonly string[];

/** Optional members of a fault or a variant. */
type OptionalMembers = Pick<Fault, 'declares' | 'stateful' | 'keeps' | 'undecided' | 'except'>;

/** Defect, broken rules, and the argument for the table's edit. */
export type FaultRow<T> = readonly [description: string, breaks: RuleIds, change: T, more?: OptionalMembers];
type VariantRow = readonly [description: string, apply: Edit, more?: Pick<Variant, 'declares'>];

/** Faults of one kind, in row order; `edit` turns the third column into the edit. */
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

export function defineFaults(rows: Readonly<Record<string, FaultRow<Edit>>>): readonly Fault[] {
  return faultTable((edit) => edit, rows);
}

/** Faults that keep state across cases; a row makes its edit anew for every carrier. */
export function defineStateful(rows: Readonly<Record<string, FaultRow<() => Edit>>>): readonly Fault[] {
  return faultTable(freshEdit, rows).map((fault) => ({ ...fault, stateful: true }));
}

/** Makes the edit anew for every carrier, so that carriers share no state. */
export function freshEdit(make: () => Edit): Edit {
  return (definition) => make()(definition);
}

export function defineVariants(rows: Readonly<Record<string, VariantRow>>): readonly Variant[] {
  return Object.entries(rows).map(([name, [description, apply, more]]) => ({ name, description, apply, ...more }));
}

/** Splits text at white space; returns a list unchanged. */
function ruleIds(ids: RuleIds): readonly string[] {
  return typeof ids === 'string' ? ids.trim().split(/\s+/) : ids;
}

/** Rules that each state the error code of one refusal. */
export const errorCodeRules = ruleIds(`
  ERR-002 ERR-005
  REQ-004 REQ-042 REQ-058 REQ-074 REQ-075 REQ-077
  SEC-44
`);

/** Rules on the outcome of a request that was not approved. */
export const failureRules = ruleIds(`
  FLOW-003 FLOW-012 FLOW-013 FLOW-014 RSP-006 CB-015 CB-019
`);

/** Exceptions shared by faults of several files. */
type ExceptionRow = Required<Pick<Fault, 'except'>>;

export const ownReadingExcept: ExceptionRow = {
  except: { 'context-reading/for-the-pattern': 'the decoded form is measured by a check of its own' },
};
export const oneUriExcept: ExceptionRow = { except: { 'notification-uris/one': 'the SP has no second URI' } };
export const ownProofsExcept: ExceptionRow = {
  except: { 'proof-format/dpop': 'such proofs have checks of their own' },
};
export const ecKeyExcept: ExceptionRow = {
  except: { 'carrier-keys': 'the key that signs is no RSA key, or has another size' },
};

/** Condition under which a deep fault shows. */
export type DeepKind =
  | 'interaction'
  | 'rare value'
  | 'state'
  | 'volume'
  | 'concurrency'
  | 'time'
  | 'information'
  | 'robustness';

/** Defect that need not show in a request with a single listed deviation. */
export interface DeepFault extends Fault {
  readonly kind: DeepKind;
}

export const markDeep = (kind: DeepKind, faults: readonly Fault[]): readonly DeepFault[] =>
  faults.map((fault) => ({ ...fault, kind }));
