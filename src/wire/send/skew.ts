import type { HeaderLines } from '../../model/exchange.ts';

/** Carrier clock minus ours, milliseconds, plus or minus `uncertainty`. */
export interface Skew {
  readonly offset: number;
  readonly uncertainty: number;
}

/** Milliseconds between two clocks that matter to nothing; what NTP leaves is far below. */
const tolerable = 5000;

/** Whether it is more than what the uncertainty of the headers leaves open. */
export const isOff = ({ offset, uncertainty }: Skew): boolean => Math.abs(offset) > tolerable + uncertainty;

/** Narrows the carrier's clock from `Date` headers: each names a second that lay between our sending and receiving. */
interface SkewMeter {
  readonly observe: (date: string | undefined, sentAt: number, receivedAt: number) => void;
  /** Undefined where no header was seen, or none that can be believed. */
  readonly current: () => Skew | undefined;
  /** Why what the headers say is not believed; undefined where it is, and where there was none. */
  readonly doubt: () => string | undefined;
}

/** `Date` has whole seconds (RFC 9110 §5.6.7): the carrier's clock was in [date, date + 1 s). */
const resolution = 1000;

/** Milliseconds: no clock that issues tokens is off by more than a day. */
const farthest = 86_400_000;
const near = 60_000;
const agreeing = 3;

/** The one `Date` of a response that came from no cache: a stored response has the `Date` of its origin, and an `Age` (RFC 9111 §5.1). */
export function dateOf(headers: HeaderLines): string | undefined {
  const valuesOf = (wanted: string): readonly string[] =>
    headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value.trim()] : []));
  const [date, ...others] = valuesOf('date');
  const isStored = valuesOf('age').some((age) => age !== '0');
  return others.length > 0 || isStored ? undefined : date;
}

/** An IMF-fixdate, which is the only form that may be sent; NaN where it is none, or its day of the week is another. */
function read(date: string): number {
  const at = Date.parse(date);
  return !Number.isNaN(at) && new Date(at).toUTCString() === date ? at : Number.NaN;
}

const middle = (low: number, high: number): number => Math.round((low + high) / 2);

export function createSkewMeter(): SkewMeter {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let inARow = 0;
  let refused: string | undefined;
  const isBelieved = (): boolean => inARow > 0 && (Math.abs(middle(low, high)) <= near || inARow >= agreeing);
  return {
    observe: (date, sentAt, receivedAt) => {
      if (date === undefined) return;
      const at = read(date);
      const [from, to] = [at - receivedAt, at + resolution - sentAt];
      if (Number.isNaN(at)) {
        refused = 'a Date that is no date in the form of RFC 9110';
        return;
      }
      if (from > farthest || to < -farthest) {
        refused = `the Date ${date}, which is more than a day off`;
        return;
      }
      if (from > high || to < low) {
        // The carrier's clock moved, or several machines answer: only the newest samples are believed.
        low = from;
        high = to;
        inARow = 1;
        return;
      }
      low = Math.max(low, from);
      high = Math.min(high, to);
      inARow += 1;
    },
    current: () => (isBelieved() ? { offset: middle(low, high), uncertainty: Math.ceil((high - low) / 2) } : undefined),
    doubt: () => {
      if (isBelieved()) return undefined;
      return inARow > 0 ? 'Dates that are off, and do not agree with each other' : refused;
    },
  };
}

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
