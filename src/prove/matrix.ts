import type { Proof } from './proof.ts';

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** What a proof says of a fault or variant, without what a change of the suites' size would change. */
export interface MatrixRow {
  readonly kind: Proof['kind'];
  readonly status: Proof['status'];
  readonly turned: Proof['turned'];
  readonly red: readonly string[];
}

export interface Matrix {
  readonly format: 'carrierspec-matrix';
  readonly version: 1;
  readonly rows: Readonly<Record<string, MatrixRow>>;
}

/** The matrix as it is written and compared: by name, rules by id. */
export function matrixOf(proofs: readonly Proof[]): Matrix {
  const rows = proofs.map(
    ({ name, kind, status, turned, red }) =>
      [name, { kind, status, turned: sorted(turned), red: red.toSorted() }] as const,
  );
  return { format: 'carrierspec-matrix', version: 1, rows: sorted(Object.fromEntries(rows)) };
}
