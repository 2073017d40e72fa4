import { createSkewMeter, type SkewMeter } from './skew.ts';

/** The clocks of those who respond: each origin has its own, and one of them counts. */
export interface SkewOfOrigins extends Pick<SkewMeter, 'current' | 'doubt'> {
  /** What who responds at this URL says. */
  readonly observe: (url: string, ...seen: Parameters<SkewMeter['observe']>) => void;
  /** From now on the clock of who responds at this URL counts; until then, of who was asked first. */
  readonly follow: (url: string) => void;
  /** What the one who counts says is not believed from now on, for this reason; without one, it is again. */
  readonly disbelieve: (reason: string | undefined) => void;
}

export function createSkewOfOrigins(): SkewOfOrigins {
  const meters = new Map<string, SkewMeter>();
  const unseen = createSkewMeter();
  let followed: string | undefined;
  let disproved: string | undefined;
  const meterAt = (origin: string): SkewMeter => {
    const meter = meters.get(origin) ?? createSkewMeter();
    meters.set(origin, meter);
    return meter;
  };
  const counting = (): SkewMeter => (followed === undefined ? ([...meters.values()][0] ?? unseen) : meterAt(followed));
  return {
    observe: (url, ...seen) => meterAt(new URL(url).origin).observe(...seen),
    follow: (url) => {
      followed = new URL(url).origin;
    },
    disbelieve: (reason) => {
      disproved = reason;
    },
    current: () => (disproved === undefined ? counting().current() : undefined),
    doubt: () => disproved ?? counting().doubt(),
  };
}
