import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/json.ts';
import type { CaseResult } from '../../model/result.ts';
import { type KeptRun, runInto } from '../../testing/program/run-into.ts';
import { root, startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier, writeFolder, writeTargetWith } from '../../testing/program/target-file.ts';
import { readResult } from '../../journal/read-result.ts';
import { describeUnless } from '../../testing/vitest/not-run.ts';

const { env } = await startCarrier();
const secret = 'hush-hush-hush';

const runWith = (drivers: JsonObject, what: string): Promise<KeptRun> =>
  runInto([what, '--target', writeTargetWith(drivers)], { env: { ...env, LAB_KEY: secret } });

const onlyCase = ({ result }: Pick<KeptRun, 'result'>): CaseResult | undefined => [...result.cases][0];

/** Milliseconds that a loaded machine may take. */
const patience = 45_000;

const look = 'colour-mode-of-the-system';

/** Runs `carrierspec` in a pseudo-terminal (util-linux script) with typed input. */
function atTerminal(args: readonly string[]) {
  const command = [process.execPath, join(root, 'bin/carrierspec.js'), ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', USER: 'ann', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
  const late = setTimeout(() => child.kill('SIGKILL'), patience);
  return {
    ended: new Promise<{ readonly code: number | null; readonly shown: string }>((resolve) => {
      child.once('close', (code) => {
        clearTimeout(late);
        resolve({ code, shown });
      });
    }),
    sees: async (pattern: RegExp): Promise<void> => {
      await expect.poll(() => shown, { timeout: patience }).toMatch(pattern);
    },
    type: (text: string) => void child.stdin.write(text),
  };
}

const noTerminal = existsSync('/usr/bin/script') ? undefined : 'there is no script of util-linux';

describeUnless(noTerminal, 'a person at a terminal', () => {
  const args = (out: string) => [
    'run',
    look,
    '--out',
    out,
    '--target',
    writeTargetWith({ look: { ask: true, timeout: '40s' } }),
  ];

  test('looks at the phone, and says twice that it is not so, which is a finding', async () => {
    const out = makeFolder();
    const { sees, type, ended } = atTerminal(args(out));
    await sees(/Task 1 of 1: Look at the phone: is it so that the colour mode is "system"\?/);
    await sees(/phone {4}\+/);
    await sees(/\[\d\ds\] > /);
    type('n it is dark\r');
    await sees(/again {4}The first time \(ann\) it came out otherwise than asked: /);
    await sees(/again {4}The[\s\S]*\[\d\ds\] > /);
    type('n it is dark\r');
    expect((await ended).code).toBe(1);
    expect(onlyCase(readResult(join(out, 'result.json')))).toMatchObject({
      confirmation: { status: 'confirmed' },
      findings: [{ code: 'not-seen', actual: 'no: it is dark' }],
      acts: [
        { by: 'ann', try: 'first', answered: 'no: it is dark' },
        { by: 'ann', try: 'again', answered: 'no: it is dark' },
      ],
    });
  });

  test('interrupts the run instead', async () => {
    const { sees, type, ended } = atTerminal(args(makeFolder()));
    await sees(/ > /);
    type('\u0003');
    const { code, shown } = await ended;
    expect(shown).toContain('ending with what is finished');
    expect(code).toBe(130);
  });
});

test('without a person at a terminal the case is not run, and says why', async () => {
  const ran = await runWith({ look: { ask: true } }, look);
  expect(ran.code).toBe(4);
  expect(onlyCase(ran)).toMatchObject({
    verdict: 'not-run',
    reason: 'needs an operator at a terminal, or --live, for look',
  });
});

/** A killed process remains a zombie until its parent reads its exit status. */
function isAlive(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}

/** A program whose child sleeps for long, with the number of that child. */
function prepareSleeper() {
  const file = join(makeFolder(), 'pid');
  const pid = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { file, pid, argv: ['/bin/sh', '-c', `sleep 600 & echo $! > ${file}; wait`] };
}

describe('a program', () => {
  const post = `(path) => fetch(process.env.ADMIN + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })`;
  const program = (script: string, ...words: readonly string[]) => ({
    argv: [process.execPath, '--input-type=module', '-e', `const post = ${post};\n${script}`, '--', ...words],
    env: { ADMIN: '{{ env.REFERENCE_ADMIN }}' },
  });

  test('approves, and the tokens come', async () => {
    const script = `const { ok, status } = await post('/requests/' + process.argv[1] + '/approve');
      process.exit(ok ? 0 : status === 404 || status === 409 ? 3 : 1);`;
    const exec = { ...program(script, '{{ request.body.auth_req_id }}'), impossible: [3] };
    const ran = await runWith({ approve: { exec } }, 'cancel-is-final');
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('carrierspec:')]);
    expect(onlyCase(ran)?.verdict).toBe('pass');
  });

  test('may raise events of other subscribers, which are no case’s business', async () => {
    const script = `for (const name of ['first', 'second', 'third', 'fourth']) await post('/subscribers/' + name + '/move-sim');`;
    const ran = await runWith({ 'move-sim': { exec: program(script) } }, 'again-after-an-hour');
    expect([ran.code, onlyCase(ran)?.verdict]).toEqual([0, 'pass']);
    // Two changes for each of three other subscribers, delivered to every entitled SP.
    expect(ran.result.unsolicited).toHaveLength(18);
  });

  test('is ended by Ctrl-C, with all that it started', async () => {
    const { argv, pid } = prepareSleeper();
    const target = writeTargetWith({ look: { exec: { argv, timeout: '5m' } } });
    const running = startCli(['run', look, '--target', target, '--out', makeFolder()], { env });
    await expect.poll(pid, { timeout: patience }).not.toBe('');
    running.interrupt();
    expect((await running.ended).code).toBe(130);
    await expect.poll(() => isAlive(Number(pid())), { timeout: patience }).toBe(false);
  });

  test('does not outlive the process, however that ends', async () => {
    const { argv, pid, file } = prepareSleeper();
    const command = JSON.stringify({ argv, env: {}, folder: root, timeout: 300_000 });
    const script = `import { existsSync, readFileSync } from 'node:fs';
    import { runInGroup } from ${JSON.stringify(join(root, 'dist/wire/send/run-program.js'))};
    void runInGroup(${command}, new AbortController().signal);
    setInterval(() => { if (existsSync(${JSON.stringify(file)}) && readFileSync(${JSON.stringify(file)}, 'utf8') !== '') process.exit(7); }, 20);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    expect(await new Promise((resolve) => void child.once('close', resolve))).toBe(7);
    await expect.poll(() => isAlive(Number(pid())), { timeout: patience }).toBe(false);
  });
});

describe('a function of a module', () => {
  const input = { admin: '{{ env.REFERENCE_ADMIN }}', key: '{{ env.LAB_KEY }}' };
  const approving = `export default async ({ action, request, with: given, subscriber, client, input, signal }) => {
  if (action !== 'approve' || !signal || !client.client_id || !/^\\+/.test(subscriber.phone) || !request.claims.jti) throw new Error('what is missing?');
  const answer = await fetch(input.admin + '/requests/' + request.body.auth_req_id + '/approve',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ scopes: given.scopes }) });
  return { done: answer.ok, note: 'with ${secret}' };
};`;

  const runModule = (text: string, keys: JsonObject, what = 'approval-brings-tokens'): Promise<KeptRun> =>
    runWith({ approve: { module: join(writeFolder({ 'approve.mjs': text }), 'approve.mjs'), ...keys } }, what);

  // In the second case the carrier refuses the approval, so it is not possible.
  test.each(['approval-brings-tokens', 'cancel-is-final'])(
    'has the request, the action and its own input, and what is secret in these is nowhere: %s',
    async (what) => {
      const ran = await runModule(approving, { input }, what);
      expect([ran.code, onlyCase(ran)?.verdict]).toEqual([0, 'pass']);
      expect(readFileSync(join(ran.out, 'result.json'), 'utf8')).not.toContain(secret);
    },
  );

  const circular = 'export default () => { const body = {}; body.body = body; return { body }; };';
  test.each<[why: string, text: string, keys?: JsonObject]>([
    ['Error: the lab is closed', 'export default () => { throw new Error("the lab\\u001b[31m is closed"); };'],
    ['TooLate: it took longer than 1 s', 'export default () => new Promise(() => undefined);', { timeout: '1s' }],
    ['its default export is no function', 'export default 7;'],
    ['it has no default export', 'export const approve = () => undefined;'],
    ['it cannot be loaded: ', 'export default ('],
    ['it gave something else than done, body', 'export default () => ({ done: "yes" });'],
    ['it gave something else than done, body', circular],
    ['it gave something else than done, body', 'export default () => ({ body: { text: "x".repeat(65536) } });'],
  ])('that does not work makes the case inconclusive: %s', async (why, text, keys) => {
    const ran = await runModule(text, keys ?? {});
    const one = onlyCase(ran);
    expect([ran.code, one?.verdict]).toEqual([4, 'inconclusive']);
    expect(one?.reason?.replace(' [31m', '')).toContain(why);
    expect(one?.reason).toMatch(/^the driver for approve did not work: \S+approve\.mjs: /);
    expect(JSON.stringify(one)).not.toContain('\\u001b');
  });
});
