import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { wholeRun } from '../../testing/program/whole-run.ts';

/** Longest delay of a case beyond its plan, in seconds. */
const slack = 5;

const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : Number.NaN);

/** Cases in the JSON output of a command. */
function casesOf(text: string): readonly JsonObject[] {
  const parsed: unknown = JSON.parse(text);
  const cases = isJsonObject(parsed) ? parsed['cases'] : undefined;
  return Array.isArray(cases) ? cases.filter(isJsonObject) : [];
}

/** Areas whose cases wait for deliveries, or for their absence. */
const areas = ['callback', 'events', 'tokens', 'usertrait', 'userinfo'];

test('of the shipped cases that wait none takes longer at the reference carrier than planned', async () => {
  const plan = casesOf((await runCli(['plan', ...areas, '--json'])).stdout);
  const planned = new Map(plan.map(({ id, begins, ends }) => [id, numberOf(ends) - numberOf(begins)]));
  const { code, out } = await wholeRun();
  expect(code).toBe(0);
  const ran = casesOf(readFileSync(join(out, 'result.json'), 'utf8')).filter(({ id }) => planned.has(id));
  const took = ran.map(({ id, startedAt, endedAt }) => ({
    id,
    planned: planned.get(id) ?? Number.NaN,
    took: (numberOf(endedAt) - numberOf(startedAt)) / 1000,
  }));
  expect(took.length).toBe(plan.length);
  expect(took.length).toBeGreaterThan(250);
  expect(took.filter((one) => !(one.took <= one.planned + slack))).toEqual([]);
}, 400_000);
