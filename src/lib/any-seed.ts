import { randomInt } from 'node:crypto';

/** Draws a seed that is short enough to type again. */
export const anySeed = (): string => String(randomInt(1, 1_000_000));
