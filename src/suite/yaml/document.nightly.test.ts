import process from 'node:process';
import { expect, test } from 'vitest';
import { parseYaml } from './document.ts';

const repeated = (make: (index: number) => string): string => {
  let text = '';
  for (let index = 0; text.length < 7 * 1024 * 1024; index += 1) text += make(index);
  return text;
};
const tooMany = 'more than 2000000 names, values, signs and blanks';

test.each([
  ['keys', repeated((index) => `k${index}: 1\n`), `285715:1 ${tooMany}`],
  ['anchors', repeated((index) => `- &a${index} x\n`), `285715:2 ${tooMany}`],
  ['one sequence', `[${'a, '.repeat(2_500_000)}]`, `1:1500000 ${tooMany}`],
  ['open brackets', '['.repeat(7_000_000), '1:101 nested more than 100 levels deep'],
  ['closing brackets', ']'.repeat(7_000_000), '1:1 this bracket closes nothing'],
  ['documents', '---\n'.repeat(1_800_000), '2:1 a file holds one YAML document'],
  ['escapes that are none', `a: "${'\\q'.repeat(3_500_000)}"`, '1:5 invalid escape sequence \\q'],
])('7 MB of %s end within seconds, with the place', (_, text, expected) => {
  const began = process.cpuUsage();
  const [first] = parseYaml(text, 'x.yaml').problems;
  const { user, system } = process.cpuUsage(began);
  expect(first && `${first.position.line}:${first.position.column} ${first.message}`).toBe(expected);
  expect((user + system) / 1e6).toBeLessThan(5);
});
