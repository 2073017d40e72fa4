import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { runInto } from '../../testing/program/run-into.ts';
import { makeFolder, withoutNames, writeTarget, writeTargetWith } from '../../testing/program/target-file.ts';

const env = {
  REFERENCE_RECEIVER_PORT: '0',
  REFERENCE_SECRET: 'secret-of-a-test',
  REFERENCE_ORIGIN: 'http://127.0.0.1:1',
  REFERENCE_ADMIN: 'http://127.0.0.1:1',
};

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

async function planJson(...args: readonly string[]): Promise<JsonObject> {
  const { code, stdout, stderr } = await runCli(['plan', '--json', ...args], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const parsed: unknown = JSON.parse(stdout);
  if (!isJsonObject(parsed)) throw new Error('no plan');
  return parsed;
}

const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : Number.NaN);

describe('carrierspec plan', () => {
  test('says what runs, what does not and why, and how long it takes; nothing is sent', async () => {
    const { code, stdout } = await runCli(['plan', 'events'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}cases {6}\d+ run, \d+ do not$/m);
    expect(stdout).toMatch(/^ {2}longest {4}\d+ h \d+ min by the longest path$/m);
    expect(stdout).toMatch(/^ {2}sum {8}\d+ h \d+ min one after the other$/m);
    expect(stdout).toMatch(/^Longest path {2}\d+ cases?, each waiting for the one before it$/m);
    expect(stdout).toMatch(/^ {2}subscriber first +\d+ +\d+, \d+ h \d+ min +\d+:\d\d:\d\d$/m);
    expect(stdout).toMatch(/^ {2}Nothing has to be done by hand\.$/m);
  });

  // In real time every wait takes its full length. Lifetimes of a day or two are tested only on a virtual clock.
  test('of everything is near what it takes at least, and says when rules have verdicts', async () => {
    const target = writeTarget((given) => withoutNames(given, 'clock'));
    const { longest, atLeast, verdicts, sum } = await planJson('--target', target);
    expect(numberOf(atLeast)).toBeLessThan(numberOf(sum) / 4);
    expect(numberOf(longest) / numberOf(atLeast)).toBeLessThanOrEqual(1.04);
    if (!isJsonObject(verdicts) || !isJsonObject(verdicts['rules'])) throw new Error('no verdicts');
    const moments = listOf(verdicts['moments']);
    expect(moments.map(({ after }) => after)).toEqual([600, 3600, 14_400, 28_800, numberOf(longest)]);
    const counts = moments.map(({ count }) => (isJsonObject(count) ? numberOf(count['required']) : Number.NaN));
    expect(counts.at(-1)).toBe(verdicts['rules']['required']);
    // With the longest cases first, only a tenth would have verdicts after ten minutes, and those of events after a day.
    expect(counts[0]).toBeGreaterThan(0.4 * (counts.at(-1) ?? 0));
    expect(counts[3]).toBeGreaterThan((counts[1] ?? 0) + 10);
  });

  test('says in a table when rules have verdicts, and which come late', async () => {
    const { stdout } = await runCli(['plan', 'events', 'usertrait'], { env });
    expect(stdout).toMatch(/^ {2}at least {3}\d+ h \d+ min, whatever the order: the path is 1\.\d\d times that$/m);
    expect(stdout).toMatch(/^ {2}after +required +recommended +informational$/m);
    expect(stdout).toMatch(/^ {2}8 h 0 min +\d+ of \d+ +\d+ of \d+ +\d+ of \d+$/m);
    expect(stdout).toMatch(/^ {4}required, only after 8 h 0 min: .*EVT-/m);
  });

  test('says which rules get no verdict, because cases do not run', async () => {
    const target = writeTarget((given) => ({ ...given, drivers: {} }));
    const { verdicts, notRun } = await planJson('success-callback-members', '--target', target);
    expect(notRun).toEqual([
      { id: 'success-callback-members', verdict: 'not-run', reason: 'needs a driver for approve' },
    ]);
    expect(verdicts).toMatchObject({
      rules: { required: 0, recommended: 0, informational: 0 },
      never: ['FLOW-002', 'CB-006', 'CB-008', 'CB-010', 'CB-013'],
    });
  });

  test('says what a person must do, on which phone and when', async () => {
    const target = writeTargetWith({ approve: { ask: true } });
    const { stdout } = await runCli(['plan', 'jti-again-after-4m30s', 'success-callback-members', '--target', target], {
      env,
    });
    expect(stdout).toMatch(
      /^By hand {2}1 action of a person, at times from the beginning of the run; 1 person at once at most$/m,
    );
    expect(stdout).toMatch(/^ {2}0:00:00-0:00:30 +1 action, 1 person: approve on \+1217555010\d$/m);
    expect(stdout).toMatch(/^ {4}success-callback-members$/m);
  });

  test('--hours: how many days it takes, when people work, with pauses, and how many at once', async () => {
    const ask = { ask: true };
    const target = writeTarget((given) => ({
      ...withoutNames(given, 'clock'),
      drivers: { ...(isJsonObject(given['drivers']) ? given['drivers'] : {}), approve: ask, deny: ask },
    }));
    const what = ['success-callback-members', 'denial-is-request-denied', 'granted-life-then-ends', 'acr-a1'];
    const flags = ['--hours', '09:00-09:03', '--target', target];
    const { stdout } = await runCli(['plan', ...what, ...flags], { env });
    expect(stdout).toMatch(
      /^ {2}hours {6}09:00-09:03 for phones and people, each day; this plan begins with them, on day 1$/m,
    );
    expect(stdout).toMatch(/^ {2}days {7}\d days?: the run ends on day \d \d\d:\d\d$/m);
    expect(stdout).toMatch(
      /^By hand {2}\d+ actions of a person, within 09:00-09:03; \d (?:person|people) at once at most$/m,
    );
    expect(stdout).toMatch(/^ {2}day 1 09:00-09:0[0-3] {2}\d+ actions?, \d (?:person|people at once): /m);
    const { blocks, longest, outside, manualTasks } = await planJson(...what, ...flags);
    const [first] = listOf(blocks);
    expect(first).toMatchObject({ from: 0, pause: 0 });
    const tasks = listOf(blocks).reduce((sum, block) => sum + numberOf(block['tasks']), 0);
    expect(tasks).toBe(listOf(manualTasks).length);
    expect(numberOf(longest)).toBeGreaterThan(60);
    expect(outside).toEqual(['granted-life-then-ends']);
  });

  test('--hours: what does not fit into one day goes on with the next one', async () => {
    const target = writeTarget((given) => withoutNames(given, 'clock'));
    const plain = await planJson('callback', '--target', target);
    const kept = await planJson('callback', '--target', target, '--hours', '09:00-09:01');
    expect(numberOf(plain['longest'])).toBeLessThan(86_400);
    expect(numberOf(kept['longest'])).toBeGreaterThan(86_400);
    const reaching = listOf(kept['cases']).filter(({ begins }) => numberOf(begins) % 86_400 >= 60);
    // Cases that reach no phone begin at any time.
    expect(reaching.length).toBeLessThan(listOf(kept['cases']).length / 2);
  });

  test.each([
    ['9-17', '"9-17" is no time of the day to another one such as 09:00-17:00'],
    ['09:00-09:00', '"09:00-09:00" is no time of the day to another one such as 09:00-17:00'],
    ['09:00-17:00', 'on a virtual clock no day passes, so hours mean nothing: leave them out'],
  ])('--hours %s of the reference carrier is refused', async (hours, why) => {
    const stderr = `carrierspec: --hours: ${why}\n`;
    expect(await runCli(['plan', '--hours', hours], { env })).toEqual({ code: 2, stdout: '', stderr });
    expect(await runCli(['run', 'jti-absent', '--hours', hours, '--out', makeFolder()])).toMatchObject({
      code: 2,
      stderr,
    });
  });

  test('--safe leaves out what is unfit for production, with the reason', async () => {
    const { notRun } = await planJson('flag-enum', 'jti-absent', '--safe');
    const reason = 'left out by --without changes (or --safe): it changes a registration or the keys of the carrier';
    expect(notRun).toEqual([{ id: 'flag-enum', verdict: 'not-run', reason }]);
  });

  test('a budget into which nothing fits: the one that is needed, and nothing about a run that is none', async () => {
    const { code, stdout } = await runCli(['plan', 'FLOW-001', '--budget', '1s'], { env });
    const [cases = ''] = /\d+(?= do not$)/m.exec(stdout) ?? [];
    const needed =
      /budget 1s is too short for (\d+) cases: the shortest of them takes \d+ min \d+ s, and a run of all cases \d/;
    expect([code, needed.exec(stdout.replaceAll(/\s+/g, ' '))?.[1]]).toEqual([0, cases]);
    expect(stdout).toMatch(/^Will not run {2}/m);
    expect(stdout).not.toMatch(/longest|Verdicts|Locks|by hand/);
    expect((await runCli(['plan', 'FLOW-001'], { env })).stdout).not.toMatch(/^ *budget/m);
  });

  test('a budget that is no duration is refused', async () => {
    const stderr = 'carrierspec: --budget: "10" is no duration such as 90s, 10m or 1h30m\n';
    expect(await runCli(['plan', '--budget', '10'], { env })).toEqual({ code: 2, stdout: '', stderr });
  });
});

