import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { explainFileError } from './errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'carrierspec-errors-'));
afterAll(() => rmSync(folder, { recursive: true }));

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('whyNot', () => {
  const nowhere = join(folder, 'nowhere');
  writeFileSync(join(folder, 'file'), '');

  test.each([
    ['there is no such file', 'read', () => readFileSync(nowhere)],
    ['there is no such folder', 'write', () => writeFileSync(join(nowhere, 'x'), '')],
    ['it is a folder', 'read', () => readFileSync(folder)],
    ['a part of the path is no folder', 'read', () => readFileSync(join(folder, 'file', 'x'))],
    ['a part of the path is no folder', 'read', () => readdirSync(join(folder, 'file'))],
    ['the name is too long', 'write', () => writeFileSync(join(folder, 'x'.repeat(300)), '')],
  ] as const)('%s', (words, tried, work) => expect(explainFileError(tried, thrownBy(work))).toBe(words));

  test.each([
    ['EACCES', 'run', 'this user may not run it'],
    ['ENOENT', 'run', 'there is no such program'],
    ['EUNHEARDOF', 'read', 'EUNHEARDOF'],
  ] as const)('%s where it is to be %s', (code, tried, words) =>
    expect(explainFileError(tried, Object.assign(new Error(code), { code }))).toBe(words),
  );
});
