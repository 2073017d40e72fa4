import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { spawnCli, startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startInRealTime, stopCarrier, writeFolder } from '../../testing/program/target-file.ts';

const count = 60;
const prompt = 'http: { to: discovery, method: GET }, expect: accepted';

/** Every other case holds its subscriber exclusively; they wait one, two or three seconds. */
const waiting = (_: unknown, at: number): string => `
  - id: waits-${at}
    title: It waits
    rule: REQ-014
    exclusive: ${at % 2 === 0}
    steps: [{ as: first, ${prompt} }, { at: first + ${1 + (at % 3)}s, ${prompt} }]
`;

/** Action of a case and the expected callback. */
const acts = [
  'trigger: approve }, { await: callback, expect: completed',
  'trigger: deny }, { await: callback, expect: failed',
  'await: callback, expect: failed',
];

/** A case whose request is approved, denied or left to time out, one to three seconds after it was sent. */
const sending = (_: unknown, at: number): string => {
  const wait = 1 + (Math.floor(at / acts.length) % 3);
  const [act = '', times] = [acts[at % acts.length], at % acts.length === 2];
  const claims = times ? `claims: { expires_in: ${wait} }` : '';
  return `
  - id: sends-${at}
    title: It sends a request
    rule: REQ-014
    exclusive: ${at % 2 === 0}
    steps: [{ as: first, authorize: { ${claims} } }, { ${times ? '' : `at: first + ${wait}s, `}${act} }]
`;
};

const suiteOf = (name: string, cases: readonly string[]): string => `suite: ${name}\ncases:${cases.join('')}`;

const suites = {
  'waits.suite.yaml': suiteOf('Cases that wait', Array.from({ length: count }, waiting)),
  'sends.suite.yaml': suiteOf('Cases that send', Array.from({ length: 20 }, sending)),
};

function parse(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error('no JSON object');
  return value;
}

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Plans a suite and runs it in real time against its own carrier. Returns seconds. */
async function planAndRun(name: string) {
  const carrier = await startInRealTime();
  const { env, target } = carrier;
  const what = [name, '--suites', writeFolder(suites), '--target', target];
  const { longest, sum, cases } = parse((await spawnCli(['plan', ...what, '--json'], { env })).stdout);
  const subscribers = new Set(listOf(cases).map(({ subscriber }) => subscriber)).size;
  const plan = { longest: Number(longest), sum: Number(sum), cases: listOf(cases).length, subscribers };

  const out = makeFolder();
  const run = ['run', ...what, '--out', out, '--keep-going'];
  const { code, stderr } = await spawnCli(run, { env, timeLimit: 200_000 });
  await stopCarrier(carrier);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const result = parse(readFileSync(join(out, 'result.json'), 'utf8'));
  expect(listOf(result['cases']).map(({ verdict }) => verdict)).toEqual(listOf(cases).map(() => 'pass'));
  const footer = isJsonObject(result['footer']) ? result['footer'] : {};
  const took = Number(footer['wallMilliseconds']) / 1000;
  process.stdout.write(`${name}: planned ${plan.longest} s, took ${took} s\n`);
  return { plan, took, deliveries: footer['deliveries'] };
}

/** Concurrent, because all of them wait: the other workers have both cores. */
describe.concurrent('in real time', () => {
  test('sixty cases that wait on three subscribers take the longest chain of waits', async () => {
    const { plan, took } = await planAndRun('Cases that wait');
    expect(plan).toMatchObject({ cases: count, subscribers: 3, sum: 120 });
    expect(plan.longest).toBeLessThan(26);
    expect(took).toBeGreaterThan(plan.longest);
    expect(took).toBeLessThan(plan.longest * 1.02 + 5);
  }, 90_000);

  test('so do twenty that send requests, wait for callbacks, and are watched for two minutes after those', async () => {
    const { plan, took, deliveries } = await planAndRun('Cases that send');
    expect(plan).toMatchObject({ cases: 20, subscribers: 3 });
    expect(deliveries).toBe(20);
    expect(took).toBeGreaterThan(plan.longest);
    expect(took).toBeLessThan(plan.longest * 1.02 + 5);
  }, 240_000);

  test('a process that stands still: the cases that were under way are run again', async () => {
    const [folder, out] = [writeFolder({}), makeFolder()];
    const halt = `import { existsSync, rmSync } from 'node:fs';
      import { isMainThread } from 'node:worker_threads';
      setInterval(() => {
        if (!isMainThread || !existsSync(${JSON.stringify(join(folder, 'halt'))})) return;
        rmSync(${JSON.stringify(join(folder, 'halt'))});
        const end = performance.now() + 6000;
        while (performance.now() < end);
      }, 20).unref();`;
    writeFileSync(join(folder, 'halt.mjs'), halt);
    const running = startCli(['run', 'FLOW-*', '--out', out], {
      env: { NODE_OPTIONS: `--import=${join(folder, 'halt.mjs')}` },
      timeLimit: 150_000,
    });
    await running.stderr(/ cases/);
    writeFileSync(join(folder, 'halt'), '');
    const { code, stderr } = await running.ended;
    expect(stderr).toContain('carrierspec itself stood still for');
    const cases = [...readResult(join(out, 'result.json')).result.cases];
    const tries = cases.flatMap(({ messages }) => messages.filter(({ attempt }) => attempt === 'later'));
    expect(tries.length).toBeGreaterThan(0);
    expect(cases.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
    expect(code, stderr).toBe(0);
  }, 180_000);
});
