import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { isJsonObject, type Json, type JsonObject, renderPlain } from '../../lib/json.ts';
import { loadSuiteFolders } from '../../suite/load.ts';
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

/** Ids of the cases with a `rest`, whose length depends on the cases before, or with a time of day, whose distance depends on the hour. */
async function restingCases(): Promise<ReadonlySet<string>> {
  const options = { dirs: ['suites'], faults: undefined, interface: serverInitiated, tampers: new Set<string>() };
  const { suites } = await loadSuiteFolders(options);
  const resting = suites.cases.filter(({ steps }) =>
    steps.some(({ act, at }) => act.verb === 'rest' || at?.source.includes('next(') === true),
  );
  return new Set(resting.map(({ id }) => id));
}

/** When a case began, in milliseconds: with its first message, if it rested before, or waited for a time of day. */
function beganAt({ id, startedAt, messages }: JsonObject, resting: ReadonlySet<string>): number {
  const [first] = Array.isArray(messages) ? messages.filter(isJsonObject) : [];
  return numberOf(resting.has(renderPlain(id)) ? first?.['sentAt'] : startedAt);
}

/** Areas whose cases wait for deliveries, or for their absence. */
const areas = ['callback', 'events', 'tokens', 'usertrait', 'userinfo'];

test('of the shipped cases that wait none takes longer at the reference carrier than planned', async () => {
  const plan = casesOf((await runCli(['plan', ...areas, '--json'])).stdout);
  const planned = new Map(plan.map(({ id, begins, ends }) => [id, numberOf(ends) - numberOf(begins)]));
  const { code, out } = await wholeRun();
  expect(code).toBe(0);
  const ran = casesOf(readFileSync(join(out, 'result.json'), 'utf8')).filter(({ id }) => planned.has(id));
  const resting = await restingCases();
  expect(resting.size).toBeGreaterThan(2);
  const took = ran.map((one) => ({
    id: one['id'],
    planned: planned.get(one['id']) ?? Number.NaN,
    took: (numberOf(one['endedAt']) - beganAt(one, resting)) / 1000,
  }));
  expect(took.length).toBe(plan.length);
  expect(took.length).toBeGreaterThan(250);
  expect(took.filter((one) => !(one.took <= one.planned + slack))).toEqual([]);
}, 400_000);
