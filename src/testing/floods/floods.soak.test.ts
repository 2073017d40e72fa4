import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changedVerdicts,
  type DeliveryDoor,
  type FloodedCarrier,
  type FloodedRun,
  runUnderFlood,
  startFloodedCarrier,
} from './flooded-carrier.ts';
import { floods } from './floods.ts';
import { listeningCases } from './selection.ts';

/** FLOODS=idle,get runs only these. */
const chosen = process.env['FLOODS']?.split(',') ?? Object.keys(floods);
const doors: readonly DeliveryDoor[] = ['locked', 'unlocked'];
const paths = ['/si/notify', '/events'];
const mostMebibytes = 300;

test('there are as many floods as the receiver has to stand', () =>
  expect(Object.keys(floods).length).toBeGreaterThanOrEqual(33));

describe.each(doors)('%s', (door) => {
  let carrier: FloodedCarrier;
  let quiet: FloodedRun;
  beforeAll(async () => {
    carrier = await startFloodedCarrier(door);
    quiet = await runUnderFlood(carrier, listeningCases, []);
    process.stdout.write(`${door}: quiet ${quiet.seconds.toFixed(1)} s, ${quiet.mebibytes} MiB\n`);
  });
  afterAll(() => carrier.close());

  test('without strangers every case passes', () => expect(quiet).toMatchObject({ code: 0, strangers: 0 }));

  test.each(chosen.flatMap((flood) => paths.map((path) => [flood, path] as const)))(
    '%s at %s',
    async (flood, path) => {
      const run = await runUnderFlood(carrier, listeningCases, [{ flood, path }]);
      const figures = [
        `exit ${run.code}`,
        `${run.seconds.toFixed(1)} s`,
        `${run.mebibytes} MiB`,
        `${run.sent} sent`,
        `${run.strangers} deliveries of strangers`,
        `${[...run.cases.values()].filter(({ verdict }) => verdict === 'inconclusive').length} inconclusive`,
      ];
      process.stdout.write(`${door} ${flood} ${path}: ${figures.join(', ')}\n`);
      expect(changedVerdicts(run, quiet, door)).toEqual([]);
      expect(run.sent).toBeGreaterThan(0);
      expect(run.mebibytes).toBeLessThan(mostMebibytes);
    },
    320_000,
  );
});
