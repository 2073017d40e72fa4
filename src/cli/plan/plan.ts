import { type Forecast, type PlannedVerdicts, forecast } from '../../engine/plan/forecast.ts';
import { selectSuites } from '../../engine/plan/select.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import type { Hours } from '../../lib/hours.ts';
import { drawSeed } from '../../lib/covering/random.ts';
import { countNoun, groupBy, listRanges, listIds } from '../../lib/lists.ts';
import { forJson, omitUndefined } from '../../lib/json.ts';
import { type CaseOrder, withSeed } from '../../engine/plan/case-order.ts';
import { levels } from '../../model/rule.ts';
import type { Page } from '../../report/shared/layout.ts';
import { readSuites, readTarget } from '../../setup/read-files.ts';
import { referenceEnv, referenceRegistrations, referenceTarget } from '../../setup/reference.ts';
import type { planDefinition } from '../definitions/certify.ts';
import { exitCodes } from '../exit-codes.ts';
import { suggestNames, withoutParts } from '../shared/choose.ts';
import type { CommandInputs, Invocation } from '../shared/command.ts';
import { chooseHours, withSafe } from '../shared/flags.ts';
import { createTerminalPage } from '../shared/page.ts';
import { renderGenerated, renderHours, renderManualTasks, renderOffset, renderPushes } from './people.ts';
import { maxShownIds, renderPlanSpan, renderPlanTable } from './table.ts';

const maxPathCases = 10;
function renderPath(page: Page, { path }: Forecast): readonly string[] {
  if (path.length === 0) return [];
  const rows = path
    .slice(0, maxPathCases)
    .map(({ begins, ends, planned }, at) => [
      renderOffset(begins),
      renderPlanSpan((path[at + 1]?.begins ?? ends) - begins),
      planned.assignment.subscriber.name,
      planned.case.id,
    ]);
  const more = path.length - maxPathCases;
  return [
    ...page.heading('Longest path', `${countNoun(path.length, 'case')}, each waiting for the one before it`),
    ...renderPlanTable(page, ['at', 'takes', 'subscriber', 'case'], rows),
    ...(more > 0 ? page.paragraph(`and ${more} more`) : []),
  ];
}

function renderLocks(page: Page, { locks }: Forecast): readonly string[] {
  if (locks.length === 0) return [];
  const rows = locks.map(({ lock, cases, exclusiveCases, exclusive, freeAt }) => [
    lock.replace(':', ' '),
    String(cases),
    exclusiveCases === 0 ? '-' : `${exclusiveCases}, ${renderPlanSpan(exclusive)}`,
    renderOffset(freeAt),
  ]);
  return [
    ...page.heading('Locks', 'what cases share, or hold exclusively'),
    ...renderPlanTable(page, ['lock', 'cases', 'exclusive', 'free at'], rows),
  ];
}

/** Most ranges of consecutive ids shown per level. */
const maxIdRanges = 8;

const renderIds = (page: Page, label: string, ids: readonly string[]): readonly string[] =>
  ids.length === 0
    ? []
    : page.paragraph(`${label}: ${listRanges(ids, maxIdRanges)}`, { indent: 4, tone: page.paint.dim });

function renderVerdicts(page: Page, { rules, moments, standing, never }: PlannedVerdicts): readonly string[] {
  const total = levels.reduce((sum, level) => sum + rules[level], 0);
  if (total + never.length === 0) return [];
  const rows = moments.map(({ after, count }) => [
    renderPlanSpan(after),
    ...levels.map((level) => `${count[level]} of ${rules[level]}`),
  ]);
  return [
    ...page.heading('Verdicts', 'rules whose cases have all ended; at the end also those that only invariants judge'),
    ...renderPlanTable(page, ['after', ...levels], rows),
    // Rules whose last case ends only after the previous moment.
    ...moments.slice(1).flatMap(({ judged }, at) =>
      levels.flatMap((level) => {
        const late = judged[level].filter((id) => !standing.includes(id));
        return renderIds(page, `${level}, only after ${renderPlanSpan(moments[at]?.after ?? 0)}`, late);
      }),
    ),
    ...renderIds(page, 'on every message, until the end', standing),
    ...renderIds(page, 'without a verdict, because cases do not run', never),
  ];
}

function renderNotRun(page: Page, { notRun, beyondBudget }: Forecast, budget: string | undefined): readonly string[] {
  const silent = [
    ...notRun.map(({ case: { id }, verdict, reason }) => ({ id, words: `${verdict}: ${reason}` })),
    ...beyondBudget.map(({ id }) => ({ id, words: `not-run: beyond the budget of ${budget}` })),
  ];
  if (silent.length === 0) return [];
  return [
    ...page.heading('Will not run', countNoun(silent.length, 'case')),
    ...[...groupBy(silent, ({ words }) => words)].flatMap(([words, ones]) => [
      ...page.paragraph(words),
      ...page.paragraph(
        `${countNoun(ones.length, 'case')}: ${listIds(
          ones.map(({ id }) => id),
          maxShownIds,
        )}`,
        { indent: 4, tone: page.paint.dim },
      ),
    ]),
  ];
}

