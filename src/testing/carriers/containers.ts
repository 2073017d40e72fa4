import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll } from 'vitest';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { describeUnless } from '../vitest/not-run.ts';
import { root } from '../program/spawn-cli.ts';
import { makeFolder } from '../program/target-file.ts';

const programs = ['buildah', 'podman', 'runc', 'mmdebstrap'];

const isThere = (program: string): boolean => spawnSync('which', [program]).status === 0;

/** Why containers cannot be tested here. */
function missingRequirement(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can make its base image';
  const missing = programs.filter((program) => !isThere(program));
  return missing.length === 0 ? undefined : `apt-get install ${missing.join(' ')}`;
}

interface ProgramResult {
  readonly code: number | null;
  /** Output on both streams. */
  readonly said: string;
}

function runProgram(program: string, args: readonly string[], cwd = root): ProgramResult {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return { code: status, said: stdout + stderr };
}

function mustRun(program: string, args: readonly string[], cwd?: string): string {
  const { code, said } = runProgram(program, args, cwd);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${said.slice(-4000)}`);
  return said;
}

let imageStorage = '';

/** Keeps images and containers in a folder of the test. */
const storageFlags = (): readonly string[] => [
  '--root',
  join(imageStorage, 'images'),
  '--runroot',
  join(imageStorage, 'state'),
];

const programFlags = (program: 'buildah' | 'podman'): readonly string[] =>
  program === 'buildah' ? storageFlags() : [...storageFlags(), '--runtime', 'runc', '--log-level', 'fatal'];

/** Limits, because a test machine may not be able to raise them. */
const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];

export const podman = (...args: readonly string[]): ProgramResult =>
  runProgram('podman', [...programFlags('podman'), ...args]);

interface Container {
  readonly image: string;
  readonly args?: readonly string[];
  readonly entrypoint?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Host folders by their paths in the container. */
  readonly volumes?: Readonly<Record<string, string>>;
  /** Runs in the background under this name. */
  readonly name?: string;
  /** Name of the container whose network it shares; without one it has no network. */
  readonly network?: string;
}

/** Starts a container that cannot write its root file system, and cannot gain any capability. */
export function startContainer(given: Container): ProgramResult {
  const { image, args = [], entrypoint, env = {}, volumes = {}, name, network } = given;
  const held = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', ...limits];
  const network_ = ['--network', network === undefined ? 'none' : `container:${network}`];
  const life = name === undefined ? ['--rm'] : ['--detach', '--name', name];
  const first = entrypoint === undefined ? [] : ['--entrypoint', entrypoint];
  const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const folders = Object.entries(volumes).flatMap(([path, folder]) => ['--volume', `${folder}:${path}`]);
  return podman('run', ...life, ...held, ...network_, ...first, ...variables, ...folders, image, ...args);
}

/** A folder that the image's user can write. */
export function folderOfContainer(): string {
  const folder = makeFolder();
  chmodSync(folder, 0o777);
  return folder;
}

/**
 * A base like Debian's Node image, which cannot be pulled here: Debian from its mirror, the Node of ci/nodes, npm, and this
 * machine's trusted authorities.
 */
function buildBase(name: string): void {
  const folder = join(imageStorage, 'base');
  mkdirSync(folder);
  mustRun('mmdebstrap', ['--variant=apt', '--include=libstdc++6', 'bookworm', join(folder, 'debian.tar')]);
  const node = join(root, 'ci/nodes/node_modules/n24/bin/node');
  if (!existsSync(node)) mustRun('npm', ['ci', '--prefix', join(root, 'ci/nodes'), '--ignore-scripts']);
  const own = join(folder, 'usr/local');
  mkdirSync(join(own, 'bin'), { recursive: true });
  cpSync(node, join(own, 'bin/node'));
  cpSync(join(dirname(process.execPath), '../lib/node_modules/npm'), join(own, 'lib/node_modules/npm'), {
    recursive: true,
  });
  writeFileSync(join(own, 'bin/npm'), '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n');
  chmodSync(join(own, 'bin/npm'), 0o755);
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  writeFileSync(join(own, 'authorities.pem'), authorities === undefined ? '' : readFileSync(authorities));
  const lines = [
    'FROM scratch',
    'ADD debian.tar /',
    'COPY usr /usr',
    'ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ];
  writeFileSync(
    join(folder, 'Dockerfile'),
    [...lines, 'ENV NODE_EXTRA_CA_CERTS=/usr/local/authorities.pem', ''].join('\n'),
  );
  mustRun('buildah', [...programFlags('buildah'), 'bud', '--isolation', 'chroot', '-t', name, '.'], folder);
}

/** Builds targets of the shipped Dockerfile on that base from the tarball alone, each tagged `carrierspec:TARGET`. */
export function buildImages(targets: readonly string[]): void {
  imageStorage = makeFolder();
  buildBase('localhost/node');
  const context = makeFolder();
  mustRun('npm', ['pack', '--ignore-scripts', '--pack-destination', context]);
  const file = join(root, 'docs/container/Dockerfile');
  const given = ['--ignorefile', `${file}.dockerignore`, '--build-arg', 'NODE_IMAGE=localhost/node'];
  const how = [...programFlags('buildah'), 'bud', '--isolation', 'chroot', '--layers', '--format', 'docker', ...given];
  for (const target of targets)
    mustRun('buildah', [...how, '--target', target, '-t', `localhost/carrierspec:${target}`, '-f', file, context]);
}

/** Configuration of an image or a container. */
export const inspectObject = (name: string): JsonObject => {
  const { said } = podman('inspect', name);
  const given: unknown = JSON.parse(said);
  const first: unknown = Array.isArray(given) ? given[0] : undefined;
  return isJsonObject(first) ? first : {};
};

/** Tests with containers built from the shipped Dockerfile. */
export function describeInContainers(title: string, tests: () => void): void {
  describeUnless(missingRequirement(), title, () => {
    afterAll(() => {
      podman('rm', '--all', '--force');
      podman('rmi', '--all', '--force');
      rmSync(imageStorage, { recursive: true, force: true });
    });
    tests();
  });
}
