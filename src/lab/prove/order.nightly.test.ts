import { availableParallelism } from 'node:os';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseOrder } from '../../engine/plan/case-order.ts';
import type { Verdict } from '../../model/rule.ts';
import { readSuites } from '../../setup/read-files.ts';
import type { Suites } from '../../suite/suites.ts';
import type { JobOutcome } from './job.ts';
import { buildJudgement, ruleVerdicts } from './judge-subject.ts';
import { openThreads, type RunPool } from './pool.ts';
import { oppositeRows, readFreedoms } from '../space/freedoms.ts';

const minutes = 60_000;

/** ORDER_SEED repeats the shuffled order of another proof. */
const seed = process.env['ORDER_SEED'] ?? '39';
const orders: readonly CaseOrder[] = ['listed', 'reversed', `shuffled=${seed}`];

const freedoms = readFreedoms();
const [first, second] = oppositeRows(
  freedoms.filter(({ history }) => history !== true),
  'faults',
);
/** Freedoms that show only in what one case leaves to another. */
const histories = Object.fromEntries(
  freedoms.flatMap(({ id, history, choices }) => {
    const other = choices.at(-1)?.name;
    return history === true && other !== undefined ? [[id, other] as const] : [];
  }),
);
const carriers = [
  { name: 'the plain carrier', choices: histories },
  { name: 'drawn carrier a', choices: { ...first, ...histories } },
  { name: 'drawn carrier b', choices: { ...second, ...histories } },
];

interface Judged {
  readonly stopped: string | undefined;
  readonly cases: ReadonlyMap<string, { readonly verdict: Verdict; readonly reason?: string }>;
  readonly rules: ReadonlyMap<string, { readonly verdict: Verdict }>;
}

function judge(suites: Suites, { cases, invariants, stopped }: JobOutcome): Judged {
  const rules = ruleVerdicts(suites, buildJudgement(cases, invariants));
  return {
    stopped,
    cases: new Map(cases.map((one) => [one.id, one])),
    rules: new Map([...rules].map(([id, verdict]) => [id, { verdict }])),
  };
}

/** The verdicts that differ, as lines with the reasons. */
function differences(one: Judged['cases'], other: Judged['cases']): readonly string[] {
  const words = (found: { readonly verdict: Verdict; readonly reason?: string } | undefined): string =>
    [found?.verdict, found?.reason].filter((text) => text !== undefined).join(': ');
  return [...one].flatMap(([id, found]) => {
    const again = other.get(id);
    return again?.verdict === found.verdict ? [] : [`${id}: ${words(found)}; then ${words(again)}`];
  });
}

const isTrouble = (verdict: Verdict): boolean =>
  verdict === 'fail' || verdict === 'inconclusive' || verdict === 'error';

describe.each(carriers)('the verdicts on $name', ({ choices }) => {
  const judged = new Map<CaseOrder, Judged>();
  let pool: RunPool | undefined;
  beforeAll(async () => {
    process.stdout.write(`order of cases: ${orders.join(', ')}\n`);
    const suites = await readSuites([]);
    const running = openThreads('run', availableParallelism(), {
      suites: [],
      startAt: Date.UTC(2026, 0, 15, 12, 34, 56),
    });
    pool = running;
    const run = async (order: CaseOrder): Promise<void> => {
      judged.set(order, judge(suites, await running.run({ faults: [], choices, order })));
    };
    await Promise.all(orders.map(run));
  }, 15 * minutes);
  afterAll(async () => pool?.close());

  const judgedIn = (order: CaseOrder): Judged => {
    const found = judged.get(order);
    if (found === undefined) throw new Error(`nothing ran in the order ${order}`);
    return found;
  };

  it.each(orders)('are none against it in the order %s', (order) => {
    const { stopped, cases, rules } = judgedIn(order);
    expect(stopped).toBeUndefined();
    expect(cases.size).toBeGreaterThan(1000);
    expect([...rules].filter(([, { verdict }]) => isTrouble(verdict))).toEqual([]);
  });

  it.each(orders.slice(1))('are the same in the order %s as in the listed one', (order) => {
    const [listed, other] = [judgedIn('listed'), judgedIn(order)];
    expect(differences(listed.cases, other.cases)).toEqual([]);
    expect(differences(listed.rules, other.rules)).toEqual([]);
  });
});
