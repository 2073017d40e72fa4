/** Milliseconds that the clock of the run's machine is ahead of this one. */
let ahead = 0;

/**
 * What the run's machine said its time is.
 * @param {number} now
 */
export function setClock(now) {
  ahead = now - Date.now();
}

/** The time of the run's machine. */
export const serverNow = () => Date.now() + ahead;

/** @param {number} number */
const two = (number) => String(number).padStart(2, '0');

/**
 * Time that is left or has passed: `0:45`, `12:05`, `3:00:10`.
 * @param {number} milliseconds
 */
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/**
 * A time of day where the reader is.
 * @param {number} moment
 */
export const timeOfDay = (moment) => new Date(moment).toLocaleTimeString('en-GB');
