import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../testing/program/target-file.ts';
import { findFiles } from './suite-files.ts';

test.each([
  ['a file of another name', ['mine.yaml'], /: mine\.yaml is not read, and nothing is/],
  ['another ending', ['mine.suite.yml', 'README.md'], /: mine\.suite\.yml is not read, and nothing is/],
])('a folder with %s alone is a mistake, and no suites without cases', async (_, names, message) => {
  const folder = makeFolder();
  for (const name of names) writeFileSync(join(folder, name), 'suite: Mine\n');
  await expect(findFiles(folder, [])).rejects.toThrow(message);
});
