import { need } from '../dom.js';
import { countdown, serverNow, timeOfDay } from './clock.js';

/** @import { LiveState } from '../../../src/live/views.ts' */

const done = need('done', HTMLElement);
const times = need('times', HTMLElement);
const later = need('later', HTMLElement);
const bar = document.querySelector('#bar');

/** @param {LiveState} state */
function wordsOf({ cases, done: ended, counts, broken, undone }) {
  /** @param {keyof LiveState['counts']} verdict */
  const of = (verdict) => counts[verdict] ?? 0;
  const parts = /** @type {const} */ ([
    [of('fail') + broken.fail, 'failed'],
    [of('warn') + broken.warn, 'with warnings'],
    [of('inconclusive') + of('error'), 'inconclusive or in error'],
    [of('not-run'), 'not run'],
    [undone, 'left undone by the stop'],
  ]);
  const rest = parts.flatMap(([count, words], at) => (count > 0 || at === 0 ? [`${count} ${words}`] : []));
  return [`${ended} of ${cases} cases`, ...rest].join(', ');
}

/**
 * How long the run has taken and still takes; of one that is over, how far it came.
 * @param {LiveState} state
 */
function timesOf(state) {
  const { begun, elapsed, left, now, stopping, ended } = state;
  if (!begun) return '';
  if (ended !== undefined) return wordsOf(state);
  const since = serverNow() - now;
  const soFar = `${countdown(elapsed * 1000 + since)} so far`;
  if (stopping !== undefined || left === undefined) return soFar;
  const rest = Math.max(0, left * 1000 - since);
  return `${soFar}, about ${countdown(rest)} left (until ${timeOfDay(serverNow() + rest)})`;
}

/**
 * How far the run is; again each second.
 * @param {LiveState} state
 */
export function showProgress(state) {
  const { begun, cases, done: ended, tasks } = state;
  bar?.setAttribute('width', String(cases === 0 ? 0 : (100 * ended) / cases));
  done.textContent = state.ended ?? (begun ? wordsOf(state) : 'Nothing has begun yet.');
  times.textContent = timesOf(state);
  later.textContent = tasks === 0 ? '' : `${tasks} more ${tasks === 1 ? 'waits' : 'wait'} for a phone that is in use.`;
}
