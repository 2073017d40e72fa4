import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { explainFileError } from './errors.ts';
import { maxBytesText, maxFileBytes, type UserFileKind, openToRead, readUserFile, readUserText } from './read-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'carrierspec-read-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

function refusal(file: string, kind: UserFileKind = 'key'): string {
  try {
    readUserFile(file, kind);
    return 'it was read';
  } catch (cause) {
    return explainFileError('read', cause);
  }
}

test('a file is read whole, whether or not the system knows its size', () => {
  writeFileSync(path('small'), 'é'.repeat(100_000));
  expect(readUserText(path('small'), 'key')).toBe('é'.repeat(100_000));
  writeFileSync(path('empty'), '');
  expect(readUserText(path('empty'), 'key')).toBe('');
});

test.skipIf(process.platform !== 'linux')('a file of the system has no size, and is read', () => {
  expect(readUserText('/proc/self/stat', 'note')).toContain(String(process.pid));
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
    expect(() => openToRead(path('pipe'), 'journal')).toThrow('it is a pipe');
  });
});

test.each(Object.keys(maxFileBytes) as UserFileKind[])('%s: no byte more than its bound', (kind) => {
  writeFileSync(path(kind), '');
  truncateSync(path(kind), maxFileBytes[kind] + 1);
  expect(refusal(path(kind), kind)).toBe(`it is larger than ${maxBytesText(kind)} (${maxFileBytes[kind] + 1} bytes)`);
});

/** Modules that read files themselves, with the reason. Every other file to read is named by a user. */
const readsItself: Readonly<Record<string, string>> = {
  'lib/read-file.ts': 'the one place',
  'lib/package-file.ts': 'what the build wrote',
  'lib/own-file.ts': 'opens what it writes',
  'cli/explain/catalogue.ts': 'what ships',
  'cli/shared/files.ts': 'opens what it writes',
  'journal/journal.ts': 'the journal that it writes',
  'journal/read-entries.ts': 'reads what openToRead has opened',
  'journal/schema.ts': 'what ships',
  'prove/space/draw.ts': 'what ships',
  'prove/space/setup.ts': 'what ships',
  'report/html/assets.ts': 'what ships',
  'setup/build/declarations.ts': 'what the compiler wrote',
  'setup/build/notices.ts': 'packages of the bundle',
  'setup/carrier-positions.ts': 'sources',
  'setup/paths.ts': 'what ships',
  'setup/reference.ts': 'what ships',
  'setup/prepare-build.ts': 'the golden matrix',
  'cli/init/init.ts': 'what ships',
  'wire/receive/receiver.ts': 'what ships',
  'wire/shortage.ts': 'asks whether a file can be opened',
};

test('no other file of the program opens one to read', () => {
  const source = join(import.meta.dirname, '..');
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split('\\').join('/'))
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\/|^carrier\//.test(name))
    .filter((name) => {
      const imports = readFileSync(join(source, name), 'utf8').matchAll(
        /import (\{[^}]*\}|[^{};]*) from 'node:fs(?:\/promises)?'/g,
      );
      return [...imports].some(([, names = '']) =>
        /\*|^\w|\b(?:readFile|readFileSync|createReadStream|open|openSync|openAsBlob|readSync)\b/.test(names),
      );
    });
  expect(found.toSorted()).toEqual(Object.keys(readsItself).toSorted());
});

test('docs/running.md has the bounds', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/running.md'), 'utf8');
  const rows = [...docs.matchAll(/^\| `?([a-z-]+)`? \|[^|]*\| (\d+ [kM]B) \|$/gm)].map(([, kind, bound]) => [
    kind,
    bound,
  ]);
  expect(rows).toEqual((Object.keys(maxFileBytes) as UserFileKind[]).map((kind) => [kind, maxBytesText(kind)]));
});
