import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { locateDuplicateMember } from './duplicate-member.ts';

const folder = mkdtempSync(join(tmpdir(), 'duplicate-member-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['none', '{"a":1,"b":{"a":[2,"a","a"]}}', undefined],
  ['at the top', '{"a":1,"b":2,"a":3}', 'a'],
  ['in an item', '{"x":[{"v":1},{"v":1,"v":2}]}', 'x.1.v'],
  ['a letter that is escaped', String.raw`{"v":1,"\u0076":2}`, 'v'],
  ['after a string that ends in a backslash', String.raw`{"a":"\\","a":1}`, 'a'],
  ['after a string that ends in a bracket', '{"a":"[","b":"]","a":1}', 'a'],
  ['none but in a string, behind an escaped quote', String.raw`{"a":"\",\"a\":\"","b":1}`, undefined],
])('a duplicate member: %s', (_, text, path) => {
  const file = join(folder, 'result.json');
  writeFileSync(file, text);
  expect(locateDuplicateMember(file)).toBe(path);
});
