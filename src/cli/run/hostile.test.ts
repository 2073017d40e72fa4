import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startHostileCarrier } from '../../testing/hostile-proxy/hostile-carrier.ts';
import { measureRun } from '../../testing/hostile-proxy/measured-run.ts';
import { root } from '../../testing/program/spawn-cli.ts';

const carrier = await startHostileCarrier();
afterAll(() => carrier.close());

const target = join(root, 'fixtures/reference/carrier.yaml');
const what = [
  'iat-absent',
  'iat-young',
  'exp-near',
  'name-with-level',
  'tenure-never-consented',
  '--keep-going',
  '--target',
  target,
];

/** One mode of each kind of broken or odd answer; `npm run soak` tries them all. */
test.each([
  { mode: undefined, codes: [0] },
  { mode: 'one-byte-pieces', codes: [0] },
  { mode: 'utf8-invalid', codes: [1] },
  { mode: 'gzip-not', codes: [1] },
  { mode: 'lone-surrogates', codes: [1] },
  { mode: 'gzip-bomb', codes: [1] },
  { mode: 'json-closed-deep', codes: [1] },
])('answers altered by $mode', { timeout: 60_000 }, async ({ mode, codes }) => {
  carrier.proxy.misbehave(mode);
  const { code, stderr, megabytes, mebibytes } = await measureRun(what, carrier.env, 50_000);
  expect(codes, stderr).toContain(code);
  expect(megabytes).toBeLessThan(30);
  expect(mebibytes).toBeLessThan(300);
});
