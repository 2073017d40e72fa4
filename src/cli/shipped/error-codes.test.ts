import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes } from '../../model/problem.ts';
import { root } from '../../testing/program/spawn-cli.ts';

test('every code of the table is used', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|^testing\b|^model\/problem\.ts$/.test(name),
  );
  const source = files.map((name) => readFileSync(join(root, 'src', name), 'utf8')).join('\n');
  const unused = Object.keys(errorCodes).filter((code) => !source.includes(`'${code}'`));
  expect(unused).toEqual([]);
});
