import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Result } from '../model/result.ts';
import { loadSuites } from '../suite/load.ts';
import { buildRunOptions } from '../testing/run-options.ts';
import { shopInterface } from '../testing/second-interface.ts';
import { openShop } from '../testing/shop.ts';
import { buildTarget } from '../testing/target.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'carrierspec-second-'));
afterAll(() => rmSync(folder, { recursive: true }));

const load = () =>
  loadSuites({
    dirs: ['fixtures/second-interface/suites'],
    faults: undefined,
    interface: shopInterface,
    tampers: new Set(),
  });

async function runShop(name: string, referenceOf?: (reference: string) => string): Promise<Result> {
  const { suites } = await load();
  const shop = await openShop(referenceOf);
  try {
    const target = buildTarget({ endpoints: shop.endpoints, deliveryTimeout: 2 });
    const journal = join(folder, `${name}.jsonl`);
    const { result, close } = await run(buildRunOptions({ interface: shopInterface, suites, target, journal }));
    close();
    return result;
  } finally {
    await shop.close();
  }
}

const verdictsOf = ({ rules }: Result) => Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));

const conforming = { 'ORD-001': 'pass', 'ORD-002': 'pass', 'ORD-003': 'pass', 'ORD-004': 'pass', 'ORD-005': 'pass' };

test('the suites of another interface are read with its own verbs and checks', async () => {
  const { suites, problems } = await load();
  expect(problems).toEqual([]);
  expect(suites.cases.map(({ steps }) => steps.map(({ act }) => act.verb))).toEqual([
    ['order'],
    ['order', 'order'],
    ['order', 'http'],
    ['order', 'await'],
  ]);
});

test('a carrier of another interface is run and judged by the same engine', async () => {
  const result = await runShop('sound');
  expect(verdictsOf(result)).toEqual(conforming);
  expect(result.header.interface).toEqual({ id: 'orders', version: '1' });
});

test('a callback with a wrong reference breaks the rule of the callback, and no other', async () => {
  const result = await runShop('wrong', (reference) => `${reference}-wrong`);
  expect(verdictsOf(result)).toEqual({ ...conforming, 'ORD-004': 'fail' });
});
