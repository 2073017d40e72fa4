import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { followPath, isJsonObject, type JsonObject, renderPlain } from '../../lib/json.ts';
import {
  buildImages,
  describeInContainers,
  folderOfContainer,
  inspectObject,
  podman,
  startContainer,
} from '../../testing/carriers/containers.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const image = (target: string): string => `localhost/carrierspec:${target}`;

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const compose: unknown = parse(readFileSync(join(root, 'docs/container/compose.yaml'), 'utf8'));
const service = (name: string): JsonObject => {
  const found = followPath(compose, ['services', name]);
  return isJsonObject(found) ? found : {};
};

/** Polls the health check until the start period is over. */
async function healthOf(name: string): Promise<number | null> {
  for (let left = 40; left > 0; left -= 1) {
    const { code } = podman('healthcheck', 'run', name);
    if (code === 0) return code;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return podman('healthcheck', 'run', name).code;
}

describeInContainers('the image', () => {
  beforeAll(() => buildImages(['carrierspec', 'simulator', 'history']), 600_000);

  test.each(['carrierspec', 'simulator', 'history'])('%s runs as a user without rights', (target) => {
    expect(followPath(inspectObject(image(target)), ['Config', 'User'])).toBe('10001:10001');
    expect(followPath(inspectObject(image(target)), ['Config', 'WorkingDir'])).toBe('/work');
  });

  test('has the package alone, without what built it', () => {
    const args = ['-c', 'ls /opt/carrierspec/lib/node_modules; ls -d /build /root/.npmrc /root/.npm; touch /opt/x'];
    const { said } = startContainer({ image: image('carrierspec'), entrypoint: 'sh', args });
    expect(said.split('\n')[0]).toBe('carrierspec');
    expect(said.match(/No such file|Permission denied/g)?.length).toBeGreaterThanOrEqual(3);
    expect(said).toMatch(/touch: .*Read-only file system/);
  });

  test('certifies the embedded carrier, with nothing writable but /work', () => {
    const folder = folderOfContainer();
    const args = ['run', 'context-absent', '--out', '/work/report'];
    const { code, said } = startContainer({ image: image('carrierspec'), args, volumes: { '/work': folder } });
    expect(`${code}\n${said}`).toMatch(/^0\n/);
    expect(existsSync(join(folder, 'report/report.html'))).toBe(true);
  });

  test('the two services of compose.yaml: the run waits for a healthy simulator, and is conformant', async () => {
    const simulator = service('simulator');
    const certify = service('certify');
    expect([simulator['read_only'], certify['read_only'], certify['network_mode']]).toEqual([
      true,
      true,
      'service:simulator',
    ]);
    expect(followPath(certify, ['depends_on', 'simulator', 'condition'])).toBe('service_healthy');
    expect(
      startContainer({ image: image('simulator'), args: textsOf(simulator['command']), name: 'simulator' }).code,
    ).toBe(0);
    expect(await healthOf('simulator')).toBe(0);
    const folder = folderOfContainer();
    const env = isJsonObject(certify['environment']) ? certify['environment'] : {};
    const { code, said } = startContainer({
      image: image('carrierspec'),
      args: [...textsOf(certify['command']), 'approval-brings-tokens', 'throttled-event'],
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, renderPlain(value)])),
      volumes: { '/reference': `${join(root, 'fixtures/reference')}`, '/work': folder },
      network: 'simulator',
    });
    expect(`${code}\n${said}`).toMatch(/^0\n/);
    expect(existsSync(join(folder, 'report/junit.xml'))).toBe(true);
  }, 120_000);

  test('a simulator that does not answer is not healthy', async () => {
    expect(startContainer({ image: image('simulator'), args: ['--admin-port', '8700'], name: 'elsewhere' }).code).toBe(
      0,
    );
    expect(await healthOf('elsewhere')).toBe(1);
  }, 180_000);

  test('keeps a result on a branch, by git of the image', () => {
    const [folder, remote] = [folderOfContainer(), makeFolder()];
    execFileSync('git', ['init', '--quiet', '--bare', remote]);
    execFileSync('chmod', ['-R', 'a+rwX', remote]);
    mkdirSync(join(folder, 'report'));
    chmodSync(join(folder, 'report'), 0o777);
    const script = [
      'carrierspec run context-absent --out report',
      'git init --quiet . && git config --global --add safe.directory "*"',
      'git remote add origin /remote && publish-history report',
    ].join(' && ');
    const volumes = { '/work': folder, '/remote': remote };
    const env = { HOME: '/work' };
    const { code, said } = startContainer({ image: image('history'), args: ['bash', '-c', script], volumes, env });
    expect(`${code}\n${said}`).toMatch(/^0\n/);
    const ls = ['-C', remote, 'ls-tree', '--name-only', 'carrierspec-history', 'docs/'];
    expect(execFileSync('git', ls, { encoding: 'utf8' })).toContain('docs/index.html');
  }, 120_000);
});
