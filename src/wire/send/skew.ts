import type { HeaderLines } from '../../model/exchange.ts';

/** Carrier clock minus ours, in milliseconds, plus or minus `uncertainty`. */
export interface Skew {
  readonly offset: number;
  readonly uncertainty: number;
}

/** Difference between two clocks that does no harm, in milliseconds; NTP keeps them far closer. */
const tolerableSkew = 5000;

/** Whether the offset exceeds the tolerance by more than the uncertainty. */
export const isClockOff = ({ offset, uncertainty }: Skew): boolean => Math.abs(offset) > tolerableSkew + uncertainty;

/** Estimates the carrier's clock from `Date` headers: each names a second between our sending and receiving. */
interface SkewMeter {
  readonly observe: (date: string | undefined, sentAt: number, receivedAt: number) => void;
  /** Undefined if there was no header, or none that can be trusted. */
  readonly current: () => Skew | undefined;
  /** Why the headers are not trusted; undefined if they are, or if there were none. */
  readonly doubt: () => string | undefined;
}

/** `Date` has whole seconds (RFC 9110 §5.6.7): the carrier's clock was in [date, date + 1 s). */
const dateResolution = 1000;

/** Milliseconds: no clock that issues tokens is off by more than a day. */
const maxBelievedSkew = 86_400_000;
const nearSkew = 60_000;
const minAgreeing = 3;

/** The single `Date` of a response that is not from a cache: a cached one has its origin's `Date`, and an `Age` (RFC 9111 §5.1). */
export function readDate(headers: HeaderLines): string | undefined {
  const valuesOf = (wanted: string): readonly string[] =>
    headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value.trim()] : []));
  const [date, ...others] = valuesOf('date');
  const isStored = valuesOf('age').some((age) => age !== '0');
  return others.length > 0 || isStored ? undefined : date;
}

/** Parses an IMF-fixdate, the only form that may be sent; NaN if it is invalid or has the wrong day of the week. */
function parseImfDate(date: string): number {
  const at = Date.parse(date);
  return !Number.isNaN(at) && new Date(at).toUTCString() === date ? at : Number.NaN;
}

const midpoint = (low: number, high: number): number => Math.round((low + high) / 2);

export function createSkewMeter(): SkewMeter {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let inARow = 0;
  let refused: string | undefined;
  const isBelieved = (): boolean => inARow > 0 && (Math.abs(midpoint(low, high)) <= nearSkew || inARow >= minAgreeing);
  return {
    observe: (date, sentAt, receivedAt) => {
      if (date === undefined) return;
      const at = parseImfDate(date);
      const [from, to] = [at - receivedAt, at + dateResolution - sentAt];
      if (Number.isNaN(at)) {
        refused = 'a Date that is no date in the form of RFC 9110';
        return;
      }
      if (from > maxBelievedSkew || to < -maxBelievedSkew) {
        refused = `the Date ${date}, which is more than a day off`;
        return;
      }
      if (from > high || to < low) {
        // The carrier's clock moved, or several machines respond: trust only the newest samples.
        low = from;
        high = to;
        inARow = 1;
        return;
      }
      low = Math.max(low, from);
      high = Math.min(high, to);
      inARow += 1;
    },
    current: () =>
      isBelieved() ? { offset: midpoint(low, high), uncertainty: Math.ceil((high - low) / 2) } : undefined,
    doubt: () => {
      if (isBelieved()) return undefined;
      return inARow > 0 ? 'Dates that are off, and do not agree with each other' : refused;
    },
  };
}

/** Clocks of the origins that respond, one each; the followed one counts. */
export interface SkewOfOrigins extends Pick<SkewMeter, 'current' | 'doubt'> {
  /** Records a `Date` from this URL's origin. */
  readonly observe: (url: string, ...seen: Parameters<SkewMeter['observe']>) => void;
  /** From now on the clock of this URL's origin counts; until then, the first origin's. */
  readonly follow: (url: string) => void;
  /** Stops trusting the followed clock for this reason; without one, trusts it again. */
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
