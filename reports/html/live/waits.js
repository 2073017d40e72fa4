import { draw, make, need } from '../dom.js';
import { countdown, serverNow, timeOfDay } from './clock.js';

/** @import { LiveState } from '../../../src/live/views.ts' */

const rows = need('wait-rows', HTMLElement);

/** Minutes that an axis may have: it stays as it is while the waits grow shorter. */
const spans = [1, 2, 5, 10, 20, 30, 60, 120, 240, 480, 720, 1440, 2880];

/**
 * The run's clock now: in real time it goes on, a virtual one stands until the run says more.
 * @param {LiveState} state
 */
const runNow = ({ clock, isVirtual }) => clock.now + (isVirtual ? 0 : Math.max(0, serverNow() - clock.heardAt));

/**
 * One wait: what waits for what until when, and how far that is, on an axis that all share.
 * @param {LiveState['waiting'][number]} wait
 * @param {{ now: number, span: number, isVirtual: boolean }} axis
 */
function drawWait({ case: id, for: what, until }, { now, span, isVirtual }) {
  const left = until === null ? span : Math.max(0, until - now);
  const width = Math.max(0.5, (100 * left) / span);
  const moment = isVirtual ? `${new Date(now + left).toISOString().slice(11, 19)} UTC` : timeOfDay(serverNow() + left);
  const words = until === null ? 'until something comes' : `until ${moment}, in ${countdown(left)}`;
  const bar = draw('rect', { class: 'wait', x: 0, y: 0, width, height: 2 });
  const track = draw('rect', { class: 'track', width: 100, height: 2 });
  const drawn = { class: 'bar', viewBox: '0 0 100 2', preserveAspectRatio: 'none', 'aria-hidden': 'true' };
  return make(
    'li',
    {},
    make('strong', {}, id),
    ` waits for ${what} `,
    make('span', { class: 'quiet' }, words),
    draw('svg', drawn, track, bar),
  );
}

/**
 * What waits, the first to end on top; drawn again each second, so that the bars grow shorter.
 * @param {LiveState} state
 */
export function showWaits(state) {
  const { waiting, more, isVirtual } = state;
  const now = runNow(state);
  const ends = waiting.flatMap(({ until }) => (until === null ? [] : [until - now]));
  const longest = Math.max(0, ...ends);
  const span = (spans.find((minutes) => minutes * 60_000 >= longest) ?? longest / 60_000) * 60_000;
  if (waiting.length === 0 || state.ended !== undefined) {
    rows.replaceChildren(make('p', { class: 'quiet' }, 'Nothing waits.'));
    return;
  }
  const list = make(
    'ol',
    { class: 'plain-list timeline' },
    waiting.map((wait) => drawWait(wait, { now, span, isVirtual })),
  );
  const axis = make('p', { class: 'quiet axis' }, make('span', {}, 'now'), make('span', {}, `in ${countdown(span)}`));
  const rest = more === 0 ? undefined : make('p', { class: 'quiet' }, `and ${more} more wait`);
  rows.replaceChildren(axis, list, ...(rest === undefined ? [] : [rest]));
}
