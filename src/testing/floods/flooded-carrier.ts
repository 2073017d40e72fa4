import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isJsonObject, type Json, type JsonObject, readMember, renderPlain } from '../../lib/json.ts';
import { packageFile } from '../../lib/package-file.ts';
import { drawUnguessable } from '../../lib/unguessable-part.ts';
import { findFreePort, referenceEnv, referenceRegistrations } from '../../setup/reference.ts';
import { root, spawnCli } from '../program/spawn-cli.ts';
import { withoutNames, makeFolder, writeTarget } from '../program/target-file.ts';
import { startFlood } from './floods.ts';

/** Whether the registered URIs are unguessable, or deliveries cannot be authenticated. */
export type DeliveryDoor = 'locked' | 'unlocked';

/** A reference carrier in its own thread, registered with the URIs of its own target file. */
export interface FloodedCarrier {
  readonly env: Readonly<Record<string, string>>;
  readonly target: string;
  readonly issuer: string;
  /** Port of the receiver. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

type Rewrite = (uri: string) => string;

function rewriteClient(client: Json, rewrite: Rewrite): Json {
  if (!isJsonObject(client)) return client;
  const { notification_uris: uris, event_uri: events } = client;
  return {
    ...client,
    ...(Array.isArray(uris) ? { notification_uris: uris.map((uri: Json) => rewrite(renderPlain(uri))) } : {}),
    ...(typeof events === 'string' ? { event_uri: rewrite(events) } : {}),
  };
}

const rewriteEach = (clients: Json | undefined, rewrite: Rewrite): Json => {
  if (Array.isArray(clients)) return clients.map((client: Json) => rewriteClient(client, rewrite));
  if (!isJsonObject(clients)) return [];
  return Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, rewriteClient(client, rewrite)]));
};

function writeFloodedTarget(target: JsonObject, rewrite: Rewrite): JsonObject {
  const { receiver, clients = {}, ...rest } = target;
  const without = isJsonObject(receiver) ? withoutNames(receiver, 'sources') : {};
  return { ...rest, receiver: without, clients: rewriteEach(clients, rewrite) };
}

function started(worker: Worker): Promise<{ readonly origin: string; readonly adminOrigin: string }> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (message: unknown) => {
      const [origin, adminOrigin] = [readMember(message, 'origin'), readMember(message, 'adminOrigin')];
      if (typeof origin === 'string' && typeof adminOrigin === 'string') resolve({ origin, adminOrigin });
      else reject(new TypeError('the reference carrier did not start'));
    });
  });
}

export async function startFloodedCarrier(door: DeliveryDoor): Promise<FloodedCarrier> {
  const port = await findFreePort();
  const segment = drawUnguessable();
  const rewrite: Rewrite = (uri) => (door === 'locked' ? `${uri}/${segment}` : uri);
  const given = referenceRegistrations(`http://127.0.0.1:${port}`);
  if (!isJsonObject(given)) throw new TypeError('the registrations are no object');
  const registrations = { ...given, clients: rewriteEach(given['clients'], rewrite) };
  const worker = new Worker(packageFile('dist/bundle/carrier-worker.js'), {
    workerData: { registrations, clock: 'virtual' },
  });
  const where = await started(worker);
  return {
    env: referenceEnv(where, registrations, String(port)),
    target: writeTarget((target) => writeFloodedTarget(target, rewrite)),
    issuer: where.origin,
    port,
    close: async () => void (await worker.terminate()),
  };
}

/** The carrier's client that the floods address. */
export const floodedClient = 'ccid-conftestclient01';

/** A flood beside a run, and the path that it goes to. */
export interface BesideFlood {
  readonly flood: string;
  readonly path: string;
}

export interface FloodedRun {
  readonly code: number | null;
  readonly stderr: string;
  /** Verdict of each case by id, and the reason if it is inconclusive. */
  readonly cases: ReadonlyMap<string, { readonly verdict: string; readonly reason: string }>;
  /** Verdict of each rule by id. */
  readonly rules: ReadonlyMap<string, string>;
  /** Unauthenticated deliveries, according to the footer. */
  readonly strangers: number;
  readonly sent: number;
  readonly seconds: number;
  /** Peak resident memory. */
  readonly mebibytes: number;
}

const objectList = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

function readResult(folder: string) {
  const result: unknown = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
  const cases = objectList(readMember(result, 'cases')).map(
    ({ id, verdict, reason = '' }) =>
      [renderPlain(id), { verdict: renderPlain(verdict), reason: renderPlain(reason) }] as const,
  );
  const rules = objectList(readMember(result, 'rules')).map(
    ({ id, verdict }) => [renderPlain(id), renderPlain(verdict)] as const,
  );
  const strangers = Number(readMember(readMember(result, 'footer'), 'strangers') ?? 0);
  return { cases: new Map(cases), rules: new Map(rules), strangers };
}

/** Runs the program against the carrier, with floods from before it listens until it ends. */
export async function runUnderFlood(
  { env, target, issuer, port }: FloodedCarrier,
  what: readonly string[],
  beside: readonly BesideFlood[],
): Promise<FloodedRun> {
  const folder = makeFolder();
  const peak = join(folder, 'peak');
  const floods = beside.map(({ flood, path }) => startFlood(flood, { port, path, issuer, clientId: floodedClient }));
  const begun = performance.now();
  const ended = await spawnCli(['run', ...what, '--target', target, '--out', folder], {
    env: { ...env, PEAK_FILE: peak },
    node: ['--import', `file://${root}/bench/peak.js`],
    timeLimit: 300_000,
  });
  const seconds = (performance.now() - begun) / 1000;
  const sent = await Promise.all(floods.map(({ stop }) => stop()));
  return {
    code: ended.code,
    stderr: ended.stderr,
    ...readResult(folder),
    sent: sent.reduce((sum, one) => sum + one, 0),
    seconds,
    mebibytes: Math.round(Number(readFileSync(peak, 'utf8')) / 1024),
  };
}

/** Verdicts that differ from those of a quiet run; an unlocked door may cost a case its verdict. */
export function changedVerdicts(run: FloodedRun, quiet: FloodedRun, door: DeliveryDoor): readonly string[] {
  const changed: string[] = [];
  for (const [id, { verdict: expected }] of quiet.cases) {
    const { verdict = 'gone', reason = '' } = run.cases.get(id) ?? {};
    const mayBeUntold = door === 'unlocked' && verdict === 'inconclusive' && reason.includes(unattributedReason);
    if (verdict !== expected && !mayBeUntold) changed.push(`${id}: ${expected}, then ${verdict} ${reason}`);
  }
  for (const [id, expected] of quiet.rules) {
    const verdict = run.rules.get(id) ?? 'gone';
    const mayBeUntold = door === 'unlocked' && verdict === 'inconclusive';
    if (verdict !== expected && !mayBeUntold) changed.push(`${id}: ${expected}, then ${verdict}`);
  }
  return changed;
}

/** Part of the reason of a case whose deliveries could not be authenticated. */
export const unattributedReason = 'could be attributed to the carrier';
