/** Hours of each day, in seconds since midnight; they may go past midnight. */
export interface Hours {
  readonly from: number;
  readonly to: number;
  /** Text as typed: `09:00-17:00`. */
  readonly text: string;
}

export const daySeconds = 86_400;

const hoursForm = /^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$/;
export const hoursPattern = hoursForm.source;

/** Why hours mean nothing on a virtual clock. */
export const noDayPasses = 'on a virtual clock no day passes, so hours mean nothing: leave them out';

/** Seconds since midnight, for any number of seconds before or after it. */
const timeOfDay = (seconds: number): number => ((seconds % daySeconds) + daySeconds) % daySeconds;

/** Parses `09:00-17:00`; undefined if it is something else, or has no length. */
export function parseHours(text: string): Hours | undefined {
  if (!hoursForm.test(text)) return undefined;
  const [from = 0, to = 0] = text.split('-').map((time) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    return hour * 3600 + minute * 60;
  });
  return from === to ? undefined : { from, to, text };
}

const hoursLength = ({ from, to }: Hours): number => timeOfDay(to - from);

/** Whether a time of day, in seconds, is within the hours. */
export const isWithin = (hours: Hours, time: number): boolean => timeOfDay(time - hours.from) < hoursLength(hours);

/**
 * Seconds from a time of day until something can begin that reaches people at these moments after its beginning: all of them within the
 * hours, or, if no beginning does that, the first. 0 if it reaches no one.
 */
export function untilHours(hours: Hours, time: number, moments: readonly number[]): number {
  const [first] = moments;
  if (first === undefined) return 0;
  const fits = (wait: number): boolean => moments.every((moment) => isWithin(hours, time + wait + moment));
  const untilOpening = (moment: number): number => timeOfDay(hours.from - time - moment);
  const waits = [0, ...new Set(moments.map(untilOpening))].toSorted((one, other) => one - other);
  return waits.find(fits) ?? (isWithin(hours, time + first) ? 0 : untilOpening(first));
}
