import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats } from '../../report/formats.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { runInto } from '../../testing/program/run-into.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const { out } = await runInto(['jti-absent']);

const file = (name: string): string => join(out, name);

describe('report', () => {
  test('makes the reports of a run again, byte for byte', async () => {
    const again = makeFolder();
    const flags = ['json=result.json', 'junit=junit.xml'].flatMap((report) => {
      const [format = '', name = ''] = report.split('=');
      return ['--report', `${format}=${join(again, name)}`];
    });
    const { code, stdout, stderr } = await runCli(['report', file('result.json'), ...flags]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe(`reports: ${join(again, 'result.json')}, ${join(again, 'junit.xml')}\n`);
    for (const name of ['result.json', 'junit.xml']) {
      expect(readFileSync(join(again, name), 'utf8')).toBe(readFileSync(file(name), 'utf8'));
    }
    expect(readdirSync(again).toSorted()).toEqual(['junit.xml', 'result.json']);
  });

  test('says that a result was edited by hand, also where its verdicts agree', async () => {
    const edited = join(makeFolder(), 'result.json');
    const text = readFileSync(file('result.json'), 'utf8');
    const words = /("words": ?")conformant in/;
    expect(text).toMatch(words);
    writeFileSync(edited, text.replace(words, '$1very conformant in'));
    const { code, stderr } = await runCli(['report', edited]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^carrierspec: \S+result\.json: it is not as its run wrote it: its header, rules,[^\n]+\n$/);
  });

  test('without --report it is the one for the terminal', async () => {
    const { code, stdout, stderr } = await runCli(['report', file('result.json')]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^carrierspec \d+\.\d+\.\d+(?:-rc\.\d+)?: [^\n]+\n[\s\S]*\nConformant in the 1 of \d+ required rules that were run: exit code 0\n/,
    );
    const whole = await runCli(['report', file('result.json'), '--verbose']);
    expect(whole.stdout).toMatch(/^carrierspec \S+ {2}run [0-9a-f]{16}\n[\s\S]*\nRules by area {2}/);
  });

  test.each(Object.keys(formats))('makes %s on stdout, and nothing else; --help names it', async (format) => {
    const { code, stdout, stderr } = await runCli(['report', file('result.json'), '--report', `${format}=-`]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // The run has no findings, so its only annotation is the headline.
    expect(stdout).toMatch(format === 'annotations' ? /^::notice title=[^\n]*::Conformant in the 1 of [^\n]*\n$/ : /./);
    for (const command of ['report', 'run']) {
      const help = (await runCli([command, '--help'])).stdout.replace(/\s+/g, ' ');
      expect(help).toMatch(new RegExp(`a further report: [^;]*\\b${format}\\b`));
    }
  });

  test('of a run that failed is no failure of its own', async () => {
    const run = await runInto(['denial-is-request-denied', '--fault', 'access-denied-as-user-denied']);
    const { code, stdout } = await runCli(['report', join(run.out, 'result.json'), '--report', 'ctrf=-']);
    expect({ run: run.code, code }).toEqual({ run: 1, code: 0 });
    expect(stdout).toContain('"rawStatus":"fail"');
    const quiet = await runCli(['report', join(run.out, 'result.json'), '--quiet']);
    expect(quiet.stdout).toMatch(
      /^Broken rules {2}1\n {2}CB-022 [^\n]*\n\nNot conformant: exit code 1\n {2}1 required rule is broken\.\n {2}scope [\s\S]*$/,
    );
  });

  test('of the journal of a finished run is that of its result, byte for byte', async () => {
    const { code, stdout, stderr } = await runCli(['report', file('journal.jsonl'), '--report', 'json=-']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(readFileSync(file('result.json'), 'utf8'));
  });

  test('of the journal of a run that was cut off says that it has no outcome', async () => {
    const path = join(makeFolder(), 'journal.jsonl');
    const lines = readFileSync(file('journal.jsonl'), 'utf8').split('\n');
    writeFileSync(path, lines.slice(0, 2).join('\n'));
    const { code, stdout, stderr } = await runCli(['report', path, '--report', 'markdown=-']);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `carrierspec: ${path}: the run was cut off; the journal has 1 finished case and no outcome\n`,
    });
    expect(stdout).toMatch(/^# ❌ carrierspec: cut off\n/);
  });
});

describe('a report is written', () => {
  test('whole or not at all: what was there stays where it cannot be', async () => {
    const folder = makeFolder();
    const path = join(folder, 'report');
    mkdirSync(path);
    const { code, stderr } = await runCli(['report', file('result.json'), '--report', `ctrf=${path}`]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `carrierspec: --report: ${path} cannot be written: it is a folder\n`,
    });
    expect(readdirSync(folder)).toEqual(['report']);
  });

  test('behind a link, and the link stays', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'old.json'), 'old');
    symlinkSync('old.json', join(folder, 'link.json'));
    await runCli(['report', file('result.json'), '--report', `ctrf=${join(folder, 'link.json')}`]);
    expect(readFileSync(join(folder, 'old.json'), 'utf8')).toMatch(/^\{\n"reportFormat":"CTRF"/);
    expect(readdirSync(folder).toSorted()).toEqual(['link.json', 'old.json']);
  });

  test('to a device as it is', async () => {
    const { code } = await runCli(['report', file('result.json'), '--report', 'json=/dev/null']);
    expect(code).toBe(0);
    expect(readFileSync('/dev/null', 'utf8')).toBe('');
  });

  test('into folders that were not there', async () => {
    const path = join(makeFolder(), 'deep', 'er', 'report.json');
    await runCli(['report', file('result.json'), '--report', `ctrf=${path}`]);
    expect(existsSync(path)).toBe(true);
  });
});

describe('what cannot be', () => {
  test.each([
    ['a file that is not there', ['nowhere.json'], 'nowhere.json cannot be read: there is no such file'],
    [
      'a file that is none of ours',
      ['package.json'],
      'package.json: this is JSON, but neither a result.json nor a journal.jsonl of carrierspec',
    ],
    ['a file that is no JSON', ['README.md'], 'README.md:1:1: this is not JSON: a value should stand here, not "#"'],
  ])('%s', async (_, args, message) => {
    expect(await runCli(['report', ...args])).toEqual({ code: 2, stdout: '', stderr: `carrierspec: ${message}\n` });
  });

  test.each([
    ['an unknown format', ['docx=x'], '--report: "docx" is none of terminal, json, junit'],
    ['no path', ['ctrf'], '--report: ctrf needs a path, as ctrf=PATH; - is stdout'],
    ['two on stdout', ['har=-', 'ctrf=-'], '--report: only one report can go to stdout'],
    [
      'two to one file',
      ['har=/tmp/two-to-one', 'ctrf=/tmp/../tmp/two-to-one'],
      '--report: /tmp/../tmp/two-to-one is written or read by something else',
    ],
  ])('%s', async (_, reports, message) => {
    const flags = reports.flatMap((report) => ['--report', report]);
    const { code, stdout, stderr } = await runCli(['report', file('result.json'), ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`carrierspec: ${message}`);
  });

  test('a report over the result it is made from', async () => {
    const before = readFileSync(file('result.json'), 'utf8');
    const { code } = await runCli(['report', file('result.json'), '--report', `ctrf=${file('result.json')}`]);
    expect(code).toBe(2);
    expect(readFileSync(file('result.json'), 'utf8')).toBe(before);
  });
});
