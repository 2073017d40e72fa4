import { expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

test('--bail and the counter hear of an invariant as soon as a message breaks it', async () => {
  const args = ['run', 'callback', '--fault', 'callback-without-bearer'];
  const { code, stdout, stderr } = await runCli([...args, '--bail', '--out', makeFolder()]);
  expect(code).toBe(1);
  const [first = ''] = stderr.split('\n');
  expect(first).toMatch(/^fail CB-004 callback-bearer in \S+: /);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/stopped after the first failure, callback-bearer in \S+ \(--bail\)/);
  const whole = await runCli([...args, '--out', makeFolder()]);
  const [head = '', ...rest] = whole.stderr.split('\n');
  expect(head).toMatch(/^fail CB-004 callback-bearer in /);
  expect(rest.find((line) => line.includes('%'))).toMatch(/ cases, [1-9]\d* failures?/);
});
