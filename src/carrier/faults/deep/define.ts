import type { Edit, Fault, FaultRow } from '../edit/define.ts';
import { faultTable } from '../edit/define.ts';

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

/** Deep faults of one kind by name, in this order: `edit` makes the edit out of the third column. */
export function deepTable<T>(
  kind: DeepKind,
  edit: (change: T) => Edit,
  rows: Readonly<Record<string, FaultRow<T>>>,
): readonly DeepFault[] {
  return faultTable(edit, rows).map((fault) => ({ ...fault, kind }));
}

/** Deep faults of one kind by name, in this order. */
export function defineDeep(kind: DeepKind, rows: Readonly<Record<string, FaultRow<Edit>>>): readonly DeepFault[] {
  return deepTable(kind, (edit) => edit, rows);
}
