import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll } from 'vitest';
import { findFreePort } from '../../setup/reference.ts';
import { describeUnless } from '../vitest/not-run.ts';
import { makeFolder } from '../program/target-file.ts';

const findProgram = (...paths: readonly string[]): string | undefined => paths.find((path) => existsSync(path));
const programs = {
  sshd: findProgram('/usr/sbin/sshd', '/usr/bin/sshd'),
  ssh: findProgram('/usr/bin/ssh', '/usr/local/bin/ssh'),
};

const children: { readonly child: ChildProcess; readonly closed: Promise<unknown> }[] = [];

/** Starts a program and waits until stderr matches. */
async function startDaemon(program: string, args: readonly string[], ready: RegExp): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  children.push({ child, closed: once(child, 'close') });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (ready.test(said)) resolve();
    });
    child.once('close', (code) => reject(new Error(`${program} ended with ${code}: ${said}`)));
  });
}

interface Sshd {
  /** Opens `ssh -R`, which forwards a port of the server to a port of this machine. Resolves to the server's port. */
  readonly forward: (to: number) => Promise<number>;
}

/** An OpenSSH server for the test; it knows one key, which may only forward ports. */
export async function startSshd(): Promise<Sshd> {
  const folder = makeFolder();
  for (const name of ['host', 'own']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  }
  execFileSync('cp', [join(folder, 'own.pub'), join(folder, 'authorized_keys')]);
  // sshd running as root needs this folder, which the package's service would create.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await findFreePort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'AuthenticationMethods publickey',
    'PermitRootLogin prohibit-password',
    'AllowTcpForwarding remote',
    'PermitTTY no',
  ];
  writeFileSync(join(folder, 'sshd_config'), `${settings.join('\n')}\n`);
  const { sshd = '', ssh = '' } = programs;
  await startDaemon(sshd, ['-D', '-e', '-f', join(folder, 'sshd_config')], /Server listening on/);
  return {
    forward: async (to) => {
      const remote = await findFreePort();
      const flags = ['BatchMode=yes', 'ExitOnForwardFailure=yes', 'StrictHostKeyChecking=no', 'ServerAliveInterval=15'];
      const files = ['-i', join(folder, 'own'), '-o', `UserKnownHostsFile=${join(folder, 'known_hosts')}`];
      const there = ['-p', String(port), `${userInfo().username}@127.0.0.1`];
      const way = ['-N', '-v', '-R', `127.0.0.1:${remote}:127.0.0.1:${to}`];
      const args = ['-F', 'none', ...files, ...flags.flatMap((flag) => ['-o', flag]), ...way, ...there];
      await startDaemon(ssh, args, /remote forward success/);
      return remote;
    },
  };
}

const missing =
  programs.sshd === undefined || programs.ssh === undefined
    ? 'there is no OpenSSH server; apt-get install openssh-server openssh-client'
    : undefined;

/** Tests with a real OpenSSH server and client. */
export function describeWithSshd(title: string, tests: () => void): void {
  describeUnless(missing, title, () => {
    afterAll(async () => {
      for (const { child, closed } of children.splice(0).toReversed()) {
        child.kill();
        await closed;
      }
    });
    tests();
  });
}
