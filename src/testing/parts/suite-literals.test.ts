import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isJsonObject, isList, type Json } from '../../lib/json.ts';
import { packageRoot, referenceFolder } from '../../setup/paths.ts';
import { parseYaml } from '../../suite/yaml/document.ts';

/** All texts of a value, in any depth. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** `sp.test` of `https://sp.test/cb`, `sptest` of `sptest://cb`. */
function uriSite(text: string): readonly string[] {
  if (!URL.canParse(text) || !text.includes('://')) return [];
  const { protocol, hostname } = new URL(text);
  return [protocol === 'https:' || protocol === 'http:' ? hostname : protocol.slice(0, -1)];
}

/** Values of a fixture that fit only its own carrier; a word such as `postpaid`, `RS256` or `is_adult_18` is of the interface. */
function literalsOf(fixture: Json | undefined): ReadonlySet<string> {
  const texts = textsIn(fixture).map((text) => text.replace(/^\$\{RECEIVER\}/, ''));
  const own = texts.filter(
    (text) => text.length > 5 && /[\d@,/]|^\w+ \w+$/.test(text) && !/^[a-z]+(_[a-z\d]+)+$/.test(text),
  );
  return new Set([...own, ...texts.flatMap(uriSite)].map((text) => text.toLowerCase()));
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Literals that stand as words in a text. */
function findLiterals(text: string, literals: ReadonlySet<string>): readonly string[] {
  const lower = text.toLowerCase();
  const near = [...literals].filter((word) => lower.includes(word));
  return near.filter((word) => new RegExp(`(?<![\\w.-])${escaped(word)}(?!\\w)`).test(lower));
}

const read = (file: string): Json | undefined => parseYaml(readFileSync(file, 'utf8'), file).json;
const target = read(`${referenceFolder}/carrier.yaml`);
const people = isJsonObject(target) ? target['subscribers'] : undefined;
const literals = literalsOf([read(`${referenceFolder}/registrations.json`) ?? null, people ?? null]);

test.each([
  'client_id: ccid-conftestclient01',
  'kid: conftestkey01',
  'a: "https://SP.test./"',
  'a: "SPTEST:other"',
  'at: "/si/notify"',
  'login_hint: "001010-0000"',
  'mccmnc: "001020"',
  'phone: "+12175550101"',
  'name: Test First',
])('a value of the reference carrier: %s', (line) => expect(findLiterals(line, literals)).not.toEqual([]));

test.each(['country: US', 'a: "{{ client.redirect_uri }}"', 'a: https://crisp.test/', 'alg: RS256'])(
  'a value of any carrier: %s',
  (line) => expect(findLiterals(line, literals)).toEqual([]),
);

test('a case names no value of the reference carrier, because it would fit only that one (P7)', () => {
  const suites = join(packageRoot, 'suites');
  const files = readdirSync(suites, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  const found = files.map((name) => [name, findLiterals(readFileSync(join(suites, name), 'utf8'), literals)] as const);
  expect(found.filter(([, words]) => words.length > 0)).toEqual([]);
});
