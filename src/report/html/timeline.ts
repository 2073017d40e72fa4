import type { Result } from '../../model/result.ts';
import { groupBy } from '../shared/lists.ts';
import { countOf } from '../shared/layout.ts';
import { renderSpan } from '../terminal/end.ts';
import { type Axis, createAxis } from './axis.ts';
import { type Lane, lastOf, left, number, renderLane, shorten, width } from './timeline-row.ts';
import { html, type Markup, nothing } from './markup.ts';
import type { CaseEntry } from './case-index.ts';

function renderLabels(axis: Axis, marks: readonly number[], height: number): Markup {
  const labels = marks.map((moment) => {
    const x = axis(moment);
    const isLast = x > width - 90;
    const at = number(x + (isLast ? -3 : 3));
    return html`<line class="grid" x1="${number(x)}" x2="${number(x)}" y1="16" y2="${height}"/><text class="small" x="${at}" y="12" text-anchor="${isLast ? 'end' : 'start'}">+${renderSpan(moment - (marks[0] ?? moment))}</text>`;
  });
  return html`${labels}`;
}

function renderLanes(lanes: readonly Lane[], axis: Axis): { readonly markup: Markup; readonly height: number } {
  let top = 20;
  const drawn = lanes.map((lane) => {
    const { markup, height } = renderLane(lane, axis, top);
    top += height;
    return markup;
  });
  return { markup: html`${drawn}`, height: top };
}

const legend = html`One lane for each subscriber and the client that it was about. A bar is a case, from its start to its last message; one that did not pass stands below with the mark of its verdict and leads to the case. The ticks are <span class="key key-sent">what was sent</span> and, below, <span class="key key-came">what came in</span>. Long waits are drawn shorter than they were; the labels say how long after the start it was on the run’s clock.`;

/** By subscriber, and there by client; a case that does not say who played is in the lane of its area. */
function lanesOf(cases: readonly CaseEntry[]): readonly Lane[] {
  const groups = groupBy(cases, ({ client, subscriber, area }) =>
    client === undefined || subscriber === undefined ? `1 ${area}` : `0 ${subscriber}\n${client}`,
  );
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => {
      const { client, subscriber, area = '' } = own[0] ?? {};
      const isKnown = client !== undefined && subscriber !== undefined;
      return { name: isKnown ? subscriber : area, note: isKnown ? `as ${shorten(client, 12)}: ` : '', cases: own };
    });
}

/** The whole run: a lane for each subscriber and client, its cases as bars, what was sent and what came as ticks below. */
export function renderRunTimeline({ header }: Result, cases: readonly CaseEntry[]): Markup {
  const ran = cases.filter(({ startedAt }) => startedAt > 0);
  if (ran.length === 0) return nothing;
  const moments = ran.flatMap((entry) => [entry.startedAt, lastOf(entry), ...entry.sentAt, ...entry.cameAt]);
  const { axis, marks } = createAxis(moments, { from: left, to: width - 4 });
  const { markup, height } = renderLanes(lanesOf(ran), axis);
  const label = `The run by subscriber and client: ${countOf(ran.length, 'case')} from ${header.startedAt} on`;
  return html`<section class="run" id="run" aria-labelledby="run-title"><h2 id="run-title">The run</h2><figure><svg viewBox="0 0 ${width} ${height + 2}" role="group" aria-label="${label}">${renderLabels(axis, marks, height)}${markup}</svg><figcaption>${legend}</figcaption></figure></section>`;
}
