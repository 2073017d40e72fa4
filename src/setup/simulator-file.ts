import { renameKeys, version1 } from '../suite/yaml/version-1.ts';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Problem } from '../model/problem.ts';
import type { Identity } from '../model/target.ts';
import { checkSchema, readSchema } from '../suite/grammar/check-schema.ts';
import { at, type Cursor, entries, items, place, rootOf, text, texts } from '../suite/yaml/cursor.ts';
import { readYaml } from '../suite/yaml/document.ts';
import { createProblems } from '../suite/yaml/problems.ts';
import { nearest } from '../lib/suggest.ts';
import { loadIdentity } from '../target/load-pem.ts';
import { createReader, type Environment, type Reader } from '../target/reader.ts';
import { packageRoot } from './paths.ts';
import { type ApprovalRule, loadApproval } from './simulator-approval.ts';
import { loadSimulatedClient } from './simulator-client.ts';
import { loadSimulatedSubscriber } from './simulator-subscriber.ts';

/** A reference carrier to develop against, as simulator.yaml describes it. */
export interface SimulatorFile {
  /** As in fixtures/reference/registrations.json. */
  readonly registrations: JsonObject;
  readonly approvals: readonly ApprovalRule[];
  readonly faults: readonly string[];
  readonly port?: number;
  readonly adminPort?: number;
  readonly clock?: string;
  readonly receiver: string;
  readonly tls?: Identity;
}

export const simulatorSchema = `${packageRoot}/suites/schema/simulator.json`;

/** Reads a simulator file; every mistake at once, with its place. `simulator` is there when there is none. */
export function loadSimulator(
  file: string,
  env: Environment,
  faults: ReadonlySet<string>,
): { readonly simulator?: SimulatorFile; readonly problems: readonly Problem[] } {
  const problems = createProblems();
  const { document } = renameKeys(readYaml(file), version1['simulator'] ?? []);
  const inline = inlineSecrets(rootOf(document));
  const broken = [...document.problems, ...inline];
  // What else is said of such a file could quote the secret.
  if (broken.length === 0) broken.push(...checkSchema(document, readSchema(simulatorSchema)));
  for (const problem of broken) problems.report(problem);
  if (broken.length > 0) return { problems: problems.sorted() };
  const reader = createReader(env, resolve(dirname(file)), problems.report);
  requireFaults(items(at(rootOf(document), 'faults')), faults, reader);
  const simulator = compile(rootOf(document), reader);
  return problems.sorted().length > 0 ? { problems: problems.sorted() } : { simulator, problems: [] };
}

/** Secrets that are written in the file, told without their lines. */
function inlineSecrets(root: Cursor): readonly Problem[] {
  return entries(at(root, 'clients')).flatMap(([, client]): readonly Problem[] => {
    const secret = at(client, 'secret');
    if (secret.value === undefined || isJsonObject(secret.value)) return [];
    const message = 'a client secret does not belong in this file';
    return [{ code: 'secret-inline', message, position: place(secret), hint: 'write { env: NAME } or { file: PATH }' }];
  });
}

function requireFaults(cursors: readonly Cursor[], faults: ReadonlySet<string>, reader: Reader): void {
  for (const cursor of cursors) {
    const name = text(cursor) ?? '';
    if (faults.has(name)) continue;
    const near = nearest(name, faults);
    const advice = near === undefined ? '' : `; did you mean "${near}"?`;
    reader.complain(cursor, 'unknown-fault', `there is no fault ${name}${advice}`);
  }
}

const defaults = { mccmnc: '001010', receiver: 'http://127.0.0.1:8602' };

const numberAt = (cursor: Cursor): number | undefined => (typeof cursor.value === 'number' ? cursor.value : undefined);

function requireUnique(cursors: readonly (readonly [value: string, cursor: Cursor])[], what: string, reader: Reader) {
  const seen = new Set<string>();
  for (const [value, cursor] of cursors) {
    if (seen.has(value)) reader.complain(cursor, 'duplicate-id', `${what} stands twice`);
    seen.add(value);
  }
}

function loadRegistrations(root: Cursor, receiver: string, reader: Reader): JsonObject {
  const mccmnc = text(at(root, 'mccmnc')) ?? defaults.mccmnc;
  const issuer = reader.url(at(root, 'issuer'));
  const [clients, subscribers] = [entries(at(root, 'clients')), entries(at(root, 'subscribers'))];
  const names = clients.map(([name]) => name);
  const registered = clients.map(([name, one]) => loadSimulatedClient(name, one, { receiver, reader }));
  const ids = clients.map(([, one]) => [reader.text(at(one, 'client_id')) ?? '', at(one, 'client_id')] as const);
  requireUnique(ids, 'this client_id', reader);
  const people = subscribers.map(([name, one]) =>
    loadSimulatedSubscriber(name, one, { mccmnc, clients: names, reader }),
  );
  requireUnique(
    subscribers.map(([, one]) => [text(at(one, 'phone')) ?? '', at(one, 'phone')] as const),
    'this phone number',
    reader,
  );
  const subs = subscribers.flatMap(([, one]) => entries(at(one, 'subs')));
  requireUnique(
    subs.map(([, sub]) => [text(sub) ?? '', sub] as const),
    'this subscriber id',
    reader,
  );
  const members: Record<string, Json> = { mccmnc, clients: registered, subscribers: people };
  return issuer === undefined ? members : { issuer, ...members };
}

function compile(root: Cursor, reader: Reader): SimulatorFile {
  const receiver = (reader.url(at(root, 'receiver')) ?? defaults.receiver).replace(/\/$/, '');
  const known = {
    client: entries(at(root, 'clients')).map(([name]) => name),
    subscriber: entries(at(root, 'subscribers')).map(([name]) => name),
  };
  const [port, adminPort, clock] = [
    numberAt(at(root, 'port')),
    numberAt(at(root, 'admin_port')),
    text(at(root, 'clock')),
  ];
  const tls = loadIdentity(at(root, 'tls'), reader);
  return {
    registrations: loadRegistrations(root, receiver, reader),
    approvals: items(at(root, 'approvals')).flatMap((one) => loadApproval(one, known, reader) ?? []),
    faults: texts(at(root, 'faults')) ?? [],
    receiver,
    ...(port === undefined ? {} : { port }),
    ...(adminPort === undefined ? {} : { adminPort }),
    ...(clock === undefined ? {} : { clock }),
    ...(tls === undefined ? {} : { tls }),
  };
}
