/** Rank of each value from 1; equal values share the mean of their ranks. */
function rankValues(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => {
    const [first, last] = [sorted.indexOf(value), sorted.lastIndexOf(value)];
    return (first + last) / 2 + 1;
  });
}

/** Distance of the rank sum of `ours` from its expectation, in standard deviations (Mann and Whitney). Above 0: ours are larger. */
export function rankDistance(ours: readonly number[], theirs: readonly number[]): number {
  const [m, n] = [ours.length, theirs.length];
  if (m === 0 || n === 0) return 0;
  const sum = rankValues([...ours, ...theirs])
    .slice(0, m)
    .reduce((total, rank) => total + rank, 0);
  return (sum - (m * (m + n + 1)) / 2) / Math.sqrt((m * n * (m + n + 1)) / 12);
}
