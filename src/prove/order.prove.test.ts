import { availableParallelism } from 'node:os';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseOrder } from '../model/order.ts';
import { readSuites } from '../setup/read.ts';
import type { Suites } from '../suite/suites.ts';
import type { JobOutcome } from './job.ts';
import { judgementOf, ruleVerdicts } from './judge-subject.ts';
import { openPool, type Pool } from './pool.ts';
import { readFreedoms } from './space/freedoms.ts';
import { oppositeRows } from './space/rows.ts';

const minutes = 60_000;

/** ORDER_SEED brings the shuffled order of another proof back. */
const seed = process.env['ORDER_SEED'] ?? '39';
const orders: readonly CaseOrder[] = ['listed', 'reversed', `shuffled=${seed}`];

const [first, second] = oppositeRows(readFreedoms(), 'faults');
const carriers = [
  { name: 'the plain carrier', choices: {} },
  { name: 'drawn carrier a', choices: first },
  { name: 'drawn carrier b', choices: second },
];

/** Verdicts of cases and of rules, with what a case says beside its verdict. */
function verdictsOf(suites: Suites, { cases, invariants, stopped }: JobOutcome) {
  const words = new Map(cases.map(({ id, verdict, reason = '' }) => [id, `${verdict} ${reason}`.trimEnd()]));
  return { stopped, cases: words, rules: ruleVerdicts(suites, judgementOf(cases, invariants)) };
}

/** What differs between two maps, as lines. */
const differences = <T>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>): readonly string[] =>
  [...one].flatMap(([id, verdict]) =>
    other.get(id) === verdict ? [] : [`${id}: ${String(verdict)} / ${String(other.get(id))}`],
  );

describe.each(carriers)('the verdicts on $name', ({ choices }) => {
  let suites: Suites | undefined;
  let pool: Pool | undefined;
  const outcomes = new Map<CaseOrder | undefined, JobOutcome>();
  beforeAll(async () => {
    process.stdout.write(`order of cases: ${orders.join(', ')}\n`);
    suites = await readSuites([]);
    const running = openPool(availableParallelism(), { suites: [], startAt: Date.UTC(2026, 0, 15, 12, 34, 56) });
    pool = running;
    await Promise.all(
      [undefined, ...orders].map(async (order) => {
        const wanted = order === undefined ? {} : { order };
        outcomes.set(order, await running.run({ faults: [], choices, ...wanted }));
      }),
    );
  }, 10 * minutes);
  afterAll(async () => pool?.close());

  const judged = (order: CaseOrder | undefined) => {
    const outcome = outcomes.get(order);
    if (suites === undefined || outcome === undefined) throw new Error('nothing ran');
    return verdictsOf(suites, outcome);
  };

  it.each(orders)('are the same in the order %s as in the planned one', (order) => {
    const [planned, ordered] = [judged(undefined), judged(order)];
    expect(ordered.stopped).toBeUndefined();
    expect(ordered.cases.size).toBeGreaterThan(1000);
    expect({
      cases: differences(planned.cases, ordered.cases),
      rules: differences(planned.rules, ordered.rules),
    }).toEqual({ cases: [], rules: [] });
  });
});
