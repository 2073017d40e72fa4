/** Seconds after which a request that is still pending is no longer watched, and seconds watched after its end. */
export const longestWatch = 600;
export const watchAfter = 300;
export const watchAfterResult = 120;

/** Seconds for which a request that asked for, or was granted, these is watched. */
export const watchedLife = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, longestWatch) : watchAfter;
