import { isShortage, requireFile } from '../wire/shortage.ts';

/** A period in which a disturbance of our own machine could explain a result. In milliseconds of performance.now(). */
interface Disturbance {
  readonly words: string;
  /** Whether a case can be run again at once; after a clock jump the carrier's clock is not known yet. */
  readonly over: boolean;
  until: number;
}

export interface Disturbances {
  /** Returns the first disturbance that overlaps the time since this moment of performance.now(). */
  readonly since: (begun: number) => Pick<Disturbance, 'words' | 'over'> | undefined;
  /** Records a disturbance of our own that happens now. */
  readonly note: (words: string) => void;
  readonly close: () => void;
}

/** Wall clock and monotonic clock of the machine, in milliseconds. */
interface MachineClocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

const watchInterval = 250;
/** Milliseconds. NTP slews far less between two checks; a leap second stays below as well. */
const minJump = 2000;
/** Milliseconds after a jump until the carrier's clock is known again. */
const settlingTime = 10_000;
/** Milliseconds of standstill of this process; the receiver accounts for shorter ones. */
const minStandstill = 5000;

const formatDuration = (milliseconds: number): string => `${(Math.abs(milliseconds) / 1000).toFixed(1)} s`;

/** Watches for wall clock jumps, standstills of the process and a shortage of files. Calls `onNote` once for each. */
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
    const [jump, still] = [drift - last.drift, at - last.at - watchInterval];
    if (Math.abs(jump) > minJump)
      note(
        `the clock of this machine was set ${jump < 0 ? 'back' : 'forward'} by ${formatDuration(jump)}`,
        at + settlingTime,
        false,
      );
    if (still > minStandstill) note(`carrierspec itself stood still for ${formatDuration(still)}`, at);
    try {
      requireFile();
    } catch (error) {
      if (!isShortage(error)) throw error;
      note(error.message, at);
    }
    last = { at, drift };
  };
  const timer = setInterval(look, watchInterval).unref();
  return {
    note: (words) => note(words, steady()),
    since: (begun) => {
      look();
      return found.find(({ until }) => until >= begun);
    },
    close: () => clearInterval(timer),
  };
}
