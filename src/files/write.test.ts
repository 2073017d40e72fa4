import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileError } from './file-error.ts';
import { makeFolders } from './folder.ts';
import { openOwnFile } from './own-file.ts';
import {
  appendText,
  createFile,
  createWhole,
  ownPath,
  replaceFile,
  replaceLink,
  requireOwnPath,
  writeGiven,
} from './write.ts';

let folder = '';
let victim = '';
let link = '';
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carrierspec-own-'));
  victim = at('victim');
  link = at('link');
  writeFileSync(victim, 'of the user');
  symlinkSync(victim, link);
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('a path of ours', () => {
  test('an absent path, a file and a folder are accepted', () => {
    requireOwnPath(at('nothing'), 'file');
    requireOwnPath(at('nothing'), 'folder');
    requireOwnPath(victim, 'file');
    requireOwnPath(folder, 'folder');
    expect(ownPath(folder, 'of/no/one')).toBe(at('of/no/one'));
  });

  test.each([
    ['a link', 'link', 'file'],
    ['a link', 'dangling', 'file'],
    ['a link', 'loop', 'file'],
    ['a link', 'leading', 'folder'],
    ['a folder', 'below', 'file'],
    ['a file', 'victim', 'folder'],
    ['a pipe', 'pipe', 'file'],
  ] as const)('%s is refused: %s as a %3$s', (what, name, kind) => {
    symlinkSync('nowhere', at('dangling'));
    symlinkSync('loop', at('loop'));
    symlinkSync('.', at('leading'));
    mkdirSync(at('below'));
    execFileSync('mkfifo', [at('pipe')]);
    const refused = (): void => requireOwnPath(at(name), kind);
    expect(refused).toThrow(FileError);
    expect(refused).toThrow(`${at(name)} cannot be written: it is ${what}, and must be a regular ${kind}: remove it`);
  });

  test('a link anywhere below the folder is refused, and the folder itself may be one', () => {
    symlinkSync('.', at('leading'));
    expect(() => ownPath(folder, 'leading/new')).toThrow(`${at('leading')} cannot be written: it is a link`);
    expect(() => ownPath(folder, 'link')).toThrow('it is a link');
    expect(ownPath(at('leading'), 'new')).toBe(at('leading/new'));
  });
});

describe('nothing behind a link is changed', () => {
  test.each([
    ['replaceFile', (path: string) => replaceFile(path, ['ours'])],
    ['appendText', (path: string) => appendText(path, 'ours')],
    ['createFile', (path: string) => createFile(path, 'ours')],
    ['openOwnFile', (path: string) => openOwnFile(path)],
  ] as const)('by %s', (_, write) => {
    symlinkSync('nowhere', at('dangling'));
    for (const path of [link, at('dangling')]) expect(() => write(path)).toThrow(FileError);
    expect([readFileSync(victim, 'utf8'), existsSync(at('nowhere'))]).toEqual(['of the user', false]);
    expect(readdirSync(folder).toSorted()).toEqual(['dangling', 'link', 'victim']);
  });

  test('by createWhole, for which it is taken, nor by the draft of it or of replaceFile', () => {
    const draft = `${at('new')}.${process.pid}.tmp`;
    symlinkSync(victim, draft);
    expect(createWhole(link, 'ours')).toBe(false);
    expect(createWhole(at('new'), 'ours')).toBe(true);
    symlinkSync(victim, draft);
    replaceFile(at('new'), ['again']);
    expect([readFileSync(at('new'), 'utf8'), readFileSync(victim, 'utf8')]).toEqual(['again', 'of the user']);
  });

  test('by replaceLink, which replaces the link', () => {
    replaceLink(link, 'other');
    expect([readlinkSync(link), readFileSync(victim, 'utf8')]).toEqual(['other', 'of the user']);
  });
});

describe('a file is written whole or not at all', () => {
  function* failing(): Iterable<string> {
    yield 'half';
    throw new Error('no more');
  }

  test.each([
    ['of ours', replaceFile],
    ['of a user', writeGiven],
  ] as const)('%s', (_, write) => {
    expect(() => write(victim, failing())).toThrow('no more');
    expect(readFileSync(victim, 'utf8')).toBe('of the user');
    write(victim, ['a', 'b']);
    expect(readFileSync(victim, 'utf8')).toBe('ab');
    expect(readdirSync(folder).toSorted()).toEqual(['link', 'victim']);
  });

  test('of a user, behind a link, which stays', () => {
    writeGiven(link, ['new']);
    expect([readlinkSync(link), readFileSync(victim, 'utf8')]).toEqual([victim, 'new']);
  });

  test('to a pipe, if something reads from it soon', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const reader = spawn('sh', ['-c', `sleep 0.3; cat ${at('pipe')}`], { stdio: ['ignore', 'pipe', 'ignore'] });
    writeGiven(at('pipe'), ['through']);
    const read: string[] = [];
    for await (const part of reader.stdout.setEncoding('utf8')) read.push(String(part));
    expect(read.join('')).toBe('through');
  });

  test('to a pipe that nothing reads from: not at all, and not for ever', () => {
    execFileSync('mkfifo', [at('pipe')]);
    expect(() => writeGiven(at('pipe'), ['lost'])).toThrow(
      `${at('pipe')} cannot be written: it is a pipe that nothing reads from`,
    );
  });
});

test('the umask grants nothing to others: files are 0644 and folders 0755', () => {
  const umask = process.umask(0);
  try {
    replaceFile(at('replaced'), ['x']);
    writeGiven(at('given'), ['x']);
    createFile(at('created'), 'x');
    createFile(at('key'), 'x', 0o600);
    createWhole(at('lock'), 'x');
    appendText(at('log'), 'x');
    openOwnFile(at('journal')).close();
    makeFolders(at('one/two'));
  } finally {
    process.umask(umask);
  }
  const modes = ['replaced', 'given', 'created', 'lock', 'log', 'journal', 'key', 'one', 'one/two'].map((name) =>
    modeOf(at(name)),
  );
  expect(modes).toEqual(['644', '644', '644', '644', '644', '644', '600', '755', '755']);
});

test('a journal is read back, and a failed append leaves what was there', () => {
  const own = openOwnFile(at('journal'));
  own.append(Buffer.from('one\n'), 0);
  own.append(Buffer.from('two\n'), 4);
  own.sync();
  expect(own.at(4, 100).toString()).toBe('two\n');
  own.close();
  expect(() => own.append(Buffer.from('three\n'), 8)).toThrow(FileError);
  expect(readFileSync(at('journal'), 'utf8')).toBe('one\ntwo\n');
});
