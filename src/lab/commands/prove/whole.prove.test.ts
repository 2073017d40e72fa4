import process from 'node:process';
import { expect, test } from 'vitest';
import { faultSubjects } from '../../prove/catalogue.ts';
import { spawnCli } from '../../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../../testing/program/target-file.ts';

const timeLimit = 20 * 60_000;

test('every fault turns the rules that it breaks, in the rows of the golden matrix', {
  timeout: timeLimit,
}, async () => {
  const { code, stdout, stderr } = await spawnCli(['prove', '--out', makeFolder()], { timeLimit });
  process.stdout.write(`${stdout.split('\n').slice(-3).join('\n')}\n`);
  const notes = stdout.split('\n').filter((line) => !/^ {2}killed|^ {16}/.test(line));
  expect(stdout, `${notes.join('\n')}${stderr}`).toContain('Proved: every fault turned exactly the rules');
  expect(stdout).toContain(`${faultSubjects.length} killed`);
  expect(code).toBe(0);
});
