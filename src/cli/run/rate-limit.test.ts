import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import {
  withoutNames,
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTarget,
} from '../../testing/program/target-file.ts';

let carrier: SpawnedCarrier;
beforeAll(async () => {
  carrier = await startCarrier([]);
});
afterAll(() => stopCarrier(carrier));

const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Times at which the requests were sent, in milliseconds. */
function sentTimes(out: string): readonly number[] {
  const result = parseJson(readFileSync(join(out, 'result.json'), 'utf8'));
  const cases = isJsonObject(result) ? objects(result['cases']) : [];
  const messages = cases.flatMap((one) => objects(one['messages']));
  return messages.flatMap(({ sentAt }) => (typeof sentAt === 'number' ? [sentAt] : [])).toSorted((a, b) => a - b);
}

test('the carrier gets no more requests in a second than the target file allows', async () => {
  const out = makeFolder();
  const target = writeTarget((written) => ({ ...withoutNames(written, 'clock'), rate_limit: '5/s' }));
  const what = ['discovery-of-no-client', 'discovery-of-no-carrier', 'hyphen-spelling'];
  const { code } = await runCli(['run', ...what, '--target', target, '--out', out], { env: carrier.env });
  const times = sentTimes(out);
  expect(times.length).toBeGreaterThanOrEqual(11);
  // A full second's requests may go at once, overlapping with the next second's.
  const crowded = times.filter((from) => times.filter((at) => at >= from && at < from + 1000).length > 10);
  expect(crowded).toEqual([]);
  // The first may have passed the limiter some time before it was sent.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(((times.length - 5) / 5) * 1000 - 1000);
  expect(code).not.toBe(2);
});
