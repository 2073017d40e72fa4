import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { openRewritingProxy } from '../../testing/carriers/rewriting-proxy.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTarget,
} from '../../testing/program/target-file.ts';

let carrier: SpawnedCarrier;
beforeAll(async () => {
  carrier = await startCarrier(['--clock', 'virtual']);
});
afterAll(() => stopCarrier(carrier));

const verdictOf = (out: string, rule: string) =>
  readResult(join(out, 'result.json')).result.rules.find(({ id }) => id === rule);

describe('an id token that no published key can verify', () => {
  let keys: Awaited<ReturnType<typeof openRewritingProxy>>;
  let target: string;
  beforeAll(async () => {
    const body = Buffer.from('{"keys":[]}');
    keys = await openRewritingProxy('http://127.0.0.1:9', {
      instead: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body }),
    });
    const endpoints = { jwks: `${keys.origin}/jwks` };
    target = writeTarget((given) => ({ ...given, endpoints, origins: [keys.origin] }));
  });
  afterAll(() => keys.close());

  test.each([['id-token-verifies'], ['SEC-31'], ['baseline/issued-tokens']])(
    'is open, not a pass, in a run of %s',
    { timeout: 100_000 },
    async (what) => {
      const out = makeFolder();
      const { code, stderr } = await runCli(['run', what, '--target', target, '--out', out], { env: carrier.env });
      expect(code, stderr).toBe(4);
      expect(verdictOf(out, 'SEC-31')?.verdict).toBe('inconclusive');
    },
  );

  test('is open in parts too, and when they are merged', { timeout: 150_000 }, async () => {
    const parts = [makeFolder(), makeFolder()];
    for (const [at, out] of parts.entries()) {
      const what = ['id-token-verifies', 'success-callback-members', '--shard', `${at + 1}/2`];
      await runCli(['run', ...what, '--target', target, '--out', out], { env: carrier.env });
    }
    const out = makeFolder();
    const files = parts.map((part) => join(part, 'result.json'));
    const { code, stderr } = await runCli(['merge', ...files, '--out', out]);
    expect(code, stderr).toBe(4);
    expect(verdictOf(out, 'SEC-31')?.verdict).toBe('inconclusive');
  });
});

describe('what is judged beside a case does not depend on its name', () => {
  test.each([['success-is-200-without-location'], ['server-initiated/transport'], ['TRN-014'], ['server-initiated']])(
    'in a run of %s',
    { timeout: 100_000 },
    async (what) => {
      const out = makeFolder();
      const { code } = await runCli(['run', what, '--fault', 'auth-req-id-of-201', '--out', out]);
      expect(code).toBe(1);
    },
  );

  test('nor does a case on a clean carrier lack a verdict for it', { timeout: 100_000 }, async () => {
    const out = makeFolder();
    const { code, stderr } = await runCli(['run', 'id-token-verifies', '--out', out]);
    expect(code, stderr).toBe(0);
    expect(verdictOf(out, 'SEC-31')?.verdict).toBe('pass');
  });
});