describe('a run goes as planned', () => {
  test('each case takes what was planned for it, and so does the whole', async () => {
    const plan = await planJson('callback');
    const { code, result } = await runInto(['callback']);
    expect(code).toBe(0);
    const planned = new Map(
      listOf(plan['cases']).map((one) => [one['id'], numberOf(one['ends']) - numberOf(one['begins'])]),
    );
    const ran = [...result.cases].filter(({ startedAt }) => startedAt !== 0);
    const took = ran.map(({ id, startedAt, endedAt }) => ({
      planned: planned.get(id) ?? Number.NaN,
      actual: (endedAt - startedAt) / 1000,
    }));
    const near = took.filter((one) => Math.abs(one.planned - one.actual) <= Math.max(5, one.actual * 0.02));
    expect(near.length / took.length).toBeGreaterThan(0.8);
    const length = (Date.parse(result.footer?.endedAt ?? '') - Date.parse(result.header.startedAt)) / 1000;
    expect(length / numberOf(plan['longest'])).toBeGreaterThan(0.8);
    expect(length / numberOf(plan['longest'])).toBeLessThan(1.25);
  });

  test('the phones get the pushes that were planned', async () => {
    const { pushes } = await planJson('callback');
    const planned = listOf(pushes).reduce((sum, { count }) => sum + numberOf(count), 0);
    const { result } = await runInto(['callback']);
    const accepted = [...result.cases].flatMap(({ messages }) =>
      messages.filter((one) => one.kind === 'exchange' && one.object !== undefined && one.response?.status === 200),
    );
    expect(planned).toBe(accepted.length);
    expect((await runCli(['plan', 'callback'])).stdout).toMatch(
      new RegExp(
        `^Pushes {2}${planned} pushes to \\d phones, at a carrier that conforms\n +phone +pushes +most in 10 min\n`,
        'm',
      ),
    );
  });

  test('--budget: what fits runs, the rest is not run, and the run is incomplete', async () => {
    const { code, stdout, result } = await runInto(['events', '--budget', '10m']);
    expect(code).toBe(4);
    expect(stdout).toMatch(/ beyond the budget of 10m/);
    const plan = await planJson('events', '--budget', '10m');
    const cases = [...result.cases];
    const ran = cases.filter(({ startedAt }) => startedAt !== 0).map(({ id }) => id);
    expect(new Set(ran)).toEqual(new Set(listOf(plan['cases']).map(({ id }) => id)));
    const beyond = cases.filter(({ reason }) => reason === 'beyond the budget of 10m').map(({ id }) => id);
    expect(beyond).toEqual(plan['beyondBudget']);
    expect(beyond.length).toBeGreaterThan(10);
  });
});
