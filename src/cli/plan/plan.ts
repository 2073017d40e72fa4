import { forecast, type Forecast } from '../../engine/plan/forecast.ts';
import { select } from '../../engine/plan/select.ts';
import { readSuites, readTarget } from '../../setup/read.ts';
import { referenceEnv, referenceRegistrations, referenceTarget } from '../../setup/reference.ts';
import { parseBudget } from '../shared/budget.ts';
import { pageOf } from '../shared/page.ts';
import { renderForecast } from './describe.ts';
import { parseLevel } from '../run/run.ts';
import { suggestNames } from '../shared/suggest-names.ts';
import type { Invocation } from '../shared/invocation.ts';
import { withoutAreas } from '../shared/without.ts';

export interface PlanFlags {
  readonly target?: string;
  readonly suites: readonly string[];
  readonly without: readonly string[];
  readonly level: string;
  readonly budget?: string;
  readonly json: boolean;
}

/** The embedded carrier is not started for a plan: where it would be does not matter. */
const nowhere = () =>
  referenceEnv({ origin: 'http://127.0.0.1', adminOrigin: 'http://127.0.0.1' }, referenceRegistrations(''), '0');

const asJson = ({ booked, notRun, beyondBudget, path, ...rest }: Forecast, target: string, clock: string): object => ({
  format: 'carrierspec-plan',
  version: 1,
  target,
  clock,
  ...rest,
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

/** `carrierspec plan [what…]`: how a run would go, without sending anything. */
export async function planCommand(what: readonly string[], flags: PlanFlags, invocation: Invocation): Promise<number> {
  const { stdout, env } = invocation;
  const budget = parseBudget(flags.budget);
  const level = parseLevel(flags.level);
  const suites = withoutAreas(await readSuites(flags.suites), flags.without);
  const selected = select(suites, { what, level }, suggestNames);
  const target =
    flags.target === undefined ? readTarget(referenceTarget, { ...env, ...nowhere() }) : readTarget(flags.target, env);
  const given = await forecast({ suites, selected, target, ...(budget === undefined ? {} : { budget }) });
  const driven = target.clock !== undefined;
  if (flags.json) {
    stdout.write(`${JSON.stringify(asJson(given, target.name, driven ? 'virtual' : 'real'), undefined, 2)}\n`);
    return 0;
  }
  const frame = {
    target: `${target.name} (${target.file})`,
    driven,
    ...(budget === undefined ? {} : { budget: budget.text }),
  };
  stdout.write(`${renderForecast(pageOf(invocation), given, frame).join('\n')}\n`);
  return 0;
}