interface PlanFrame {
  readonly target: string;
  readonly clock: 'real' | 'virtual';
  readonly budget?: string;
  readonly hours?: Hours;
  readonly order?: CaseOrder;
}

const paceDescriptions = {
  virtual: 'virtual: the run advances it over every wait and takes seconds; these are the times on its clock',
  real: 'real: every wait lasts as long as it says; responses and deliveries come on top',
};

const describeRatio = ({ longest, atLeast }: Forecast): string =>
  atLeast === 0 ? 'nothing waits' : `the path is ${(longest / atLeast).toFixed(2)} times that`;

function describeBudget({ beyondBudget, needed }: Forecast, budget: string | undefined): string | undefined {
  if (needed === undefined) return undefined;
  const shortest = `the shortest of them takes ${renderPlanSpan(needed.shortest)}`;
  const cases = countNoun(beyondBudget.length, 'case');
  return `${budget} is too short for ${cases}: ${shortest}, and a run of all cases ${renderPlanSpan(needed.whole)}`;
}

function renderForecast(
  page: Page,
  given: Forecast,
  { target, clock, budget, hours, order }: PlanFrame,
): readonly string[] {
  const { booked, notRun, beyondBudget } = given;
  const spans = {
    longest: `${renderPlanSpan(given.longest)} by the longest path`,
    'at least': `${renderPlanSpan(given.atLeast)}, whatever the order: ${describeRatio(given)}`,
    sum: `${renderPlanSpan(given.sum)} one after the other`,
  };
  const facts = {
    target,
    clock: paceDescriptions[clock],
    order,
    cases: `${booked.length} run, ${notRun.length + beyondBudget.length} do not`,
    budget: describeBudget(given, budget),
    ...(booked.length === 0 ? {} : spans),
  };
  return [
    ...Object.entries(facts).flatMap(([label, text]) => (text === undefined ? [] : page.fact(label, text))),
    ...(booked.length === 0 ? [] : renderBooked(page, given, hours)),
    ...renderNotRun(page, given, budget),
  ];
}

const renderBooked = (page: Page, given: Forecast, hours: Hours | undefined): readonly string[] => [
  ...renderHours(page, given, hours),
  ...renderPath(page, given),
  ...renderVerdicts(page, given.verdicts),
  ...renderLocks(page, given),
  ...renderPushes(page, given),
  ...renderGenerated(page, given),
  ...renderManualTasks(page, given, hours),
];

/** Placeholder addresses: a plan does not start the embedded carrier. */
const placeholderEnv = () =>
  referenceEnv({ origin: 'http://127.0.0.1', adminOrigin: 'http://127.0.0.1' }, referenceRegistrations(''), '0');

const forecastJson = (
  { booked, notRun, beyondBudget, path, blocks, ...rest }: Forecast,
  { target, clock, order }: { readonly target: string; readonly clock: string; readonly order: CaseOrder | undefined },
): object => ({
  format: 'carrierspec-plan',
  version: 1,
  target,
  clock,
  ...omitUndefined({ order }),
  ...rest,
  blocks: blocks.map(({ tasks, ...block }) => ({ ...block, tasks: tasks.length })),
  path: path.map(({ planned }) => planned.case.id),
  cases: booked.map(({ planned, begins, leaves, ends }) => ({
    id: planned.case.id,
    client: planned.assignment.client.name,
    subscriber: planned.assignment.subscriber.name,
    begins,
    leaves,
    ends,
  })),
  notRun: notRun.map(({ case: { id }, verdict, reason }) => ({ id, verdict, reason })),
  beyondBudget: beyondBudget.map(({ id }) => id),
});

/** `carrierspec plan [what…]`: forecasts a run without sending anything. */
export async function planCommand(
  typed: CommandInputs<typeof planDefinition>,
  invocation: Invocation,
): Promise<number> {
  const { stdout, env } = invocation;
  const given = withSafe(typed);
  const { what, budget } = given;
  const suites = withoutParts(await readSuites(given.suites), given.without);
  const selected = selectSuites(suites, { what, level: 'informational' }, suggestNames);
  const target =
    given.target === undefined
      ? readTarget(referenceTarget, { ...env, ...placeholderEnv() })
      : readTarget(given.target, env);
  const order = given.order && withSeed(given.order, drawSeed);
  const wanted = { interface: serverInitiated, suites, selected, target };
  const hours = chooseHours(given.hours, target);
  const planned = await forecast({ ...wanted, ...omitUndefined({ budget, hours, order }) });
  const clock = target.clock === undefined ? 'real' : 'virtual';
  const text = given.json
    ? forJson(forecastJson(planned, { target: target.name, clock, order }), 2)
    : renderForecast(createTerminalPage(invocation), planned, {
        target: `${target.name} (${target.file})`,
        clock,
        ...omitUndefined({ budget: budget?.text, hours, order }),
      }).join('\n');
  stdout.write(`${text}\n`);
  return exitCodes.conformant;
}
