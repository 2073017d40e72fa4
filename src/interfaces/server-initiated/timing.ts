import type { Timing } from '../../model/interface.ts';

/** Times of the interface and usual times of carriers, in seconds. */
export const timing: Timing = {
  /** §2.3 expires_in: 48 hours. */
  longestLife: 172_800,
  usualLife: 300,
  objectLife: 240,
  /** §4.1. */
  slowestResponse: 30,
  /** §4.8. */
  retriesAfter: 60,
  longestWatch: 600,
  watchAfter: 300,
  watchAfterResult: 120,
  /** §6: a carrier drops what it sent within 60 minutes. */
  coolDown: 61 * 60,
};
