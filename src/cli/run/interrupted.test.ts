import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { shellArguments } from '../../testing/program/shell.ts';
import { type RunningProcess, startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startInRealTime, withoutNames, writeTarget } from '../../testing/program/target-file.ts';

const carrier = await startInRealTime();

const start = (args: readonly string[], target = carrier.target): RunningProcess =>
  startCli([...args, '--target', target], { env: carrier.env });

describe('130: interrupted in real time', () => {
  test('by SIGHUP: what is finished is kept, consent is given back, and the report says what stays', async () => {
    const out = makeFolder();
    const running = start(['run', 'configuration-members', 'all-scopes-taken-back', '--out', out]);
    const journal = join(out, 'journal.jsonl');
    const isOneOver = (): boolean => existsSync(journal) && readFileSync(journal, 'utf8').includes('"kind":"case"');
    await expect.poll(isOneOver, { timeout: 45_000 }).toBe(true);
    await carrier.process.stderr(/admin POST \/subscribers\/\S+\/remove-consent {2}200$/m);
    running.hangUp();
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/^ending with what is finished; once more to stop at once$/m);
    await carrier.process.stderr(/admin POST \/subscribers\/\S+\/consent {2}200$/m);
    const stays =
      /^all-scopes-taken-back: events of subscriber \S+ were raised: until \S+Z the carrier may drop the like$/;
    const { footer, cases } = readResult(join(out, 'result.json')).result;
    expect(footer).toMatchObject({
      outcome: 'incomplete',
      interrupted: true,
      reasons: expect.arrayContaining(['interrupted']) as unknown,
      left: [expect.stringMatching(stays)],
    });
    expect([...cases].find(({ id }) => id === 'configuration-members')?.verdict).toBe('pass');
    expect(stdout).toMatch(/^ {2}left +all-scopes-taken-back: events of subscriber \S+ were raised/m);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('<dt>Left behind</dt>');
    expect(existsSync(join(out, 'junit.xml'))).toBe(true);
  });

  test('by Ctrl-C: send --wait shows what was sent and what came, and denies what is pending', async () => {
    const running = start(['send', '--wait']);
    await carrier.process.stderr(/^\S+Z {2}POST \/bc-authorize {2}200$/m);
    running.interrupt();
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/^response +HTTP 200 /m);
    expect(stdout).toMatch(/^callback +POST \/si\/notify$[\s\S]*request_denied/m);
    expect(stdout).toMatch(/^not-run \(it did not run to its end; .*\): interrupted$/m);
    expect(stdout).not.toMatch(/^left /m);
  });

  test('by SIGTERM: where nobody denies it, it says until when that is pending', async () => {
    const target = writeTarget((given) => {
      const drivers = isJsonObject(given['drivers']) ? withoutNames(given['drivers'], 'deny') : {};
      return { ...withoutNames(given, 'clock'), drivers };
    });
    const running = start(['send', '--json', '--wait'], target);
    await carrier.process.stderr(/POST \/bc-authorize {2}200\n(?:.*\n)*.*POST \/bc-authorize {2}200$/m);
    running.terminate();
    const { code, stdout } = await running.ended;
    const pending = /^\S+: the request of step \S+ to subscriber first is pending until \S+Z$/;
    expect(code).toBe(130);
    expect(parseJson(stdout)).toMatchObject({ verdict: 'not-run', left: [expect.stringMatching(pending)] });
  });

  test('--last-failed says how much of it never ran, and what its own verdict leaves out', async () => {
    const out = makeFolder();
    const journal = join(out, 'journal.jsonl');
    const passed = (): number =>
      existsSync(journal) ? readFileSync(journal, 'utf8').split('"verdict":"pass"').length - 1 : 0;
    const running = startCli(['run', 'callback', 'events', '--out', out]);
    await expect.poll(passed, { timeout: 45_000, interval: 5 }).toBeGreaterThan(0);
    running.interrupt();
    expect((await running.ended).code).toBe(130);
    const cases = [...readResult(join(out, 'result.json')).result.cases];
    const verdicts = (wanted: string) => cases.filter(({ verdict }) => verdict === wanted).length;
    const unrun = cases.filter(({ reason }) => reason === 'interrupted').length;
    expect(unrun).toBeGreaterThan(0);
    const again = await startCli(['run', '--last-failed', '--out', out]).ended;
    const done = verdicts('pass') + verdicts('informational');
    expect(again.stderr.split('\n')[0]).toBe(
      `--last-failed: ${cases.length - done} of ${cases.length} cases of ${join(out, 'result.json')}, which was interrupted: ${unrun} of them never ran`,
    );
    expect(again.stderr.trimEnd().split('\n').at(-1)).toBe(
      `not in this verdict: ${done === 1 ? '1 case' : `${done} cases`} that passed before; for one verdict of all: carrierspec run callback events`,
    );
    expect(again.code).toBe(0);
  });

  test('the last line is the command that goes on, and it does', async () => {
    const out = join(makeFolder(), "it's mine");
    const journal = join(out, 'journal.jsonl');
    /** Interrupts a run once its journal says so. */
    const interruptWhen = async (said: RegExp, args: readonly string[]) => {
      const running = startCli(args, { env: carrier.env });
      const read = (): string => (existsSync(journal) ? readFileSync(journal, 'utf8') : '');
      await expect.poll(read, { timeout: 45_000 }).toMatch(said);
      running.interrupt();
      return running.ended;
    };
    const flags = ['--out', out, '--target', carrier.target, '--report', `markdown=${join(out, 'run.md')}`];
    const { code, stderr } = await interruptWhen(/"kind":"header"/, ['run', 'callback', ...flags]);
    expect(code).toBe(130);
    expect(stderr.split('ending with what is finished')[1]).not.toMatch(/%|left/);
    const [, command = ''] = /\ngo on with: (.*)\n$/.exec(stderr) ?? [];
    const words = shellArguments(command);
    expect(words).toEqual(['run', '--resume', ...flags]);
    const resumed = await interruptWhen(/"kind":"resumed"/, words);
    expect(resumed.code).toBe(130);
    expect(resumed.stderr.endsWith(`go on with: ${command}\n`)).toBe(true);
  });
});
