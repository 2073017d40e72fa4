const durationPattern =
  /^(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/;
const unitSeconds = [86_400, 3_600, 60, 1, 0.001] as const;

/** Parses `5m30s`, `48h` or `250ms` into seconds; undefined if it is not a duration. */
export function parseDuration(text: string): number | undefined {
  const found = durationPattern.exec(text);
  if (found === null || text === '') return undefined;
  return unitSeconds.reduce((sum, unit, index) => sum + Number(found[index + 1] ?? 0) * unit, 0);
}
