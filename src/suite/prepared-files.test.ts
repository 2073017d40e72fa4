import { parseYaml } from './yaml/document.ts';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writePacked } from '../lib/package-file.ts';
import { type Json, isList } from '../lib/json.ts';
import type { Path } from './yaml/yaml-tree.ts';
import { findFiles } from './suite-files.ts';
import { openPrepared, recordParsed } from './prepared-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'prepared-'));
afterAll(() => rmSync(folder, { recursive: true }));

function* pathsOf(json: Json, path: Path = []): Generator<Path> {
  yield path;
  if (isList(json)) for (const [at, item] of json.entries()) yield* pathsOf(item, [...path, at]);
  else if (typeof json === 'object' && json !== null)
    for (const [key, member] of Object.entries(json)) yield* pathsOf(member, [...path, key]);
}

const kind = 'suite';

function prepare(texts: readonly string[]) {
  const file = join(folder, 'prepared.json');
  const { parse, packed } = recordParsed();
  for (const text of texts) parse(text, 'written.yaml', kind);
  writePacked(file, packed(null));
  return openPrepared(file).parse;
}

describe('prepared files', () => {
  test('values and keys of the shipped suites stand where the parser sees them', async () => {
    const files = await findFiles('suites', []);
    const texts = files.map(({ path }) => readFileSync(path, 'utf8'));
    const prepared = prepare(texts);
    expect(texts.length).toBeGreaterThan(70);
    for (const text of texts) {
      const [found, parsed] = [prepared(text, 'a.yaml', kind), parseYaml(text, 'a.yaml')];
      expect(found.isChecked).toBe(true);
      expect(found.json).toEqual(parsed.json);
      // Every seventh, because the parser takes long for each.
      const some = [...pathsOf(parsed.json)].filter((_, at) => at % 7 === 0);
      const odd = some.filter(
        (path) =>
          JSON.stringify([found.position(path), found.keyPosition(path)]) !==
          JSON.stringify([parsed.position(path), parsed.keyPosition(path)]),
      );
      expect(odd).toEqual([]);
    }
  });

  test('a text with any other byte, or of another kind, is parsed, and is held against its schema again', () => {
    const prepared = prepare(['a: 1\n']);
    expect(prepared('a: 1\n', 'a.yaml', kind)).toMatchObject({ json: { a: 1 }, isChecked: true });
    for (const [text, as] of [
      ['a: 1 \n', kind],
      ['a: 1\n', 'rules'],
    ] as const) {
      const found = prepared(text, 'a.yaml', as);
      expect(found.json).toEqual({ a: 1 });
      expect(found.isChecked).toBeUndefined();
    }
  });

  test('a path that is not there has the place of the nearest that is', () => {
    const found = prepare(['a:\n  b: 1\n'])('a:\n  b: 1\n', 'a.yaml', kind);
    expect(found.position(['a', 'x', 'y'])).toMatchObject({ line: 2, column: 3 });
    expect(
      found.problem({ code: 'bad-value', message: 'm', position: { file: 'a.yaml', line: 2, column: 3 } }),
    ).toEqual({
      code: 'bad-value',
      message: 'm',
      position: { file: 'a.yaml', line: 2, column: 3 },
      sourceLine: '  b: 1',
    });
  });

  test.each(['not JSON', '[]', '{"format":1,"documents":{}}', '{"format":2}'])('%s prepares nothing', (text) => {
    const file = join(folder, 'odd.json');
    writeFileSync(file, text);
    for (const path of [file, join(folder, 'nowhere.json')]) {
      expect(openPrepared(path).parse('a: 1\n', 'a.yaml', kind).isChecked).toBeUndefined();
    }
  });
});
