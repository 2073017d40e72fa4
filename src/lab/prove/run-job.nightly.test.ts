import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readSuites } from '../../setup/read-files.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { runJob } from './run-job.ts';

/** Milliseconds until cases are under way, and for which this process then does nothing. */
const [until, still] = [1500, 6000];

async function standStill(): Promise<void> {
  await pause(until);
  const end = performance.now() + still;
  while (performance.now() < end);
}

test('a job in which the machine stood still is done anew', { timeout: 120_000 }, async () => {
  const suites = await readSuites([]);
  const cases = suites.cases.filter(({ area }) => area === 'callback').map(({ id }) => id);
  const job = runJob({ faults: [], cases }, suites, {
    suites: [],
    startAt: Date.UTC(2026, 0, 5),
    folder: makeFolder(),
  });
  await standStill();
  const outcome = await job;
  expect(outcome.stopped).toBeUndefined();
  expect(outcome.cases.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
});
