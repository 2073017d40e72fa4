import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
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
    [['comp'], ['completion', 'compare']],
    [['run', '--fa'], ['--fault']],
    [
      ['run', '--profile', ''],
      ['interface', 'hardened', 'strict'],
    ],
    [['list', '-l', 'req'], ['required']],
    [['run', '--profile=in'], ['interface']],
    [['run', '--fault', 'jti-kept-2-'], ['jti-kept-2-minutes']],
    [['run', '--profile', 'strict', 'evt-01'], Array.from({ length: 10 }, (_, digit) => `EVT-01${digit}`)],
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
  ])('%j', async (words, values) => expect(await valuesOf(...words)).toEqual(values));

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
    const { code, stdout, stderr } = await runCli(['complete', '--', 'run', '--fault', 'jti-kept-2-']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('jti-kept-2-minutes\tA jti is forgotten after 2 minutes.\n:nothing\n');
  });

  test.each([
    ['zsh', /^#compdef carrierspec\n/],
    ['fish', /\ncomplete -c carrierspec/],
  ])('has a script for %s', async (shell, text) => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toMatch(text);
  });

  test('refuses a shell that it does not know', async () => {
    const stderr = 'carrierspec: completion: "tcsh" is none of bash, zsh, fish\n';
    expect(await runCli(['completion', 'tcsh'])).toEqual({ code: 2, stdout: '', stderr });
  });
});
