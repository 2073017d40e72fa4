import type { Forecast } from '../../engine/plan/forecast.ts';
import type { WorkBlock } from '../../engine/plan/people.ts';
import { daySeconds, type Hours } from '../../lib/hours.ts';
import { countNoun, groupBy, listIds } from '../../lib/lists.ts';
import type { Page } from '../../report/shared/layout.ts';
import { maxShownIds, renderPlanSpan, renderPlanTable, twoDigits } from './table.ts';

/** Moment of a plan, from seconds since its start. */
type RenderMoment = (seconds: number) => string;

/** Time since the start of the run: `1:05:00`. */
export const renderOffset: RenderMoment = (seconds) =>
  `${Math.floor(seconds / 3600)}:${twoDigits((seconds % 3600) / 60)}:${twoDigits(seconds % 60)}`;

/** `day 2 09:05`, of a run that begins when the hours do. */
const renderDayTime =
  ({ from }: Hours): RenderMoment =>
  (seconds) => {
    const whole = from + seconds;
    const time = whole % daySeconds;
    return `day ${Math.floor(whole / daySeconds) + 1} ${twoDigits(time / 3600)}:${twoDigits((time % 3600) / 60)}`;
  };

function renderBlock(
  page: Page,
  { from, to, pause, tasks, people }: WorkBlock,
  hours: Hours | undefined,
): readonly string[] {
  const moment = hours === undefined ? renderOffset : renderDayTime(hours);
  const [begins, ends] = [moment(from), moment(to)];
  // The day is not repeated.
  const day = begins.lastIndexOf(' ') + 1;
  const end = ends.startsWith(begins.slice(0, day)) ? ends.slice(day) : ends;
  const what = [...groupBy(tasks, ({ action, phone }) => `${action} on ${phone}`)].map(
    ([name, same]) => `${name}${same.length === 1 ? '' : ` ${same.length} times`}`,
  );
  const ids = [...new Set(tasks.map((task) => task.case))];
  const before = pause === 0 ? '' : ` after a pause of ${renderPlanSpan(pause)}`;
  const many = people === 1 ? '1 person' : `${people} people at once`;
  return [
    ...page.paragraph(`${begins}-${end}  ${countNoun(tasks.length, 'action')}, ${many}${before}: ${what.join(', ')}`),
    ...page.paragraph(listIds(ids, maxShownIds), { indent: 4, tone: page.paint.dim }),
  ];
}

/** Work of people, in blocks with the pauses between them. */
export function renderManualTasks(
  page: Page,
  { manualTasks, blocks }: Forecast,
  hours: Hours | undefined,
): readonly string[] {
  if (manualTasks.length === 0) return page.paragraph('Nothing has to be done by hand.');
  const people = Math.max(...blocks.map((block) => block.people));
  const from = hours === undefined ? 'at times from the beginning of the run' : `within ${hours.text}`;
  return [
    ...page.heading(
      'By hand',
      `${countNoun(manualTasks.length, 'action')} of a person, ${from}; ${countNoun(people, 'person', 'people')} at once at most`,
    ),
    ...blocks.flatMap((block) => renderBlock(page, block, hours)),
  ];
}

/** Pushes to each phone. A carrier that accepts a request that it must refuse sends more. */
export function renderPushes(page: Page, { pushes }: Forecast): readonly string[] {
  if (pushes.length === 0) return [];
  const all = pushes.reduce((sum, { count }) => sum + count, 0);
  const rows = pushes.map(({ phone, count, most }) => [phone, String(count), String(most)]);
  return [
    ...page.heading(
      'Pushes',
      `${countNoun(all, 'push', 'pushes')} to ${countNoun(pushes.length, 'phone')}, at a carrier that conforms`,
    ),
    ...renderPlanTable(page, ['phone', 'pushes', 'most in 10 min'], rows),
  ];
}

/** Share of the cases that were made from tables: `--without generated` leaves them out. */
export function renderGenerated(page: Page, { booked }: Forecast): readonly string[] {
  const generated = booked.filter(({ planned }) => planned.case.generated === true);
  if (generated.length === 0) return [];
  const pushes = generated.reduce((sum, { time }) => sum + time.pushes, 0);
  const seconds = generated.reduce((sum, { time }) => sum + time.total, 0);
  return [
    ...page.heading('Generated', `${generated.length} of ${countNoun(booked.length, 'case')}`),
    ...page.paragraph(
      `They bring ${countNoun(pushes, 'push', 'pushes')}, and take ${renderPlanSpan(seconds)} one after the other. --without generated leaves them out.`,
    ),
  ];
}

/** Days that the hours spread the run over, and the cases that they cannot hold. */
export function renderHours(
  page: Page,
  { longest, outside = [] }: Forecast,
  hours: Hours | undefined,
): readonly string[] {
  if (hours === undefined) return [];
  const last = renderDayTime(hours)(longest);
  const days = countNoun(Math.floor((hours.from + longest) / daySeconds) + 1, 'day');
  return [
    ...page.fact('hours', `${hours.text} for phones and people, each day; this plan begins with them, on day 1`),
    ...page.fact('days', `${days}: the run ends on ${last}`),
    ...page.fact(
      'outside',
      outside.length === 0
        ? undefined
        : `${countNoun(outside.length, 'case')} too long for the hours, which begin within them: ${listIds(outside, maxShownIds)}`,
    ),
  ];
}
