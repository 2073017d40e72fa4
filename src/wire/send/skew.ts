/** Carrier clock minus ours, milliseconds, plus or minus `uncertainty`. */
export interface Skew {
  readonly offset: number;
  readonly uncertainty: number;
}

/** Narrows the carrier's clock from `Date` headers: each names a second that lay between our sending and receiving. */
export interface SkewMeter {
  readonly observe: (date: string | undefined, sentAt: number, receivedAt: number) => void;
  readonly current: () => Skew | undefined;
}

/** `Date` has whole seconds (RFC 9110 §5.6.7): the carrier's clock was in [date, date + 1 s). */
const resolution = 1000;

export function createSkewMeter(): SkewMeter {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  return {
    observe: (date, sentAt, receivedAt) => {
      const at = date === undefined ? Number.NaN : Date.parse(date);
      if (Number.isNaN(at)) return;
      const [from, to] = [at - receivedAt, at + resolution - sentAt];
      if (from > high || to < low) {
        // The carrier's clock moved, or several machines answer: only the newest sample is believed.
        low = from;
        high = to;
        return;
      }
      low = Math.max(low, from);
      high = Math.min(high, to);
    },
    current: () =>
      Number.isFinite(low) && Number.isFinite(high)
        ? { offset: Math.round((low + high) / 2), uncertainty: Math.ceil((high - low) / 2) }
        : undefined,
  };
}
