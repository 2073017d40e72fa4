import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { shippedSuites } from '../../setup/paths.ts';
import { generatedFiles } from './files.ts';
import { readGround } from './ground.ts';

const ground = await readGround();
const files = generatedFiles(ground);

/** WRITE_GENERATED=1 rewrites them, to be read and committed. */
test.each([...files])('%s is what `npm run generate` writes', (path, text) => {
  const file = join(shippedSuites, path);
  if (process.env['WRITE_GENERATED'] === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

const generated = ground.suites.cases.filter((one) => one.generated === true);

test('the tables do not grow by the cases that are made from them', () => {
  const listed = ground.suites.cases.filter((one) => one.generated !== true);
  const again = generatedFiles({ ...ground, suites: { ...ground.suites, cases: listed } });
  expect([...again]).toEqual([...files]);
  expect(generated.length).toBeGreaterThan(70);
});

test('no generated case has a title of another', () => {
  const titles = generated.map(({ title }) => title);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});
