import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { packageFile } from '../lib/package-file.ts';
import { suggestionHint, nearNames } from '../lib/suggest.ts';
import { CarrierspecError } from '../model/problem.ts';
import { referenceFolder } from './paths.ts';
import { dirname } from 'node:path';
import { readUserText } from '../lib/read-file.ts';

/** The reference carrier in a thread of its own, with what its target file reads from the environment. */
export interface RunningReference {
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Below the ports that systems give to outgoing connections, so that none of those takes it meanwhile. */
const ports = { from: 20_000, to: 32_000 };
const mostTries = 20;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A port that is free now. The carrier must know the receiver's URIs before either is there. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const port = randomInt(ports.from, ports.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${mostTries} ports from ${ports.from} to ${ports.to} is free`);
}

export const referenceTarget = `${referenceFolder}/carrier.yaml`;

export function referenceRegistrations(receiver: string): unknown {
  const text = readFileSync(`${referenceFolder}/registrations.json`, 'utf8');
  const parsed: unknown = JSON.parse(text.replaceAll(/\$\{RECEIVER\}/g, receiver));
  return parsed;
}

/** The client secret of the reference carrier's registration without keys. */
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

/** Adds similar names if a fault does not exist; the carrier itself compares no words. */
async function describeRefusal(message: string, faults: readonly string[]): Promise<string> {
  const wrong = faults.find((name) => message === `there is no fault ${name}`);
  if (wrong === undefined) return message;
  const { carrierFaultNames: faultNames, variantNames } = await import('../carrier/catalogue.ts');
  const hint =
    suggestionHint(nearNames(wrong, [...faultNames(), ...variantNames()])) ?? 'carrierspec list --faults has them';
  return `${message}; ${hint}`;
}

/** Resolves to the addresses of a thread's carrier. An error of the thread is our own fault, and after the start nothing catches it. */
function startedIn(
  worker: Worker,
  faults: readonly string[],
): Promise<{ readonly origin: string; readonly adminOrigin: string }> {
  return new Promise((resolve, reject) => {
    const refuse = (message: string): void => reject(new CarrierspecError(message, { code: 'reference-carrier' }));
    worker.once('error', reject);
    worker.once('message', (message: unknown) => {
      worker.off('error', reject);
      if (isStarted(message)) resolve(message);
      else if (isRefused(message)) describeRefusal(message.refused, faults).then(refuse, reject);
      else reject(new TypeError('the reference carrier did not start'));
    });
  });
}

/** A carrier whose thread has been started, with the faults that it has. */
interface Launched {
  readonly faults: string;
  readonly worker: Worker;
  readonly running: Promise<RunningReference>;
}

async function launch(faults: readonly string[]): Promise<Launched> {
  const port = await freePort();
  const registrations = referenceRegistrations(`http://127.0.0.1:${port}`);
  const worker = new Worker(packageFile('dist/bundle/carrier-worker.js'), {
    workerData: { registrations, clock: 'virtual', faults },
  });
  // A run that cannot begin ends without closing it: the thread must not keep the process.
  worker.unref();
  const running = startedIn(worker, faults).then((started) => ({
    env: referenceEnv(started, registrations, String(port)),
    close: async () => void (await worker.terminate()),
  }));
  // A caller that awaits it gets the error.
  running.catch(() => undefined);
  return { faults: faults.join(), worker, running };
}

let begun: Promise<Launched> | undefined;

/** Starts the carrier that a command is going to ask for, while the program is still being loaded. */
export function beginChosen({ target, fault }: CarrierChoice): void {
  if (target !== undefined) return;
  begun = launch(fault);
  begun.catch(() => undefined);
}

/** Starts the reference carrier on a virtual clock. Throws where a fault does not exist. */
export async function startReference(faults: readonly string[]): Promise<RunningReference> {
  const early = await begun;
  begun = undefined;
  const launched = early?.faults === faults.join() ? early : await launch(faults);
  // Nothing else may be under way while it starts.
  launched.worker.ref();
  const running = await launched.running;
  launched.worker.unref();
  return running;
}

/** Which carrier a command speaks to; without a target, the embedded reference carrier. */
export interface CarrierChoice {
  readonly target?: string;
  readonly fault: readonly string[];
}

/** Throws where a defect is asked for of a carrier that is not ours. */
export function requireOneCarrier({ target, fault }: CarrierChoice): void {
  if (target === undefined || fault.length === 0) return;
  const message = '--fault is for the embedded reference carrier; it does not go with --target';
  throw new CarrierspecError(message, { code: 'bad-flag' });
}

/** The embedded reference carrier with its defects; nothing where a target file names another carrier. */
export async function startChosen({ target, fault }: CarrierChoice): Promise<RunningReference | undefined> {
  return target === undefined ? startReference(fault) : undefined;
}

/** Values known only after the carrier's start, and the file of its secret, which a target file may not contain. */
interface Known {
  readonly env: Readonly<Record<string, string>>;
  readonly clock: 'real' | 'virtual';
  /** Path, as the target file names it. */
  readonly secretFile: string;
}

/** The section `clock` with all that is below it. */
const clockSection = /^clock:\n(?: .*\n)*/m;

/** The shipped target file with its environment filled in, and without `clock` for a clock that runs by itself. */
export function referenceTargetText({ env, clock, secretFile }: Known): string {
  const shipped = readUserText(referenceTarget, 'yaml');
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
