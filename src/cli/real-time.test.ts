import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { runCli } from '../testing/spawn-cli.ts';
import { leaveOut, makeFolder, startCarrier, stopCarrier, writeFolder, writeTarget } from '../testing/target-file.ts';

const count = 60;
const asks = 'http: { to: discovery, method: GET }, expect: accepted';

/** Every other case has its subscriber alone; they wait one, two or three seconds. */
const waiting = (_: unknown, at: number): string => `
  - id: waits-${at}
    title: It waits
    rule: REQ-014
    alone: ${at % 2 === 0}
    steps: [{ as: first, ${asks} }, { at: first + ${1 + (at % 3)}s, ${asks} }]
`;

const suite = `suite: Cases that wait\ncases:${Array.from({ length: count }, waiting).join('')}`;

function parse(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error('no JSON object');
  return value;
}

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

test('sixty waiting cases on three subscribers take, in real time, the longest chain of waits', async () => {
  const carrier = await startCarrier(['--clock', 'real']);
  const { env } = carrier;
  const target = writeTarget((given) => leaveOut(given, 'clock'));
  const what = ['Cases that wait', '--suites', writeFolder({ 'waits.suite.yaml': suite }), '--target', target];
  const plan = parse((await runCli(['plan', ...what, '--json'], { env })).stdout);
  const planned = Number(plan['longest']);
  const subscribers = new Set(listOf(plan['cases']).map(({ subscriber }) => subscriber));
  expect({ cases: listOf(plan['cases']).length, subscribers: subscribers.size }).toEqual({
    cases: count,
    subscribers: 3,
  });
  expect(Number(plan['sum'])).toBe(120);
  expect(planned).toBeLessThan(26);

  const out = makeFolder();
  const { code, stderr } = await runCli(['run', ...what, '--out', out, '--preflight', 'off'], {
    env,
    patience: 60_000,
  });
  await stopCarrier(carrier);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { cases, footer } = parse(readFileSync(join(out, 'result.json'), 'utf8'));
  expect(listOf(cases).map(({ verdict }) => verdict)).toEqual(Array.from({ length: count }, () => 'pass'));
  const measured = Number(isJsonObject(footer) ? footer['wallMilliseconds'] : undefined) / 1000;
  process.stdout.write(`planned ${planned} s, measured ${measured} s\n`);
  expect(measured).toBeGreaterThan(planned);
  expect(measured).toBeLessThan(planned * 1.02 + 5);
}, 90_000);
