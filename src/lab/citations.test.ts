import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultCatalogue, variants } from './catalogue.ts';
import { isJsonObject, type Json } from '../lib/json.ts';
import { parseYaml } from '../suite/yaml/document.ts';
import { packageRoot } from '../setup/paths.ts';

/** `P1`, `C2.13`, wherever it stands. */
const ids = /\b(?:P\d{1,2}|C\d{1,2}\.\d+)\b/g;
const idsIn = (text: string): readonly string[] => [...text.matchAll(ids)].map(([id]) => id);

const readText = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

/** Ids defined in suites/decisions.md: each begins a table row. */
const known = [...readText('suites/decisions.md').matchAll(/^\| (P\d{1,2}|C\d{1,2}\.\d+) \|/gm)].map(
  ([, id]) => id ?? '',
);

const filesOf = (folder: string, ends: string): readonly string[] =>
  existsSync(join(packageRoot, folder))
    ? readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith(ends))
        .map((name) => join(folder, name))
    : [];

/** Texts under these keys, at any depth. */
function textsUnder(value: Json, keys: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: Json) => textsUnder(one, keys));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    keys.includes(key) ? [JSON.stringify(one)] : textsUnder(one, keys),
  );
}

/** Cases, invariants and freedoms have `cites`; a rule may also cite in its interpretation. */
const cited = [...filesOf('suites', '.yaml'), ...filesOf('fixtures/space', '.yaml')].flatMap((path) => {
  const { json } = parseYaml(readText(path), path);
  return textsUnder(json, ['cites', 'interpretation']).flatMap((text) => idsIn(text).map((id) => ({ id, path })));
});
const byCarrier = [...faultCatalogue, ...variants].flatMap(({ name, description }) =>
  idsIn(description).map((id) => ({ id, path: name })),
);
/** Report tests check the wording of findings; engine tests check the judgement of a run. */
const byTests = filesOf('src', '.test.ts')
  .filter((path) => !path.endsWith('citations.test.ts'))
  .flatMap((path) =>
    idsIn(readText(path))
      .filter((id) => /^(?:C5\.|P)/.test(id))
      .map((id) => ({ id, path })),
  );

const all = [...cited, ...byCarrier, ...byTests];

describe('principles and decisions', () => {
  test('are there', () => expect(known.length).toBeGreaterThan(80));

  test('each is cited', () => {
    const found = new Set(all.map(({ id }) => id));
    expect(known.filter((id) => !found.has(id))).toEqual([]);
  });

  test('nothing cites what is none', () =>
    expect(all.filter(({ id }) => !known.includes(id)).map(({ id, path }) => `${path}: ${id}`)).toEqual([]));
});
