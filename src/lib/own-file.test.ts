import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileRefusal } from './errors.ts';
import { openOwnFile, requireOwnPath, replaceOwnFile } from './own-file.ts';

let folder = '';
let victim = '';
let link = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carrierspec-own-'));
  victim = join(folder, 'victim');
  link = join(folder, 'link');
  writeFileSync(victim, 'of the user');
  symlinkSync(victim, link);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('an absent path, a file and a folder are accepted', () => {
  requireOwnPath(join(folder, 'nothing'), 'file');
  requireOwnPath(join(folder, 'nothing'), 'folder');
  requireOwnPath(victim, 'file');
  requireOwnPath(folder, 'folder');
});

test.each([
  ['a link', 'link', 'file'],
  ['a link', 'dangling', 'file'],
  ['a link', 'leading', 'folder'],
  ['a folder', 'below', 'file'],
  ['a file', 'victim', 'folder'],
] as const)('%s is refused: %s as a %3$s', (what, name, kind) => {
  symlinkSync('nowhere', join(folder, 'dangling'));
  symlinkSync('.', join(folder, 'leading'));
  mkdirSync(join(folder, 'below'));
  const refused = (): void => requireOwnPath(join(folder, name), kind);
  expect(refused).toThrow(FileRefusal);
  expect(refused).toThrow(`it is ${what}, and must be a regular ${kind}: remove it`);
});

test('a file behind a link is neither opened nor changed', () => {
  expect(() => openOwnFile(link)).toThrow(FileRefusal);
  expect(readFileSync(victim, 'utf8')).toBe('of the user');
});

test('a link is replaced by a new file, and not followed', () => {
  replaceOwnFile(link, 'ours');
  expect([readFileSync(link, 'utf8'), readFileSync(victim, 'utf8')]).toEqual(['ours', 'of the user']);
});
