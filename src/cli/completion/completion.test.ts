import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { root, spawnCli } from '../../testing/program/spawn-cli.ts';
import { commands } from '../main.ts';
import { completeWords, renderCompletion } from './completion.ts';

const definitions = commands.map(({ definition }) => definition);

const complete = (...words: readonly string[]) => completeWords(words, definitions);

async function valuesOf(...words: readonly string[]): Promise<readonly string[]> {
  return (await complete(...words)).candidates.map(({ value }) => value);
}

describe('completeWords', () => {
  test.each([
    [['ru'], ['run']],
    [['comp'], ['compare', 'completion']],
    [['run', '--fa'], ['--fault']],
    [
      ['run', '--profile', ''],
      ['interface', 'hardened', 'strict'],
    ],
    [['list', '-l', 'req'], ['required']],
    [['run', '--profile=in'], ['interface']],
    [['run', '--fault', 'jti-kept-2-'], ['jti-kept-2-minutes']],
    [['run', '--profile', 'strict', 'req-01'], Array.from({ length: 10 }, (_, digit) => `REQ-01${digit}`)],
    [
      ['plan', 'REQ-015', 'jti-abs'],
      ['jti-absent', 'jti-absent-not-dropped'],
    ],
    [['run', '--without', 'b'], ['baseline']],
    [
      ['run', '--report', 'j'],
      ['json=', 'junit='],
    ],
    [['explain', 'A34'], ['A34']],
    [['explain', 'request_d'], ['request_denied']],
    [['prove', 'jti-kept-2-'], ['jti-kept-2-minutes']],
    [['send', '--subscriber', 'cons'], ['consented']],
    [['send', '--client', 'two'], ['two-keys']],
    [['send', '--tamper', 'payload-byt'], ['payload-byte']],
    [['list', '--kind', 'lim'], ['limit']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['completion', 'bash', ''], []],
    [['nothing', ''], []],
    [['--no'], ['--no-color']],
  ])('%j', async (words, values) => {
    expect(await valuesOf(...words)).toEqual(values);
  });

  test('a flag that was given is offered again only where it can be repeated', async () => {
    const offered = await valuesOf('run', '-t', 'x', '--fault', 'y', '--');
    expect(offered).toContain('--fault');
    expect(offered).toContain('--bail');
    expect(offered).not.toContain('--target');
  });

  test('without a letter there are areas, not a thousand names', async () => {
    const areas = await valuesOf('run', '');
    expect(areas).toContain('request-object');
    expect(areas.length).toBeLessThan(20);
  });

  test('where a file or a folder stands, the shell completes it', async () => {
    expect(await complete('run', '--target', '')).toEqual({ candidates: [], otherwise: 'files' });
    expect((await complete('run', '--suites', '')).otherwise).toBe('folders');
  });
});

test('renderCompletion keeps each candidate on its line', () => {
  const candidates = [{ value: 'a', description: 'one\ntwo' }];
  expect(renderCompletion({ candidates, otherwise: 'files' }).split('\n')).toEqual([
    expect.stringMatching(/^a\t/),
    ':files',
    '',
  ]);
});

describe('the real program', () => {
  test('answers what a script asks', async () => {
    const { code, stdout, stderr } = await spawnCli(['complete', '--', 'run', '--fault', 'jti-kept-2-']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('jti-kept-2-minutes\tA jti is forgotten after 2 minutes.\n:nothing\n');
  });

  test.each([
    ['zsh', /^#compdef carrierspec\n/],
    ['fish', /\ncomplete -c carrierspec/],
  ])('has a script for %s', async (shell, text) => {
    const { code, stdout } = await spawnCli(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toMatch(text);
  });

  test('refuses a shell that it does not know', async () => {
    const stderr = 'carrierspec: completion: "tcsh" is none of bash, zsh, fish\n';
    expect(await spawnCli(['completion', 'tcsh'])).toEqual({ code: 2, stdout: '', stderr });
  });

  test('completes in bash, without the package bash-completion, sourced twice', async () => {
    const program = `"${process.execPath}" "${join(root, 'bin/carrierspec.js')}"`;
    const script = `
      carrierspec() { ${program} "$@"; }
      source <(carrierspec completion bash); source <(carrierspec completion bash)
      ask() {
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
        __carrierspec_complete 2>/dev/null; echo "\${COMPREPLY[*]}"
      }
      ask carrierspec repo
      ask carrierspec run --fault jti-kept-2-
      ask carrierspec explain request_den
      complete -p carrierspec`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '--noprofile', '-c', script]);
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      'report',
      'jti-kept-2-minutes',
      'request_denied',
      'complete -o default -F __carrierspec_complete carrierspec',
      '',
    ]);
  });
});
