import { isShortage, requireFile } from '../wire/shortage.ts';

/** A time in which what our own machine did could explain what a case saw. In milliseconds of performance.now(). */
interface Disturbance {
  readonly words: string;
  /** Whether a case can be run again at once; after a jump the carrier's clock is not known yet. */
  readonly over: boolean;
  until: number;
}

export interface Disturbances {
  /** The first that touches what began at this moment of performance.now(). */
  readonly since: (begun: number) => Pick<Disturbance, 'words' | 'over'> | undefined;
  /** Something else of our own that happens now. */
  readonly note: (words: string) => void;
  readonly close: () => void;
}

/** The clocks of the machine: of the day, and of steady seconds. Both in milliseconds. */
interface MachineClocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

const interval = 250;
/** Milliseconds. What NTP slews between two looks is far below; a leap second is not above. */
const smallestJump = 2000;
/** Milliseconds after a jump in which the carrier's clock is not known again. */
const settling = 10_000;
/** Milliseconds in which this process did nothing; shorter ones are known to the receiver. */
const shortestStandstill = 5000;

const seconds = (milliseconds: number): string => `${(Math.abs(milliseconds) / 1000).toFixed(1)} s`;

/** Watches for jumps of the clock of the day, for a process that stood still, and for a lack of files. `onNote` hears of each once. */
export function watchMachine({ wall, steady }: MachineClocks, onNote: (text: string) => void): Disturbances {
  const found: Disturbance[] = [];
  let last = { at: steady(), drift: wall() - steady() };
  const note = (words: string, until: number, over = true): void => {
    const before = found.findLast((one) => one.words === words);
    if (before !== undefined && before.until >= last.at) {
      before.until = until;
      return;
    }
    found.push({ words, over, until });
    onNote(`${words}: cases that were under way have no verdict`);
  };
  const look = (): void => {
    const at = steady();
    const drift = wall() - at;
    const [jump, still] = [drift - last.drift, at - last.at - interval];
    if (Math.abs(jump) > smallestJump)
      note(
        `the clock of this machine was set ${jump < 0 ? 'back' : 'forward'} by ${seconds(jump)}`,
        at + settling,
        false,
      );
    if (still > shortestStandstill) note(`carrierspec itself stood still for ${seconds(still)}`, at);
    try {
      requireFile();
    } catch (error) {
      if (!isShortage(error)) throw error;
      note(error.message, at);
    }
    last = { at, drift };
  };
  const timer = setInterval(look, interval).unref();
  return {
    note: (words) => note(words, steady()),
    since: (begun) => {
      look();
      return found.find(({ until }) => until >= begun);
    },
    close: () => clearInterval(timer),
  };
}
