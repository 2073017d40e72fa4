interface Extent<T> {
  readonly from: (value: T) => number;
  readonly to: (value: T) => number;
  /** Rows; what overlaps more deeply shares one. */
  readonly most: number;
}

/** Values in as few rows as hold them without overlap, the first free row taken; at most `most` rows. */
export function packRows<T>(values: readonly T[], { from, to, most }: Extent<T>): readonly (readonly T[])[] {
  const rows: { ends: number; values: T[] }[] = [];
  for (const value of values.toSorted((one, other) => from(one) - from(other))) {
    const free = rows.find(({ ends }) => ends <= from(value));
    if (free !== undefined) {
      free.values.push(value);
      free.ends = to(value);
    } else if (rows.length < most) rows.push({ ends: to(value), values: [value] });
    else {
      const soonest = rows.reduce((best, row) => (row.ends < best.ends ? row : best));
      soonest.values.push(value);
      soonest.ends = Math.max(soonest.ends, to(value));
    }
  }
  return rows.map((row) => row.values);
}
