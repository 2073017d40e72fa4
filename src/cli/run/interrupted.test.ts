import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import {
  withoutNames,
  makeFolder,
  type RealTimeCarrier,
  startInRealTime,
  stopCarrier,
  writeTarget,
} from '../../testing/program/target-file.ts';

let carrier: RealTimeCarrier;
beforeAll(async () => {
  carrier = await startInRealTime();
});
afterAll(() => stopCarrier(carrier));

/** Starts a command and interrupts it once the carrier's log matches. */
async function interruptAt(said: RegExp, args: readonly string[]) {
  const running = startCli([...args, '--target', carrier.target], { env: carrier.env });
  await carrier.process.stderr(said);
  running.interrupt();
  return running.ended;
}

const footerIn = (out: string): JsonObject => {
  const result = parseJson(readFileSync(join(out, 'result.json'), 'utf8'));
  const footer = isJsonObject(result) ? result['footer'] : undefined;
  return isJsonObject(footer) ? footer : {};
};

describe('Ctrl-C in real time', () => {
  test('a case that is stopped gives consent back, and the report says what stays', async () => {
    const out = makeFolder();
    const args = ['run', 'all-scopes-taken-back', '--out', out];
    const { code, stdout } = await interruptAt(/admin POST \/subscribers\/\S+\/remove-consent {2}200$/m, args);
    expect(code).toBe(130);
    await carrier.process.stderr(/admin POST \/subscribers\/\S+\/consent {2}200$/m);
    const stays =
      /^all-scopes-taken-back: events of subscriber \S+ were raised: until \S+Z the carrier may drop the like$/;
    expect(footerIn(out)).toMatchObject({ interrupted: true, left: [expect.stringMatching(stays)] });
    expect(stdout).toMatch(/^ {2}left +all-scopes-taken-back: events of subscriber \S+ were raised/m);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('<dt>Left behind</dt>');
  });

  test('send --wait shows what was sent and what came, and denies what is pending', async () => {
    const { code, stdout } = await interruptAt(/^\S+Z {2}POST \/bc-authorize {2}200$/m, ['send', '--wait']);
    expect(code).toBe(130);
    expect(stdout).toMatch(/^response +HTTP 200 /m);
    expect(stdout).toMatch(/^callback +POST \/si\/notify$[\s\S]*request_denied/m);
    expect(stdout).toMatch(/^not-run \(it did not run, or not to its end, .*\): interrupted$/m);
    expect(stdout).not.toMatch(/^left /m);
  });

  test('so does SIGTERM; where nobody denies it, it says until when that is pending', async () => {
    const file = writeTarget((given) => {
      const drivers = isJsonObject(given['drivers']) ? withoutNames(given['drivers'], 'deny') : {};
      return { ...withoutNames(given, 'clock'), drivers };
    });
    const running = startCli(['send', '--json', '--wait', '--target', file], { env: carrier.env });
    await carrier.process.stderr(/POST \/bc-authorize {2}200\n(?:.*\n)*.*POST \/bc-authorize {2}200$/m);
    running.terminate();
    const { code, stdout } = await running.ended;
    const report = parseJson(stdout);
    const pending = /^\S+: the request of step \S+ to subscriber first is pending until \S+Z$/;
    expect(code).toBe(130);
    expect(report).toMatchObject({ verdict: 'not-run', left: [expect.stringMatching(pending)] });
  });

  test('the last line is the command that goes on, and it does', async () => {
    const out = join(makeFolder(), "it's mine");
    const report = `markdown=${join(out, 'run.md')}`;
    /** Interrupts a run once its journal says so. */
    const interruptWhen = async (said: RegExp, args: readonly string[]) => {
      const running = startCli(args, { env: carrier.env });
      const journal = join(out, 'journal.jsonl');
      const read = (): string => (existsSync(journal) ? readFileSync(journal, 'utf8') : '');
      await expect.poll(read, { timeout: 30_000 }).toMatch(said);
      running.interrupt();
      return running.ended;
    };
    const flags = ['--out', out, '--target', carrier.target, '--report', report];
    const { code, stderr } = await interruptWhen(/"kind":"header"/, ['run', 'callback', ...flags]);
    expect(code).toBe(130);
    expect(stderr.split('ending with what is finished')[1]).not.toMatch(/%|left/);
    const [, command = ''] = /\ngo on with: (.*)\n$/.exec(stderr) ?? [];
    const shell = `carrierspec() { printf '%s\\n' "$@"; }; ${command}`;
    const words = execFileSync('sh', ['-c', shell], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(words).toEqual(['run', '--resume', ...flags]);
    const resumed = await interruptWhen(/"kind":"resumed"/, words);
    expect(resumed.code).toBe(130);
    expect(resumed.stderr.endsWith(`go on with: ${command}\n`)).toBe(true);
  });
});
