import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnCli } from '../../testing/spawn-cli.ts';

interface RuleVerdict {
  readonly id: string;
  readonly verdict: string;
}

/** The areas of the server-initiated flow: what their rules say of these defects. */
const areas = ['server-initiated', 'request-object', 'callback'];
const folder = mkdtempSync(join(tmpdir(), 'one-defect-'));

async function verdicts(fault: string | undefined): Promise<{ code: number | null; rules: readonly RuleVerdict[] }> {
  const out = join(folder, fault ?? 'clean');
  const given = fault === undefined ? [] : ['--fault', fault];
  const { code } = await spawnCli(['run', ...areas, '--out', out, ...given], { timeLimit: 100_000 });
  const result = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as { rules: readonly RuleVerdict[] };
  return { code, rules: result.rules };
}

/** Each carrier has one defect, and the whole of what must turn, with every case of the areas: `prove` runs all faults, with fewer cases. Two of different kinds: each costs ten seconds. */
const carriers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'context-escapes-not-counted': { 'REQ-077': 'fail' },
  // A forged request object that is taken uses up its jti: whether it would otherwise is not seen (P2).
  'signature-not-verified': { 'HDR-008': 'fail', 'REQ-015': 'inconclusive' },
};

describe('a carrier with one defect', () => {
  let clean: ReadonlyMap<string, string>;
  beforeAll(async () => {
    const { code, rules } = await verdicts(undefined);
    expect(code).toBe(0);
    clean = new Map(rules.map(({ id, verdict }) => [id, verdict]));
    expect([...clean.values()].filter((verdict) => verdict === 'fail' || verdict === 'warn')).toEqual([]);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.entries(carriers))(
    '%s turns exactly its rules',
    async (fault, expected) => {
      const { code, rules } = await verdicts(fault);
      const turned = rules.filter(({ id, verdict }) => verdict !== clean.get(id));
      expect(Object.fromEntries(turned.map(({ id, verdict }) => [id, verdict]))).toEqual(expected);
      expect(code).toBe(Object.values(expected).includes('fail') ? 1 : 0);
    },
    120_000,
  );
});
