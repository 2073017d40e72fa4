import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { faultSubjects, isRedVerdict } from '../../prove/catalogue.ts';
import { parseProofMatrix } from '../../prove/matrix.ts';
import { spawnCli } from '../../../testing/program/spawn-cli.ts';

const golden = parseProofMatrix(readFileSync('fixtures/prove/matrix.json', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'warnings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const turnedBy = (name: string) => Object.values(golden.get(name)?.turned ?? {});

/** Faults with only warnings in the golden matrix. */
const warning = faultSubjects.filter(({ name }) => {
  const red = turnedBy(name).filter((verdict) => isRedVerdict(verdict));
  return red.length > 0 && red.every((verdict) => verdict === 'warn');
});

/** Sends nothing to an endpoint on another site until the operator lists its origin (SEC-51). */
const elsewhere: ReadonlySet<string> = new Set([
  'discovery-jwks-uri-of-another-site',
  'discovery-token-endpoint-of-another-site',
  'discovery-usertrait-of-a-metadata-service',
]);

describe('what only warns takes no verdict (P10, C7.13)', () => {
  it('leaves no rule without a verdict', () => {
    expect(warning.length).toBeGreaterThan(50);
    const taking = warning.filter(({ name }) => turnedBy(name).includes('inconclusive'));
    expect(taking.map(({ name }) => name).filter((name) => !elsewhere.has(name))).toEqual([]);
  });

  it('leaves a carrier with many such deviations conformant', async () => {
    const faults = [
      'absent-members-empty',
      'event-retried-once',
      'expires-in-with-blanks',
      'iat-window-4-minutes',
      'tenure-as-boolean',
      'times-out-silently',
    ];
    const out = join(folder, 'many');
    const named = faults.flatMap((name) => ['--fault', name]);
    const { code, stdout } = await spawnCli(['run', ...named, '--out', out], { timeLimit: 280_000 });
    const { rules } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as {
      readonly rules: readonly { readonly id: string; readonly level: string; readonly verdict: string }[];
    };
    const others = rules.filter(
      ({ level, verdict }) => level === 'required' && (verdict === 'fail' || verdict === 'inconclusive'),
    );
    expect(others.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([]);
    expect(rules.filter(({ verdict }) => verdict === 'warn').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['CB-019', 'EVT-013', 'FLOW-013', 'REQ-009', 'RSP-005', 'UT-014']),
    );
    expect(stdout).toContain('exit code 0');
    expect(code).toBe(0);
  }, 300_000);
});
