/** A sample with its group and its rank; equal values share the mean of their ranks. */
function ranksOf(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => {
    const [first, last] = [sorted.indexOf(value), sorted.lastIndexOf(value)];
    return (first + last) / 2 + 1;
  });
}

/**
 * How many standard deviations the rank sum of `ours` is from what it would be if both came from one distribution (the
 * test of Mann and Whitney, by its normal approximation); above 0 where ours are larger. 0 where a group is empty.
 */
export function rankDistance(ours: readonly number[], theirs: readonly number[]): number {
  const [m, n] = [ours.length, theirs.length];
  if (m === 0 || n === 0) return 0;
  const sum = ranksOf([...ours, ...theirs])
    .slice(0, m)
    .reduce((total, rank) => total + rank, 0);
  return (sum - (m * (m + n + 1)) / 2) / Math.sqrt((m * n * (m + n + 1)) / 12);
}
