/** Remembers request objects for the window of §2.3 jti. */
export interface Replays {
  /** False where the key was seen at most `window` seconds before `now` (milliseconds); else it is kept from now on. */
  takeFirst(key: string, now: number, window: number): boolean;
}

export function rememberReplays(): Replays {
  const seen = new Map<string, number>();
  const forget = (before: number): void => {
    for (const [key, at] of seen) {
      if (at >= before) return;
      seen.delete(key);
    }
  };
  return {
    takeFirst(key, now, window) {
      forget(now - window * 1000);
      if (seen.has(key)) return false;
      seen.set(key, now);
      return true;
    },
  };
}
