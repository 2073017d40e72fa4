import { type Forecast, forecast } from '../../engine/plan/forecast.ts';
import { select } from '../../engine/plan/select.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { anySeed } from '../../lib/covering/random.ts';
import { defined } from '../../lib/optional.ts';
import { type CaseOrder, withSeed } from '../../model/order.ts';
import { readSuites, readTarget } from '../../setup/read.ts';
import { referenceEnv, referenceRegistrations, referenceTarget } from '../../setup/reference.ts';
import { forJson } from '../../report/shared/sanitize.ts';
import type { planDefinition } from '../definitions/certify.ts';
import { exitCodes } from '../exit-codes.ts';
import { suggestNames, withoutAreas } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { renderForecast } from './describe.ts';

/** The embedded carrier is not started for a plan: where it would be does not matter. */
const nowhere = () =>
  referenceEnv({ origin: 'http://127.0.0.1', adminOrigin: 'http://127.0.0.1' }, referenceRegistrations(''), '0');

const asJson = (
  { booked, notRun, beyondBudget, path, ...rest }: Forecast,
  { target, clock, order }: { readonly target: string; readonly clock: string; readonly order: CaseOrder | undefined },
): object => ({
  format: 'carrierspec-plan',
  version: 1,
  target,
  clock,
  ...defined({ order }),
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
export async function planCommand(given: Given<typeof planDefinition>, invocation: Invocation): Promise<number> {
  const { stdout, env } = invocation;
  const { what, budget } = given;
  const suites = withoutAreas(await readSuites(given.suites), given.without);
  const selected = select(suites, { what, level: 'informational' }, suggestNames);
  const target =
    given.target === undefined ? readTarget(referenceTarget, { ...env, ...nowhere() }) : readTarget(given.target, env);
  const order = given.order && withSeed(given.order, anySeed);
  const wanted = { interface: serverInitiated, suites, selected, target };
  const planned = await forecast({ ...wanted, ...defined({ budget, order }) });
  const clock = target.clock === undefined ? 'real' : 'virtual';
  const text = given.json
    ? forJson(asJson(planned, { target: target.name, clock, order }), 2)
    : renderForecast(pageOf(invocation), planned, {
        target: `${target.name} (${target.file})`,
        clock,
        ...defined({ budget: budget?.text, order }),
      }).join('\n');
  stdout.write(`${text}\n`);
  return exitCodes.conformant;
}
