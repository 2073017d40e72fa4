import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { quoteWord } from '../../lib/shell.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { writeFolder } from '../../testing/program/target-file.ts';
import { describeUnless } from '../../testing/vitest/not-run.ts';
import { completionScripts } from './scripts.ts';

/** Starts each shell without the files of a user; `before` is typed before the script. */
const shells = {
  bash: { argv: ['bash', '--norc', '--noprofile', '-i'], before: '' },
  // zsh itself expands the word first, unless Tab is bound to this widget.
  zsh: { argv: ['zsh', '-f', '-i'], before: `autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word; ` },
  fish: { argv: ['fish', '--no-config', '-i'], before: '' },
} as const;

/** Lines at whose end Tab is pressed, the word that the program has to complete, and the shell that does not ask it there. */
const lines: readonly (readonly [line: string, word: string, except?: 'bash'])[] = [
  ['report result.json > notes.txt --re', '--re'],
  ['report $(touch pwned) --re', '--re'],
  ['report `touch pwned` --re', '--re', 'bash'],
  ['report "$(touch pwned)" --re', '--re'],
  ["report 'a;touch pwned;' --re", '--re', 'bash'],
  ['run --fault=$(date>pwned)=', '--fault=$(date>pwned)='],
  ["run '; touch pwned; #", '; touch pwned; #'],
  ['run --fault=jti-kept-2-', '--fault=jti-kept-2-'],
];

/** Ctrl-U. Ctrl-C would also drop what is typed next, while the shell still completes. */
const eraseLine = '\u0015';

const findMissing = (...programs: readonly string[]): string | undefined => {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const missing = programs.find((program) => folders.every((folder) => !existsSync(join(folder, program))));
  return missing === undefined ? undefined : `there is no ${missing}`;
};

/** Folders for one shell: where it stands, and the program, which here writes the last word that it is asked for, and starts for the one that it knows. */
function prepareFolders(shell: keyof typeof shells) {
  const program = [process.execPath, join(root, 'bin/carrierspec.js')].map(quoteWord).join(' ');
  const here = writeFolder({ 'notes.txt': 'kept' });
  const bin = writeFolder({
    asked: '',
    script: completionScripts[shell],
    carrierspec: `#!/bin/sh
for word; do :; done
case $word in *jti-kept-2-) ${program} "$@" ;; *) echo :nothing ;; esac
printf '%s\\n' "$word" >>"\${0%/*}/asked"
`,
  });
  chmodSync(join(bin, 'carrierspec'), 0o755);
  return { here, bin, asked: () => readFileSync(join(bin, 'asked'), 'utf8').split('\n').slice(0, -1) };
}

for (const [shell, { argv, before }] of Object.entries(shells)) {
  describeUnless(findMissing(shell, 'script'), `Tab in ${shell}`, () => {
    test('completes the word, and runs nothing of the line', async () => {
      const { here, bin, asked } = prepareFolders(shell as keyof typeof shells);
      const child = spawn('script', ['-qec', argv.join(' '), '/dev/null'], {
        cwd: here,
        env: { PATH: `${bin}${delimiter}${process.env['PATH']}`, HOME: bin, TERM: 'dumb', LC_ALL: 'C.UTF-8' },
      });
      let shown = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        shown += text;
      });
      const ended = new Promise((resolve) => void child.once('close', resolve));
      // Sourced twice, as by two files of a user.
      child.stdin.write(`${before}source ${bin}/script; source ${bin}/script; echo rea''dy\r`);
      await expect.poll(() => shown, { timeout: 15_000 }).toContain('ready');
      const words: string[] = [];
      for (const [line, word, except] of lines) {
        child.stdin.write(`carrierspec ${line}\t`);
        if (except !== shell) words.push(word);
        await expect.poll(asked, { timeout: 15_000, message: line }).toEqual(words);
        if (line === lines.at(-1)?.[0]) await expect.poll(() => shown).toContain('jti-kept-2-minutes');
        child.stdin.write(eraseLine);
      }
      child.kill();
      await ended;
      expect(readdirSync(here)).toEqual(['notes.txt']);
      expect(readFileSync(join(here, 'notes.txt'), 'utf8')).toBe('kept');
    }, 60_000);
  });
}
