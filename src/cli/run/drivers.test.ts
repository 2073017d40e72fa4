import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { describeUnless } from '../../testing/vitest/not-run.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { type ProcessResult, root, startCli } from '../../testing/program/spawn-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTargetWith,
} from '../../testing/program/target-file.ts';

let carrier: SpawnedCarrier;
beforeAll(async () => {
  carrier = await startCarrier(['--clock', 'virtual']);
});
afterAll(() => stopCarrier(carrier));

const theCase = 'colour-mode-of-the-system';

const onlyCase = (out: string): JsonObject => {
  const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  const cases = isJsonObject(result) && Array.isArray(result['cases']) ? result['cases'].filter(isJsonObject) : [];
  return cases[0] ?? {};
};

interface Session {
  readonly ended: Promise<ProcessResult>;
  readonly sees: (pattern: RegExp) => Promise<void>;
  readonly type: (text: string) => void;
}

/** Runs `carrierspec` in a pseudo-terminal (util-linux script) with typed input. */
function atTerminal(args: readonly string[]): Session {
  const command = [process.execPath, join(root, 'bin/carrierspec.js'), ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', USER: 'ann', ...carrier.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const late = setTimeout(() => child.kill('SIGKILL'), 25_000);
  return {
    ended: new Promise((resolve) => {
      child.once('close', (code) => {
        clearTimeout(late);
        resolve({ code, stdout: shown, stderr: '' });
      });
    }),
    sees: async (pattern) => {
      await expect.poll(() => shown, { timeout: 15_000 }).toMatch(pattern);
    },
    type: (text) => void child.stdin.write(text),
  };
}

const noTerminal = existsSync('/usr/bin/script') ? undefined : 'there is no script of util-linux';

describeUnless(noTerminal, 'a person at a terminal', () => {
  const target = (): string => writeTargetWith({ look: { ask: true, timeout: '20s' } });

  test('looks at the phone, and says that it is so', async () => {
    const out = makeFolder();
    const { sees, type, ended } = atTerminal(['run', theCase, '--target', target(), '--out', out]);
    await sees(/Question 1: Look at the phone: is it so that the colour mode is "system"\?/);
    await sees(/phone {4}\+/);
    await sees(/\[(?:20|19)s\] > /);
    type('y as the phone itself\r');
    expect((await ended).code).toBe(0);
    expect(onlyCase(out)).toMatchObject({ verdict: 'pass' });
    expect(JSON.stringify(onlyCase(out)['recorded'])).toContain('yes: as the phone itself');
  });

  test('or that it is not, which is a finding when it is said twice', async () => {
    const out = makeFolder();
    const { sees, type, ended } = atTerminal(['run', theCase, '--target', target(), '--out', out]);
    await sees(/ > /);
    type('n it is dark\r');
    await sees(/Question 2: Look at the phone: is it so that the colour mode is "system"\?/);
    await sees(/again {4}The first time \(ann\) it came out otherwise than asked: /);
    await sees(/Question 2[\s\S]*\[(?:20|19)s\] > /);
    type('n it is dark\r');
    expect((await ended).code).toBe(1);
    expect(onlyCase(out)).toMatchObject({
      confirmation: { status: 'confirmed' },
      findings: [{ code: 'not-seen', actual: 'no: it is dark' }],
      acts: [
        { by: 'ann', try: 'first', answered: 'no: it is dark' },
        { by: 'ann', try: 'again', answered: 'no: it is dark' },
      ],
    });
  });

  test('interrupts the run instead', async () => {
    const { sees, type, ended } = atTerminal(['run', theCase, '--target', target(), '--out', makeFolder()]);
    await sees(/ > /);
    type('\u0003');
    const { code, stdout } = await ended;
    expect(stdout).toContain('ending with what is finished');
    expect(code).toBe(130);
  });
});

test('nobody at a terminal: the case is not run, and says why', async () => {
  const out = makeFolder();
  const target = writeTargetWith({ look: { ask: true } });
  const { code } = await runCli(['run', theCase, '--target', target, '--out', out], { env: carrier.env });
  expect(code).toBe(4);
  expect(onlyCase(out)).toMatchObject({
    verdict: 'not-run',
    reason: 'needs an operator at a terminal, or --live, for look',
  });
});

describe('a program', () => {
  const script = `const [id] = process.argv.slice(1);
    const answer = await fetch(process.env.ADMIN + '/requests/' + id + '/approve', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    process.exit(answer.ok ? 0 : answer.status === 404 || answer.status === 409 ? 3 : 1);`;
  const approve = {
    exec: {
      argv: [process.execPath, '--input-type=module', '-e', script, '--', '{{ request.body.auth_req_id }}'],
      env: { ADMIN: '{{ env.REFERENCE_ADMIN }}' },
      impossible: [3],
    },
  };

  test('approves, and the tokens come', async () => {
    const out = makeFolder();
    const run = ['run', 'cancel-is-final', '--target', writeTargetWith({ approve }), '--out', out];
    const { code, stderr } = await runCli(run, { env: carrier.env });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('carrierspec:')]);
    expect(onlyCase(out)).toMatchObject({ verdict: 'pass' });
  });

  test('puts other SIMs into other devices as well: what comes of those is no case’s business', async () => {
    const all = `for (const name of ['first', 'second', 'third', 'fourth'])
      await fetch(process.env.ADMIN + '/subscribers/' + name + '/move-sim', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });`;
    const env = { ADMIN: '{{ env.REFERENCE_ADMIN }}' };
    const target = writeTargetWith({
      'move-sim': { exec: { argv: [process.execPath, '--input-type=module', '-e', all], env } },
    });
    const out = makeFolder();
    const { code } = await runCli(['run', 'again-after-an-hour', '--target', target, '--out', out], {
      env: carrier.env,
    });
    expect([code, onlyCase(out)]).toEqual([0, expect.objectContaining({ verdict: 'pass' })]);
    // Two changes for each of three other subscribers, delivered to every entitled SP.
    const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    expect(isJsonObject(result) && result['unsolicited']).toHaveLength(18);
  });

  test('is ended by Ctrl-C, with all that it started', async () => {
    const file = join(makeFolder(), 'pid');
    const sleeper = `sleep 600 & echo $! > ${file}; wait`;
    const exec = { argv: ['/bin/sh', '-c', sleeper], timeout: '5m' };
    const run = ['run', theCase, '--target', writeTargetWith({ look: { exec } }), '--out', makeFolder()];
    const running = startCli(run, { env: carrier.env });
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8') !== '', { timeout: 15_000 }).toBe(true);
    const pid = Number(readFileSync(file, 'utf8'));
    running.interrupt();
    expect((await running.ended).code).toBe(130);
    await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false);
  });
});

test('a program does not outlive the process, however that ends', async () => {
  const file = join(makeFolder(), 'pid');
  const sleeper = `sleep 600 & echo $! > ${file}; wait`;
  const command = { argv: ['/bin/sh', '-c', sleeper], env: {}, folder: root, timeout: 300_000 };
  const script = `import { existsSync, readFileSync } from 'node:fs';
    import { runInGroup } from ${JSON.stringify(join(root, 'dist/wire/send/run-program.js'))};
    void runInGroup(${JSON.stringify(command)}, new AbortController().signal);
    setInterval(() => { if (existsSync(${JSON.stringify(file)}) && readFileSync(${JSON.stringify(file)}, 'utf8') !== '') process.exit(7); }, 20);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
  });
  expect(code).toBe(7);
  await expect.poll(() => isAlive(Number(readFileSync(file, 'utf8'))), { timeout: 5000 }).toBe(false);
});

/** A killed process remains a zombie until its parent reads its exit status. */
function isAlive(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}
