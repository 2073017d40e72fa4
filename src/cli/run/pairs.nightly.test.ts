import { writeFileSync, appendFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../lib/covering/random.ts';
import { readSuites } from '../../setup/read-files.ts';
import { createPairRuns, pairName, turnedPairs } from '../../testing/program/selection-pairs.ts';

const seed = process.env['PAIRS_SEED'] ?? new Date().toISOString().slice(0, 10);
const drawn = seededRandom(seed).shuffled(turnedPairs()).slice(0, Number(process.env['PAIRS'] ?? 60));
const { rules } = await readSuites([]);
const breaches = createPairRuns(rules);
const log = process.env['PAIRS_LOG'];
describe(`pairs of ${seed}`, () => {
  test.each(drawn.map((pair) => ({ name: pairName(pair), pair })))('$name', { timeout: 240_000 }, async ({ pair }) => {
    const b = process.cpuUsage();
    const found = await breaches(pair);
    const u = process.cpuUsage(b);
    if (log) appendFileSync(log, `${JSON.stringify({ ...pair, area: rules.find((r) => r.id === pair.rule)?.area, cpu: Math.round((u.user + u.system) / 1000), found })}\n`);
    expect(found).toEqual([]);
  });
});
