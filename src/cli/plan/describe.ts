import type { Forecast, ManualTask } from '../../engine/plan/forecast.ts';
import { countOf, groupBy, listIds } from '../../lib/lists.ts';
import type { CaseOrder } from '../../model/order.ts';
import type { Page } from '../../report/shared/layout.ts';
import { renderGains } from './gains.ts';
import { span, table } from './table.ts';
import { renderVerdicts } from './verdicts.ts';

const idLimit = 12;
const pathLimit = 10;
/** Seconds between two manual tasks that make a break for the operator. */
const breakAfter = 300;

/** `1:05:00` from the beginning of the run. */
function renderOffset(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
}

function renderPath(page: Page, { path }: Forecast): readonly string[] {
  if (path.length === 0) return [];
  const rows = path
    .slice(0, pathLimit)
    .map(({ begins, ends, planned }, at) => [
      renderOffset(begins),
      span((path[at + 1]?.begins ?? ends) - begins),
      planned.assignment.subscriber.name,
      planned.case.id,
    ]);
  const more = path.length - pathLimit;
  return [
    ...page.heading('Longest path', `${countOf(path.length, 'case')}, each waiting for the one before it`),
    ...table(page, ['at', 'takes', 'subscriber', 'case'], rows),
    ...(more > 0 ? page.paragraph(`and ${more} more`) : []),
  ];
}

function renderLocks(page: Page, { locks }: Forecast): readonly string[] {
  if (locks.length === 0) return [];
  const rows = locks.map(({ lock, cases, exclusiveCases, exclusive, freeAt }) => [
    lock.replace(':', ' '),
    String(cases),
    exclusiveCases === 0 ? '-' : `${exclusiveCases}, ${span(exclusive)}`,
    renderOffset(freeAt),
  ]);
  return [
    ...page.heading('Locks', 'what cases share, or hold exclusively'),
    ...table(page, ['lock', 'cases', 'exclusive', 'free at'], rows),
  ];
}

/** Manual tasks without a long break between them. */
function stretchesOf(manualTasks: readonly ManualTask[]): readonly (readonly ManualTask[])[] {
  const stretches: ManualTask[][] = [];
  for (const manualTask of manualTasks) {
    const last = stretches.at(-1);
    if (last === undefined || manualTask.at - (last.at(-1)?.at ?? 0) > breakAfter) stretches.push([manualTask]);
    else last.push(manualTask);
  }
  return stretches;
}

function renderStretch(page: Page, stretch: readonly ManualTask[]): readonly string[] {
  const [first, last] = [stretch[0]?.at ?? 0, stretch.at(-1)?.at ?? 0];
  const what = [...groupBy(stretch, ({ action, phone }) => `${action} on ${phone}`)].map(
    ([name, same]) => `${name}${same.length === 1 ? '' : ` ${same.length} times`}`,
  );
  const ids = [...new Set(stretch.map((manualTask) => manualTask.case))];
  const label = `${renderOffset(first)}-${renderOffset(last)}`;
  return [
    ...page.paragraph(`${label}  ${countOf(stretch.length, 'action')}: ${what.join(', ')}`),
    ...page.paragraph(listIds(ids, idLimit), { indent: 4, tone: page.paint.dim }),
  ];
}

function renderManualTasks(page: Page, { manualTasks }: Forecast): readonly string[] {
  if (manualTasks.length === 0) return page.paragraph('Nothing has to be done by hand.');
  return [
    ...page.heading(
      'By hand',
      `${countOf(manualTasks.length, 'action')} of a person, from the beginning of the run on`,
    ),
    ...stretchesOf(manualTasks).flatMap((stretch) => renderStretch(page, stretch)),
  ];
}

function renderNotRun(page: Page, { notRun, beyondBudget }: Forecast, budget: string | undefined): readonly string[] {
  const silent = [
    ...notRun.map(({ case: { id }, verdict, reason }) => ({ id, words: `${verdict}: ${reason}` })),
    ...beyondBudget.map(({ id }) => ({ id, words: `not-run: beyond the budget of ${budget}` })),
  ];
  if (silent.length === 0) return [];
  return [
    ...page.heading('Will not run', countOf(silent.length, 'case')),
    ...[...groupBy(silent, ({ words }) => words)].flatMap(([words, ones]) => [
      ...page.paragraph(words),
      ...page.paragraph(
        `${countOf(ones.length, 'case')}: ${listIds(
          ones.map(({ id }) => id),
          idLimit,
        )}`,
        { indent: 4, tone: page.paint.dim },
      ),
    ]),
  ];
}

/** What stands above a plan. */
export interface PlanFrame {
  readonly target: string;
  readonly clock: 'real' | 'virtual';
  readonly budget?: string;
  readonly order?: CaseOrder;
}

const paces = {
  virtual: 'virtual: the run advances it over every wait and takes seconds; these are the times on its clock',
  real: 'real: every wait lasts as long as it says; responses and deliveries come on top',
};

const aboveBound = ({ longest, atLeast }: Forecast): string =>
  atLeast === 0 ? 'nothing waits' : `the path is ${(longest / atLeast).toFixed(2)} times that`;

/** How a run would go, for people. */
export function renderForecast(
  page: Page,
  given: Forecast,
  { target, clock, budget, order }: PlanFrame,
): readonly string[] {
  const facts = [
    { label: 'target', text: target },
    { label: 'clock', text: paces[clock] },
    ...(order === undefined ? [] : [{ label: 'order', text: order }]),
    { label: 'cases', text: `${given.booked.length} run, ${given.notRun.length + given.beyondBudget.length} do not` },
    { label: 'longest', text: `${span(given.longest)} by the longest path` },
    { label: 'at least', text: `${span(given.atLeast)}, whatever the order: ${aboveBound(given)}` },
    { label: 'sum', text: `${span(given.sum)} one after the other` },
  ];
  return [
    ...facts.flatMap(({ label, text }) => page.fact(label, text)),
    ...renderPath(page, given),
    ...renderVerdicts(page, given.verdicts),
    ...renderLocks(page, given),
    ...renderGains(page, given),
    ...renderManualTasks(page, given),
    ...renderNotRun(page, given, budget),
  ];
}
