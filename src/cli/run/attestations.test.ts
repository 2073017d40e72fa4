import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTarget,
} from '../../testing/program/target-file.ts';

const valid = { by: 'test lab', on: '2026-11-01', description: 'They answer 403.', evidence: 'req-060.pdf' };

let carrier: SpawnedCarrier;
beforeAll(async () => {
  carrier = await startCarrier(['--clock', 'virtual']);
});
afterAll(() => stopCarrier(carrier));

function targetWith(attestations: Json): string {
  const file = writeTarget((target) => ({ ...target, attestations }));
  writeFileSync(join(dirname(file), 'req-060.pdf'), 'a photograph of three answers');
  return file;
}

describe('attestations', () => {
  test('are a verdict of their own, which no score counts', async () => {
    const out = makeFolder();
    const target = targetWith({ 'REQ-060': valid });
    const selected = ['run', 'REQ-014', 'REQ-060', 'REQ-083', '--target', target, '--out', out];
    const { code, stdout, stderr } = await runCli(selected, { env: carrier.env });
    expect(stderr).not.toContain('carrierspec:');
    expect(code).toBe(0);
    expect(stdout).toContain('Attested  1 rule by the operator, counted as no pass');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('REQ-060 test lab attests it on 2026-11-01: They answer 403.');
    const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    const rules = isJsonObject(result) && Array.isArray(result['rules']) ? result['rules'].filter(isJsonObject) : [];
    expect(rules.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['REQ-014', 'pass'],
      ['REQ-060', 'attested'],
      ['REQ-083', 'not-run'],
    ]);
    expect(result).toMatchObject({ footer: { score: { required: { conforming: 1, judged: 1, applicable: 3 } } } });
  });

  test.each([['check'], ['run']])(
    '%s refuses those of rules that a black box sees, with their place',
    async (command) => {
      const attestations = { 'REQ-006': valid, 'REQ-0600': valid, 'REQ-060': valid };
      const { code, stderr } = await runCli([command, '--target', targetWith(attestations)], { env: carrier.env });
      expect(code).toBe(2);
      expect(stderr).toMatch(/carrier\.yaml:\d+:5: REQ-006 is judged by cases, so it cannot be attested\n/);
      expect(stderr).toMatch(
        /carrier\.yaml:\d+:5: there is no rule REQ-0600\n.*"REQ-0600": \{\n.*\n.*did you mean "REQ-060"\?/,
      );
      expect(stderr).toMatch(/carrierspec: the target file .* has 2 mistakes\n$/);
    },
  );
});
