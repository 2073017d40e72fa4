import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject, parseJson, renderPlain } from '../../../lib/json.ts';
import { runCli } from '../../../testing/program/run-cli.ts';
import { type ProcessResult, startCli } from '../../../testing/program/spawn-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTarget,
} from '../../../testing/program/target-file.ts';

const timeLimit = 120_000;
const explore = (...args: readonly string[]) => runCli(['explore', ...args], { timeLimit });

describe('carrierspec explore', () => {
  describe('at the reference carrier, with a budget of requests of every kind', () => {
    const out = makeFolder();
    let ended: ProcessResult | undefined;
    beforeAll(async () => {
      const old = { format: 'carrierspec-explore', findings: [{ id: 'explored-req-022-1' }, { id: '../kept' }] };
      writeFileSync(join(out, 'explore.json'), JSON.stringify(old));
      writeFileSync(join(out, 'explored-req-022-1.suite.yaml'), 'suite: Old\n');
      writeFileSync(join(out, 'mine.suite.yaml'), 'suite: Mine\n');
      ended = await explore('--seed', '11', '--requests', '60', '--out', out);
    }, timeLimit);

    it('finds nothing', () => {
      expect(ended?.stdout).toMatch(
        /Seed 11: \d+ request objects in [\d.]+ s \(\d+ values, [^)]*windows[^)]*\)\.\nNothing was found\.\n$/,
      );
      expect(ended?.code, ended?.stderr).toBe(0);
    });

    it('writes its report, and takes the findings of an earlier exploration out of its folder', () => {
      expect(readdirSync(out).toSorted()).toEqual(['explore.json', 'mine.suite.yaml']);
    });
  });

  describe('at a carrier that is there once, and whose receiver has a fixed port', () => {
    const flags = ['--seed', '1', '--only', 'values'];
    const out = makeFolder();
    const reportIn = (folder: string) => parseJson(readFileSync(join(folder, 'explore.json'), 'utf8'));
    const rulesIn = (folder: string): readonly string[] => {
      const report = reportIn(folder);
      const findings = isJsonObject(report) && Array.isArray(report['findings']) ? report['findings'] : [];
      return findings.map((one) => (isJsonObject(one) ? renderPlain(one['rule']) : '')).toSorted();
    };
    const target = ['--target', writeTarget((given) => given)];
    let carrier: SpawnedCarrier | undefined;
    let whole: ProcessResult | undefined;
    const again = (...args: readonly string[]) => runCli([...args, ...target], { env: carrier?.env ?? {}, timeLimit });
    beforeAll(async () => {
      carrier = await startCarrier(['--clock', 'virtual', '--fault', 'local-redirect-calls-back-at-the-first-uri']);
      whole = await again('explore', ...flags, '--requests', '400', '--out', out);
    }, timeLimit);
    afterAll(async () => {
      if (carrier !== undefined) await stopCarrier(carrier);
    });

    it('goes on after a stretch that showed something, one attempt at a time', () => {
      expect(whole?.code, whole?.stderr).toBe(1);
      expect(reportIn(out)).toMatchObject({ stopped: null, endedBy: null });
      expect(rulesIn(out)).not.toEqual([]);
      // Only the rules that the fault breaks.
      expect(rulesIn(out).filter((rule) => !['CB-001', 'CB-024'].includes(rule))).toEqual([]);
      const [, sent = ''] = /Seed 1: (\d+) request objects/.exec(whole?.stdout ?? '') ?? [];
      expect(Number(sent)).toBeGreaterThan(350);
    });

    it('keeps what it found when it is killed, and goes on from there with --resume', {
      timeout: 3 * timeLimit,
    }, async () => {
      const folder = makeFolder();
      const asked = ['explore', ...flags, '--requests', '400', '--out', folder];
      const running = startCli([...asked, ...target], { env: carrier?.env ?? {}, timeLimit: 2 * timeLimit });
      await running.stderr(/ [1-9]\d* finding/);
      running.kill();
      await running.ended;
      expect(reportIn(folder)).toMatchObject({ endedBy: 'cut-off' });
      expect(readdirSync(folder).filter((name) => name.endsWith('.suite.yaml'))).not.toEqual([]);
      const { code, stdout, stderr } = await again(...asked, '--resume');
      expect(code, stderr).toBe(1);
      expect(reportIn(folder)).toMatchObject({ endedBy: null });
      const counted = (text = ''): unknown => /^Seed 1: \d+ request objects|\(.*\)\.$/gm.exec(text)?.[0];
      expect(counted(stdout)).toBe(counted(whole?.stdout));
      expect(rulesIn(folder)).toEqual(rulesIn(out));
      const other = await again(...asked, '--resume', '--pushes', '99');
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('has another pushes; give the same')]);
    });
  });
});
