import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { packageFile, readPackageText } from '../lib/package-file.ts';
import { CarrierspecError } from '../model/problem.ts';
import { referenceFolder } from './paths.ts';
import { dirname } from 'node:path';

/** The reference carrier in its own thread, with the environment that its target file reads. */
export interface RunningReference {
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Below the ephemeral ports, so that no outgoing connection takes the port in the meantime. */
const carrierPorts = { from: 20_000, to: 32_000 };
const maxPortTries = 20;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Finds a port that is free now: the carrier must know the receiver's URIs before either starts. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < maxPortTries; attempt += 1) {
    const port = randomInt(carrierPorts.from, carrierPorts.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${maxPortTries} ports from ${carrierPorts.from} to ${carrierPorts.to} is free`);
}

export const referenceTarget = `${referenceFolder}/carrier.yaml`;

export function referenceRegistrations(receiver: string): unknown {
  const text = readPackageText(`${referenceFolder}/registrations.json`);
  const parsed: unknown = JSON.parse(text.replaceAll(/\$\{RECEIVER\}/g, receiver));
  return parsed;
}

/** Client secret of the reference carrier's client that has no keys. */
export function referenceSecret(registrations: unknown): string {
  const clients = typeof registrations === 'object' && registrations !== null && 'clients' in registrations;
  const list: unknown = clients ? registrations.clients : [];
  for (const client of Array.isArray(list) ? list : []) {
    const one: unknown = client;
    if (typeof one === 'object' && one !== null && 'secret' in one && typeof one.secret === 'string') return one.secret;
  }
  return '';
}

/** Environment variables that the shipped target file reads. */
export function referenceEnv(
  { origin, adminOrigin }: { readonly origin: string; readonly adminOrigin: string },
  registrations: unknown,
  receiverPort: string,
): Readonly<Record<string, string>> {
  return {
    REFERENCE_ORIGIN: origin,
    REFERENCE_ADMIN: adminOrigin,
    REFERENCE_RECEIVER_PORT: receiverPort,
    REFERENCE_SECRET: referenceSecret(registrations),
  };
}

const isStarted = (message: unknown): message is { origin: string; adminOrigin: string } =>
  typeof message === 'object' && message !== null && 'origin' in message && 'adminOrigin' in message;

const isRefused = (message: unknown): message is { refused: string } =>
  typeof message === 'object' && message !== null && 'refused' in message && typeof message.refused === 'string';

/** Resolves to the carrier's addresses. A thread error before the start rejects as our own fault; nothing catches a later one. */
function awaitStart(worker: Worker): Promise<{ readonly origin: string; readonly adminOrigin: string }> {
  return new Promise((resolve, reject) => {
    const refuse = (message: string): void => reject(new CarrierspecError(message, { code: 'reference-carrier' }));
    worker.once('error', reject);
    worker.once('message', (message: unknown) => {
      worker.off('error', reject);
      if (isStarted(message)) resolve(message);
      else if (isRefused(message)) refuse(message.refused);
      else reject(new TypeError('the reference carrier did not start'));
    });
  });
}

/** A started carrier thread with its faults. */
interface CarrierThread {
  readonly faults: string;
  readonly worker: Worker;
  readonly running: Promise<RunningReference>;
}

/** A carrier with faults runs in the laboratory's thread; any other loads nothing of the laboratory. */
const threadFile = (faults: readonly string[]): string =>
  faults.length === 0 ? 'carrier-worker.js' : 'altered-carrier-worker.js';

async function launch(faults: readonly string[]): Promise<CarrierThread> {
  const port = await findFreePort();
  const registrations = referenceRegistrations(`http://127.0.0.1:${port}`);
  const worker = new Worker(packageFile(`dist/bundle/${threadFile(faults)}`), {
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
    workerData: { registrations, clock: 'virtual', faults },
  });
  // A run that fails to start does not close the carrier, so the thread must not keep the process alive.
  worker.unref();
  const running = awaitStart(worker).then((started) => ({
    env: referenceEnv(started, registrations, String(port)),
    close: async () => void (await worker.terminate()),
  }));
  // The caller that awaits it gets the error.
  running.catch(() => undefined);
  return { faults: faults.join(), worker, running };
}

let earlyCarrier: Promise<CarrierThread> | undefined;

/** Starts the chosen reference carrier while the program is still loading. */
export function beginReference({ target, fault }: CarrierChoice): void {
  if (target !== undefined) return;
  earlyCarrier = launch(fault);
  earlyCarrier.catch(() => undefined);
}

/** Starts the reference carrier on a virtual clock. Throws if a fault does not exist. */
export async function startReference(faults: readonly string[]): Promise<RunningReference> {
  const early = await earlyCarrier;
  earlyCarrier = undefined;
  const launched = early?.faults === faults.join() ? early : await launch(faults);
  // Keeps the process alive until the carrier has started, because nothing else may be pending.
  launched.worker.ref();
  const running = await launched.running;
  launched.worker.unref();
  return running;
}

/** Carrier that a command talks to; without a target, the embedded reference carrier. */
export interface CarrierChoice {
  readonly target?: string;
  readonly fault: readonly string[];
}

/** Throws if faults are requested together with a target file. */
export function requireOneCarrier({ target, fault }: CarrierChoice): void {
  if (target === undefined || fault.length === 0) return;
  const message = '--fault is for the embedded reference carrier; it does not go with --target';
  throw new CarrierspecError(message, { code: 'bad-flag' });
}

/** Starts the embedded reference carrier with its faults; undefined if a target file names another carrier. */
export async function startChosenCarrier({ target, fault }: CarrierChoice): Promise<RunningReference | undefined> {
  return target === undefined ? startReference(fault) : undefined;
}

/** Values known only after the carrier's start, and the file of its secret, which a target file may not contain. */
interface ReferenceValues {
  readonly env: Readonly<Record<string, string>>;
  readonly clock: 'real' | 'virtual';
  /** Path as written in the target file. */
  readonly secretFile: string;
}

/** The `clock` section with its indented lines. */
const clockSection = /^clock:\n(?: .*\n)*/m;

/** The shipped target file with its environment filled in. A real clock leaves out the section `clock`. */
export function referenceTargetText({ env, clock, secretFile }: ReferenceValues): string {
  const shipped = readPackageText(referenceTarget);
  const text = clock === 'real' ? shipped.replace(clockSection, '') : shipped;
  const valueFor = (name: string): string => env[name] ?? '';
  const quoted = (value: string): string => (/^\d+$/.test(value) ? value : JSON.stringify(value));
  return text
    .replace(/^(?:#.*\n)+/, '# The reference carrier as carrierspec carrier has started it.\n')
    .replaceAll('secret: { env: REFERENCE_SECRET }', `secret: { file: ${JSON.stringify(secretFile)} }`)
    .replaceAll(/\{ env: (\w+) \}/g, (_, name: string) => quoted(valueFor(name)))
    .replaceAll(/\{\{ env\.(\w+) \}\}/g, (_, name: string) => valueFor(name))
    .replaceAll('file: keys/', `file: ${dirname(referenceTarget)}/keys/`);
}
