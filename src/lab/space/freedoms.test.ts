import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { variantNames } from '../catalogue.ts';
import { parseYaml } from '../../suite/yaml/document.ts';
import { loadFreedoms, readFreedoms } from './freedoms.ts';

function loadText(text: string): readonly string[] {
  const file = join(mkdtempSync(join(tmpdir(), 'carrierspec-freedoms-')), 'freedoms.yaml');
  writeFileSync(file, text);
  return loadFreedoms(file, parseYaml).problems.map(({ message, position }) => `${position.line}: ${message}`);
}

const freedom = (choices: string, more = 'clause: "4.2"'): string =>
  `freedoms:\n  - id: one\n    ${more}\n    description: One.\n    choices: ${choices}\n`;

test('there are 150 freedoms and more, and every variant of the reference carrier is a choice', () => {
  const freedoms = readFreedoms();
  expect(freedoms.length).toBeGreaterThanOrEqual(150);
  const chosen = freedoms.flatMap(({ choices }) => choices.flatMap(({ variants = [] }) => variants));
  expect(variantNames().filter((name) => !chosen.includes(name))).toEqual([]);
});

test('a freedom that is right has no problem', () => {
  expect(loadText(freedom('{ plain: {}, late: { policy: { deliveryDelay: 7 } } }'))).toEqual([]);
});

test.each([
  ['a variant that is not there', '{ plain: {}, b: { variants: [slow-answer] } }', /no variant slow-answer; did you/],
  ['a value of the policy that is not there', '{ plain: {}, b: { policy: { speed: 1 } } }', /no policy value speed/],
  ['a value of another type', '{ plain: {}, b: { policy: { deliveryDelay: "7" } } }', /deliveryDelay must be a number/],
  [
    'a check that is not there',
    '{ plain: {}, b: { policy: { refusals: { x: { error: a } } } } }',
    /check or reader is called x/,
  ],
  [
    'an exclusion of nothing',
    '{ plain: {}, b: { target: { proof: jwt }, excludes: { two: why } } }',
    /no freedom and no choice two/,
  ],
  ['one choice', '{ plain: {} }', /two choices or more/],
  [
    'a first choice that is not plain',
    '{ a: { policy: { deliveryDelay: 7 } }, b: { policy: { deliveryDelay: 8 } } }',
    /first choice is the plain/,
  ],
  ['a second plain choice', '{ plain: {}, b: {} }', /says how the carrier differs/],
  ['an unknown word of the setup', '{ plain: {}, b: { setup: { colour: red } } }', /colour/],
  ['an unknown habit', '{ plain: {}, b: { server: { connection: never } } }', /keep, close or short/],
])('%s is refused with its place', (_, choices, message) => {
  const problems = loadText(freedom(choices));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(message);
  expect(problems[0]).toMatch(/^5: /);
});

test('an unknown clause, an id that stands twice and a broken file are refused', () => {
  const fine = '{ plain: {}, late: { policy: { deliveryDelay: 7 } } }';
  expect(loadText(freedom(fine, 'clause: "99"'))).toEqual(['3: the interface has no clause 99']);
  const twice = `${freedom(fine)}${freedom(fine).replace('freedoms:\n', '')}`;
  expect(loadText(twice)).toEqual(['6: there is a freedom one already']);
  const file = join(mkdtempSync(join(tmpdir(), 'carrierspec-freedoms-')), 'freedoms.yaml');
  writeFileSync(file, 'freedoms: 7\n');
  expect(() => readFreedoms(file)).toThrow('the file of freedoms has 1 mistake');
});
