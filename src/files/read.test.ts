import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { refusalReason } from './file-error.ts';
import { loadDefault } from './load-module.ts';
import { listBelow, listFolder } from './look.ts';
import {
  maxBytesText,
  maxFileBytes,
  openInput,
  readBytes,
  readText,
  readTextByKind,
  requireReadable,
  type UserFileKind,
} from './read.ts';

const folder = mkdtempSync(join(tmpdir(), 'carrierspec-read-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

function refusal(file: string, kind: UserFileKind = 'key'): string {
  try {
    readBytes(file, kind);
    return 'it was read';
  } catch (cause) {
    return refusalReason(cause);
  }
}

test('a file is read whole, whether or not the system knows its size', () => {
  writeFileSync(path('small'), 'é'.repeat(100_000));
  expect(readText(path('small'), 'key')).toBe('é'.repeat(100_000));
  writeFileSync(path('empty'), '');
  expect(readText(path('empty'), 'key')).toBe('');
});

test.skipIf(process.platform !== 'linux')('a file of the system has no size, and is read', () => {
  expect(readText('/proc/self/stat', 'note')).toContain(String(process.pid));
  expect(refusal('/proc/kallsyms', 'credential')).toMatch(/^it is larger than 64 kB$|may not read/);
});

describe.skipIf(process.platform === 'win32')('what is no regular file is refused at once', () => {
  test('a pipe, a device, a folder, a socket', async () => {
    execFileSync('mkfifo', [path('pipe')]);
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(path('socket'), resolve));
    expect(
      [path('pipe'), '/dev/zero', '/dev/null', folder, path('socket'), path('none')].map((one) => refusal(one)),
    ).toEqual([
      'it is a pipe, and no regular file',
      'it is a device, and no regular file',
      'it is a device, and no regular file',
      'it is a folder',
      'it is a socket or a device, and no regular file',
      'there is no such file',
    ]);
    server.close();
    for (const read of [openInput, requireReadable, readText])
      expect(() => {
        read(path('pipe'), 'journal');
      }).toThrow(`${path('pipe')} cannot be read: it is a pipe`);
  });

  test('a module is not loaded from it', async () => {
    execFileSync('mkfifo', [path('pipe.js')]);
    symlinkSync('loop.js', path('loop.js'));
    const loaded = ['pipe.js', '/dev/zero', 'loop.js', 'none.js', '.'].map((name) =>
      loadDefault(name.startsWith('/') ? name : path(name)),
    );
    expect(await Promise.all(loaded)).toEqual([
      { why: 'it is a pipe, and no regular file' },
      { why: 'it is a device, and no regular file' },
      { why: 'its links lead in a circle' },
      { why: 'there is no such file' },
      { why: 'it is a folder' },
    ]);
  });
});

test('a text is UTF-8, with or without a byte order mark; for decode, other bytes are shown as U+FFFD', () => {
  writeFileSync(path('marked'), '\uFEFF{}');
  expect(readText(path('marked'), 'key')).toBe('{}');
  writeFileSync(path('latin'), Buffer.from([0x61, 0xe9]));
  expect(() => readText(path('latin'), 'key')).toThrow(
    expect.objectContaining({ code: 'key-unusable', message: `${path('latin')} cannot be read: it is not UTF-8` }),
  );
  expect(readTextByKind(path('latin'), () => 'message', 'har')).toBe('a\uFFFD');
});

test('a folder is listed without end neither for links in a circle nor for two to the same', async () => {
  const below = mkdtempSync(join(folder, 'listed-'));
  writeFileSync(join(below, 'a.yaml'), '');
  for (const name of ['x', 'y']) symlinkSync('.', join(below, name));
  symlinkSync('loop', join(below, 'loop'));
  symlinkSync(join(below, 'a.yaml'), join(below, 'b.yaml'));
  expect(await listBelow(below)).toEqual(['a.yaml', 'b.yaml', 'loop']);
  expect(() => listFolder(join(below, 'loop'))).toThrow('its links lead in a circle');
});

test.each(Object.keys(maxFileBytes) as UserFileKind[])('%s: no byte more than its bound', (kind) => {
  writeFileSync(path(kind), '');
  truncateSync(path(kind), maxFileBytes[kind] + 1);
  expect(refusal(path(kind), kind)).toBe(`it is larger than ${maxBytesText(kind)} (${maxFileBytes[kind] + 1} bytes)`);
});

test('docs/running.md has the bounds', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/running.md'), 'utf8');
  const rows = [...docs.matchAll(/^\| `?([a-z-]+)`? \|[^|]*\| (\d+ [kM]B) \|$/gm)].map(([, kind, bound]) => [
    kind,
    bound,
  ]);
  expect(rows).toEqual((Object.keys(maxFileBytes) as UserFileKind[]).map((kind) => [kind, maxBytesText(kind)]));
});
