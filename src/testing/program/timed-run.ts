import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { spawnCli } from './spawn-cli.ts';
import { makeFolder, startInRealTime, stopCarrier, writeFolder } from './target-file.ts';

const prompt = 'http: { to: discovery, method: GET }, expect: accepted';

/** Every other case holds its subscriber exclusively; they wait one, two or three seconds. */
const waitingCase = (_: unknown, at: number): string => `
  - id: waits-${at}
    title: It waits
    rule: REQ-014
    exclusive: ${at % 2 === 0}
    steps: [{ as: first, ${prompt} }, { at: first + ${1 + (at % 3)}s, ${prompt} }]
`;

/** YAML of as many cases that wait one, two or three seconds. */
export const waitingCases = (count: number): string => Array.from({ length: count }, waitingCase).join('');

function parse(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error('no JSON object');
  return value;
}

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** Plans these cases and runs them in real time against their own carrier. Returns seconds. */
export async function planAndRun(cases: string) {
  const carrier = await startInRealTime();
  const { env, target } = carrier;
  const name = 'In real time';
  const suites = writeFolder({ 'mine.suite.yaml': `suite: ${name}\ncases:${cases}` });
  const what = [name, '--suites', suites, '--target', target];
  const planned = parse((await spawnCli(['plan', ...what, '--json'], { env })).stdout);
  const { longest, sum } = planned;
  const listed = listOf(planned['cases']);
  const subscribers = new Set(listed.map(({ subscriber }) => subscriber)).size;
  const plan = { longest: Number(longest), sum: Number(sum), cases: listed.length, subscribers };

  const out = makeFolder();
  const run = ['run', ...what, '--out', out, '--keep-going'];
  const { code, stderr } = await spawnCli(run, { env, timeLimit: 200_000 });
  await stopCarrier(carrier);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const result = parse(readFileSync(join(out, 'result.json'), 'utf8'));
  expect(listOf(result['cases']).map(({ verdict }) => verdict)).toEqual(listed.map(() => 'pass'));
  const footer = isJsonObject(result['footer']) ? result['footer'] : {};
  const took = Number(footer['wallMilliseconds']) / 1000;
  process.stdout.write(`${plan.cases} cases: planned ${plan.longest} s, took ${took} s\n`);
  return { plan, took, deliveries: footer['deliveries'] };
}
