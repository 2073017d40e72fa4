import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { isList } from './cursor.ts';
import { type Path, parseYaml } from './document.ts';
import { findFiles } from '../find-files.ts';
import { openPrepared, packPrepared } from './prepared.ts';

const folder = mkdtempSync(join(tmpdir(), 'prepared-'));
afterAll(() => rmSync(folder, { recursive: true }));

function* pathsOf(json: Json, path: Path = []): Generator<Path> {
  yield path;
  if (isList(json)) for (const [at, item] of json.entries()) yield* pathsOf(item, [...path, at]);
  else if (typeof json === 'object' && json !== null)
    for (const [key, member] of Object.entries(json)) yield* pathsOf(member, [...path, key]);
}

function prepare(texts: readonly string[]) {
  const file = join(folder, 'prepared.json');
  writeFileSync(file, JSON.stringify(packPrepared(texts)));
  return openPrepared(file);
}

describe('prepared files', () => {
  test('every value and key of the shipped suites stands where the parser sees it', async () => {
    const files = await findFiles('suites', []);
    const texts = files.map(({ path }) => readFileSync(path, 'utf8'));
    const prepared = prepare(texts);
    expect(texts.length).toBeGreaterThan(70);
    for (const text of texts) {
      const [found, parsed] = [prepared.find(text, 'a.yaml'), parseYaml(text, 'a.yaml')];
      expect(found?.json).toEqual(parsed.json);
      const odd = [...pathsOf(parsed.json)].filter(
        (path) =>
          JSON.stringify([found?.position(path), found?.keyPosition(path)]) !==
          JSON.stringify([parsed.position(path), parsed.keyPosition(path)]),
      );
      expect(odd).toEqual([]);
    }
  });

  test('a text with any other byte is not found, nor is one with a mistake', () => {
    const prepared = prepare(['a: 1\n', 'a: [1\n', 'a: 1\na: 2\n']);
    expect(prepared.find('a: 1\n', 'a.yaml')?.json).toEqual({ a: 1 });
    expect(prepared.find('a: 1 \n', 'a.yaml')).toBeUndefined();
    expect(prepared.find('a: [1\n', 'a.yaml')).toBeUndefined();
    expect(prepared.find('a: 1\na: 2\n', 'a.yaml')).toBeUndefined();
  });

  test('a path that is not there has the place of the nearest that is', () => {
    const found = prepare(['a:\n  b: 1\n']).find('a:\n  b: 1\n', 'a.yaml');
    expect(found?.position(['a', 'x', 'y'])).toMatchObject({ line: 2, column: 3 });
    expect(
      found?.problem({ code: 'bad-value', message: 'm', position: { file: 'a.yaml', line: 2, column: 3 } }),
    ).toEqual({
      code: 'bad-value',
      message: 'm',
      position: { file: 'a.yaml', line: 2, column: 3 },
      sourceLine: '  b: 1',
    });
  });

  test.each(['not JSON', '[]', '{"format":0,"documents":{}}', '{"format":1}'])('%s prepares nothing', (text) => {
    const file = join(folder, 'odd.json');
    writeFileSync(file, text);
    expect(openPrepared(file).find('a: 1\n', 'a.yaml')).toBeUndefined();
    expect(openPrepared(join(folder, 'nowhere.json')).find('a: 1\n', 'a.yaml')).toBeUndefined();
  });
});
