import { testedInterface } from '../testing/parts/tested-interface.ts';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSuiteFolders } from './load.ts';
import { renderProblem } from './yaml/problems.ts';

const root = 'fixtures/broken';
const folders = readdirSync(root).sort();
let shipped = '';

beforeAll(() => {
  shipped = mkdtempSync(join(tmpdir(), 'carrierspec-suites-'));
  cpSync('suites/schema', join(shipped, 'schema'), { recursive: true });
  cpSync('suites/base-request.yaml', join(shipped, 'base-request.yaml'));
  cpSync('suites/steps.yaml', join(shipped, 'steps.yaml'));
});
afterAll(() => rmSync(shipped, { recursive: true }));

/** Problems and warnings of one folder, loaded with the valid rules and cases it refers to. */
async function problemsOf(folder: string) {
  const { problems, warnings } = await loadSuiteFolders({
    dirs: [shipped, ...new Set([join(root, '00-sound'), join(root, folder)])],
    interface: { ...testedInterface, checks: { 'known-check': true } },
    tampers: new Set(['payload-byte', 'no-signature']),
  });
  return [...problems, ...warnings];
}

describe('broken suites', () => {
  test('there are at least 35 of them', () => expect(folders.length).toBeGreaterThanOrEqual(36));

  test('seven mistakes give seven messages', async () => expect(await problemsOf('42-seven-mistakes')).toHaveLength(7));

  test('the sound one has no problems', async () => expect(await problemsOf('00-sound')).toEqual([]));

  test.each(folders.filter((folder) => folder !== '00-sound'))('%s', async (folder) => {
    const rendered = `${(await problemsOf(folder)).map((problem) => renderProblem(problem)).join('\n\n')}\n`;
    const expected = join(root, folder, 'expected.txt');
    if (process.env['WRITE_EXPECTED'] !== undefined) writeFileSync(expected, rendered);
    expect(rendered).toBe(readFileSync(expected, 'utf8'));
  });
});
