import type { LiveState } from '../../../src/live/views.ts';
import { html, need } from '../dom.ts';
import { countdown, serverNow, timeOfDay } from './strip.ts';

const done = need('done', HTMLElement);
const times = need('times', HTMLElement);
const later = need('later', HTMLElement);
const actLine = need('acts', HTMLElement);
const bar = document.querySelector('#bar');

function progressWords({ cases, done: ended, counts, broken, undone }: LiveState) {
  const of = (verdict: keyof LiveState['counts']) => counts[verdict] ?? 0;
  const parts = [
    [of('fail') + broken.fail, 'failed'],
    [of('warn') + broken.warn, 'with warnings'],
    [of('inconclusive') + of('error'), 'inconclusive or in error'],
    [of('not-run'), 'not run'],
    [undone, 'left undone by the stop'],
  ] as const;
  const rest = parts.flatMap(([count, words], at) => (count > 0 || at === 0 ? [`${count} ${words}`] : []));
  return [`${ended} of ${cases} cases`, ...rest].join(', ');
}

/** Elapsed and remaining time of a run; its progress if it is over. */
function timesWords(state: LiveState) {
  const { begun, elapsed, left, now, stopping, ended } = state;
  if (!begun) return '';
  if (ended !== undefined) return progressWords(state);
  const since = serverNow() - now;
  const soFar = `${countdown(elapsed * 1000 + since)} so far`;
  if (stopping !== undefined || left === undefined) return soFar;
  const rest = Math.max(0, left * 1000 - since);
  return `${soFar}, about ${countdown(rest)} left (until ${timeOfDay(serverNow() + rest)})`;
}

/** `5 of 596 tasks, the next at 12:39:10, in 7:03`; a moment in the past is not shown. */
function actWords({ acts, ended, stopping }: LiveState) {
  if (acts === undefined) return '';
  const { begun, of, before, next = 0 } = acts;
  const left = next - serverNow();
  const isAhead = left > 0 && ended === undefined && stopping === undefined;
  const when = isAhead ? `, the next at ${timeOfDay(next)}, in ${countdown(left)}` : '';
  const kept = before === 0 ? '' : `; ${before} ${before === 1 ? 'was' : 'were'} done before the run was cut off`;
  return `${begun} of ${of} ${of === 1 ? 'task' : 'tasks'}${when}${kept}`;
}

/** Shows the progress of the run; called every second. */
export function showProgress(state: LiveState) {
  const { begun, cases, done: ended, tasks } = state;
  bar?.setAttribute('width', String(cases === 0 ? 0 : (100 * ended) / cases));
  done.textContent = state.ended ?? (begun ? progressWords(state) : 'Nothing has begun yet.');
  times.textContent = timesWords(state);
  actLine.textContent = actWords(state);
  later.textContent = tasks === 0 ? '' : `${tasks} more ${tasks === 1 ? 'waits' : 'wait'} for a phone that is in use.`;
}

const rows = need('wait-rows', HTMLElement);

/** Possible lengths of the axis in minutes, so that it stays the same while waits grow shorter. */
const axisLengths = [1, 2, 5, 10, 20, 30, 60, 120, 240, 480, 720, 1440, 2880];

/** Current time on the run's clock: real time advances, a virtual clock stands until the run reports it. */
const runNow = ({ clock, isVirtual }: LiveState) =>
  clock.now + (isVirtual ? 0 : Math.max(0, serverNow() - clock.heardAt));

/** One wait, with its end and a bar on an axis that all waits share. */
function drawWait(
  { case: id, for: what, until }: LiveState['waiting'][number],
  { now, span, isVirtual }: { now: number; span: number; isVirtual: boolean },
) {
  const left = until === null ? span : Math.max(0, until - now);
  const width = Math.max(0.5, (100 * left) / span);
  const moment = isVirtual ? `${new Date(now + left).toISOString().slice(11, 19)} UTC` : timeOfDay(serverNow() + left);
  const words = until === null ? 'until something comes' : `until ${moment}, in ${countdown(left)}`;
  return html`<li><strong>${id}</strong> waits for ${what} <span class="quiet">${words}</span><svg class="bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="2"/><rect class="wait" x="0" y="0" width="${width}" height="2"/></svg></li>`;
}

/** Shows the waits, the first to end on top; called every second, so that the bars grow shorter. */
export function showWaits(state: LiveState) {
  const { waiting, more, isVirtual } = state;
  const now = runNow(state);
  const ends = waiting.flatMap(({ until }) => (until === null ? [] : [until - now]));
  const longest = Math.max(0, ...ends);
  const span = (axisLengths.find((minutes) => minutes * 60_000 >= longest) ?? longest / 60_000) * 60_000;
  if (waiting.length === 0 || state.ended !== undefined) {
    rows.replaceChildren(html`<p class="quiet">Nothing waits.</p>`);
    return;
  }
  const list = waiting.map((wait) => drawWait(wait, { now, span, isVirtual }));
  const rest = more === 0 ? '' : html`<p class="quiet">and ${more} more wait</p>`;
  rows.replaceChildren(
    html`<p class="quiet axis"><span>now</span><span>in ${countdown(span)}</span></p><ol class="plain-list timeline">${list}</ol>${rest}`,
  );
}
