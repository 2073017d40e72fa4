import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier } from '../../testing/program/target-file.ts';

const anyPorts = ['--port', '0', '--admin-port', '0'];

describe('carrier', () => {
  test('says where it listens, tells every request, and ends with 0 on Ctrl-C', async () => {
    const { process, env } = await startCarrier(['--clock', 'virtual', '--fault', 'jti-never-kept']);
    const discovery = `${env['REFERENCE_ORIGIN']}/.well-known/openid_configuration?client_id=ccid-conftestclient01&mccmnc=001010`;
    const response = await fetch(discovery);
    expect(response.status).toBe(200);
    await process.stderr(/Z {2}GET \/\.well-known\/openid_configuration\?\S+ {2}200$/m);
    expect((await fetch(`${env['REFERENCE_ADMIN']}/clock`)).status).toBe(200);
    await process.stderr(/Z {2}admin GET \/clock {2}200$/m);
    process.interrupt();
    const { code, stdout, stderr } = await process.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`discovery          ${discovery}\n`);
    expect(stderr).toMatch(/^clock {14}virtual: /m);
    expect(stderr).toMatch(/^faults {13}jti-never-kept$/m);
    expect(stderr).toMatch(/^ {2}two-keys {5}ccid-conftestclient03 {2}2 keys, a secret, server_initiated$/m);
    expect(stderr).toMatch(/^ {2}unconsented {2}\+12175550105 {2}has consented to no client$/m);
    expect(stderr).toMatch(/\nclosing\n$/);
  });

  test('gives the command that certifies it, and the command works', async () => {
    const { process } = await startCarrier();
    const [, words = '', target = ''] = await process.stderr(/^ {2}(.*) carrierspec run --target (\S+)$/m);
    const env: Record<string, string> = {};
    for (const [, name = '', value = ''] of words.matchAll(/(\w+)=(\S+)/g)) env[name] = value;
    const { code } = await runCli(['run', 'jti-absent', '--target', target, '--out', makeFolder()], { env });
    process.interrupt();
    await process.ended;
    expect(code).toBe(0);
  });

  test.each(['real', 'virtual'])('writes a target file with which others ask it, on a %s clock', async (clock) => {
    const target = join(makeFolder(), 'carrier.yaml');
    const { process } = await startCarrier(['--clock', clock, '--write-target', target]);
    expect((await runCli(['check', '--target', target])).code).toBe(0);
    const { code, stdout } = await runCli(['send', 'usertrait', '--target', target]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('sim_tenure: "false"')]);
    const second = await runCli(['carrier', ...anyPorts, '--write-target', target]);
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('carrier.yaml cannot be written: ')]);
    process.interrupt();
    await process.ended;
  });

  test('a port that is taken is named, with exit code 2', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { code, stdout, stderr } = await runCli(['carrier', '--port', port, '--admin-port', '0']);
    server.close();
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `carrierspec: port ${port} is in use; choose another with --port or --admin-port\n`,
    });
  });

  test.each([
    [['--fault', 'jti-nevr-kept'], '--fault: there is no fault jti-nevr-kept; did you mean jti-never-kept?'],
    [['--clock', 'fast'], '--clock: "fast" is none of real, virtual'],
    [['--port', '70000'], '--port: "70000" is no whole number from 0 to 65535'],
    [['--admin-port', 'x'], '--admin-port: "x" is no whole number from 0 to 65535'],
    [['--receiver', 'sp.test'], '--receiver: "sp.test" is no http or https URL'],
  ])('%j: exit code 2', async (args, message) => {
    const stderr = `carrierspec: ${message}\n`;
    expect(await runCli(['carrier', ...anyPorts, ...args])).toEqual({ code: 2, stdout: '', stderr });
  });

  test('plain http to another machine is refused before anything listens', async () => {
    const { code, stderr } = await startCli(['carrier', ...anyPorts, '--receiver', 'http://sp.test']).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^carrierspec: --receiver: registrations: clients\[0\]\.notification_uris cannot hold http:\/\/sp/,
    );
  });
});
