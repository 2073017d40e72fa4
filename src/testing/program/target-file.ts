import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { findFreePort, referenceRegistrations, referenceSecret } from '../../setup/reference.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { type RunningProcess, root, startCli } from './spawn-cli.ts';

const reference = join(root, 'fixtures/reference');

const folders: string[] = [];
const carriers: RunningProcess[] = [];

/** Ends the carriers and removes the folders created since the last call. */
export async function cleanUp(): Promise<void> {
  for (const carrier of carriers) carrier.interrupt();
  await Promise.all(carriers.splice(0).map(({ ended }) => ended));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Creates an empty folder that is removed after the file's tests. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carrierspec-'));
  folders.push(folder);
  return folder;
}

/** Creates a folder with these files, by relative path. */
export function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** `--message` with a file of these members, as JSON, which is valid YAML. */
export const messageFlag = (members: JsonObject): readonly ['--message', string] => [
  '--message',
  join(writeFolder({ 'message.yaml': JSON.stringify(members, undefined, 2) }), 'message.yaml'),
];

/** Writes a changed copy of the shipped target file to its own folder, as JSON, which is valid YAML. */
export function writeTarget(change: (target: JsonObject) => JsonObject): string {
  const text = readFileSync(join(reference, 'carrier.yaml'), 'utf8').replaceAll(
    'file: keys/',
    `file: ${reference}/keys/`,
  );
  const parsed: unknown = parse(text);
  if (!isJsonObject(parsed)) throw new Error('the shipped target file is no mapping');
  return join(writeFolder({ 'carrier.yaml': JSON.stringify(change(parsed), undefined, 2) }), 'carrier.yaml');
}

/** Writes such a copy with other drivers for some actions. */
export const writeTargetWith = (drivers: JsonObject): string =>
  writeTarget((target) => ({
    ...target,
    drivers: { ...(isJsonObject(target['drivers']) ? target['drivers'] : {}), ...drivers },
  }));

/** Copy of a mapping without some members. */
export function withoutNames(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** `carrierspec carrier` in its own process, with the environment of the target file. */
export interface SpawnedCarrier {
  readonly process: RunningProcess;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a carrier, on a virtual clock unless `args` say otherwise; it ends after the file's tests. */
export async function startCarrier(
  args: readonly string[] = ['--clock', 'virtual'],
  timeLimit = 300_000,
  own: Readonly<Record<string, string>> = {},
): Promise<SpawnedCarrier> {
  const port = await findFreePort();
  const where = ['--port', '0', '--admin-port', '0', '--receiver', `http://127.0.0.1:${port}`];
  const running = startCli(['carrier', ...where, ...args], { timeLimit, env: own });
  carriers.push(running);
  const [, origin = ''] = await running.stderr(/^reference carrier +(\S+)$/m);
  const [, admin = ''] = await running.stderr(/^admin API +(\S+)$/m);
  await running.stderr(/Ctrl-C stops it/);
  return {
    process: running,
    env: {
      REFERENCE_ORIGIN: origin,
      REFERENCE_ADMIN: admin,
      REFERENCE_RECEIVER_PORT: String(port),
      REFERENCE_SECRET: referenceSecret(referenceRegistrations('')),
    },
  };
}

export interface RealTimeCarrier extends SpawnedCarrier {
  /** Path of its target file. */
  readonly target: string;
}

/** Starts a carrier in real time, with a changed target file; `own` is the environment of its process. */
export async function startInRealTime(
  change: (target: JsonObject) => JsonObject = (given) => given,
  own: Readonly<Record<string, string>> = {},
): Promise<RealTimeCarrier> {
  const carrier = await startCarrier(['--clock', 'real'], undefined, own);
  return { ...carrier, target: writeTarget((given) => change(withoutNames(given, 'clock'))) };
}

/** Environment of the shipped target file if no carrier is running. */
export const envWithoutCarrier = {
  REFERENCE_ORIGIN: 'http://127.0.0.1:9',
  REFERENCE_ADMIN: 'http://127.0.0.1:9',
  REFERENCE_RECEIVER_PORT: '0',
  REFERENCE_SECRET: 'a-secret-of-nobody',
} as const;

export async function stopCarrier({ process: running }: SpawnedCarrier): Promise<void> {
  running.interrupt();
  await running.ended;
}
