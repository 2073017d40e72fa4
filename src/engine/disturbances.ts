import { isShortage, requireFile } from '../wire/shortage.ts';

/** A period in which a disturbance of our own machine could explain a result. In milliseconds of performance.now(). */
export interface Disturbance {
  readonly words: string;
  /** `again`: the case can be run again at once. `later`: the carrier's clock is not known yet. `never`: the run has lost the time. */
  readonly repeat: 'again' | 'later' | 'never';
  until: number;
}

export interface Disturbances {
  /** Returns the first disturbance that overlaps the time since this moment of performance.now(). */
  readonly since: (begun: number) => Pick<Disturbance, 'words' | 'repeat'> | undefined;
  /** Looks at the clock. Returns in words the change since which the run no longer knows the time; undefined if it knows it. */
  readonly lostTime: () => string | undefined;
  /** Records a disturbance of our own that happens now. */
  readonly note: (words: string) => void;
  readonly close: () => void;
}

export interface MachineClocks {
  /** The run's clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds that the clock of the machine is ahead of the run's clock, which is monotonic; 0 on a virtual clock. */
  readonly ahead: () => number;
  /** Monotonic clock, in milliseconds. */
  readonly steady: () => number;
}

interface DisturbanceListeners {
  /** Called once for each disturbance, in words. */
  readonly onNote: (text: string) => void;
  /** Called once, with what happened to the clock, when the run no longer knows the time. */
  readonly onLostTime: (words: string) => void;
}

const watchInterval = 250;
/** Milliseconds. NTP slews far less between two looks; a leap second stays below as well. */
const minJump = 1500;
/** Milliseconds of difference from the run's clock, by jumps and slewing together, that do no harm: as `tolerableSkew`. */
const maxAhead = 5000;
/** Milliseconds after a jump until the carrier's clock is known again. */
const settlingTime = 10_000;
/** Milliseconds of standstill of this process; the receiver accounts for shorter ones. */
const minStandstill = 5000;

const formatDuration = (milliseconds: number): string => `${(Math.abs(milliseconds) / 1000).toFixed(1)} s`;

interface ClockWatch {
  readonly look: () => void;
  /** Size and moment of the change since which the run no longer knows the time; undefined if it knows it. */
  readonly lost: () => string | undefined;
}

/**
 * Watches the clock of the machine against the run's. A jump disturbs the cases under way. Beyond `maxAhead` nothing tells
 * which of the two is right, so the run has lost the time.
 */
function watchClock({ now, ahead }: MachineClocks, onJump: (words: string, isLost: boolean) => void): ClockWatch {
  let last = ahead();
  let lost: string | undefined;
  return {
    lost: () => lost,
    look: (): void => {
      if (lost !== undefined) return;
      // A pause between the readings of two clocks looks like a jump, so what looks like one is read again.
      const difference = [ahead(), ahead()].toSorted((a, b) => Math.abs(a - last) - Math.abs(b - last))[0] ?? last;
      const jump = difference - last;
      last = difference;
      const isJump = Math.abs(jump) > minJump;
      const isLost = Math.abs(difference) > maxAhead;
      if (!isJump && !isLost) return;
      const size = isJump ? jump : difference;
      const words = `at ${new Date(now()).toISOString()} the clock of this machine was set ${size < 0 ? 'back' : 'forward'} by ${formatDuration(size)}`;
      lost = isLost ? `${words}${isJump ? '' : ' in all since the run began'}` : undefined;
      onJump(lost ?? words, isLost);
    },
  };
}

/** Watches for changes of the wall clock, standstills of the process and a shortage of files. */
export function watchMachine(clocks: MachineClocks, { onNote, onLostTime }: DisturbanceListeners): Disturbances {
  const { steady } = clocks;
  const found: Disturbance[] = [];
  let last = steady();
  const note = (words: string, until: number, repeat: Disturbance['repeat'] = 'again'): void => {
    const before = found.findLast((one) => one.words === words);
    if (before !== undefined && before.until >= last) {
      before.until = until;
      return;
    }
    found.push({ words, repeat, until });
    onNote(`${words}: cases that were under way have no verdict`);
  };
  const clock = watchClock(clocks, (words, isLost) => {
    if (isLost) note(words, Number.POSITIVE_INFINITY, 'never');
    else note(words, steady() + settlingTime, 'later');
    if (isLost) onLostTime(words);
  });
  const look = (): void => {
    clock.look();
    const at = steady();
    const still = at - last - watchInterval;
    if (still > minStandstill) note(`carrierspec itself stood still for ${formatDuration(still)}`, at);
    try {
      requireFile();
    } catch (error) {
      if (!isShortage(error)) throw error;
      note(error.message, at);
    }
    last = at;
  };
  const timer = setInterval(look, watchInterval).unref();
  return {
    note: (words) => note(words, steady()),
    since: (begun) => {
      look();
      const overlapping = found.filter(({ until }) => until >= begun);
      return overlapping.find(({ repeat }) => repeat === 'never') ?? overlapping[0];
    },
    lostTime: () => {
      clock.look();
      return clock.lost();
    },
    close: () => clearInterval(timer),
  };
}
