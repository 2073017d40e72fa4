import { renameKeys, version1 } from '../suite/yaml/version-1.ts';
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Place, ProofFormat, Target } from '../model/target.ts';
import { checkSchema, readSchema } from '../suite/grammar/check-schema.ts';
import { at, type Cursor, entries, keyPlace, rootOf, text } from '../suite/yaml/cursor.ts';
import { readYaml, type YamlDocument } from '../suite/yaml/document.ts';
import { parseDuration } from '../lib/duration.ts';
import { createProblems } from '../suite/yaml/problems.ts';
import { clearSecrets } from './inline-secrets.ts';
import { loadAttestation } from './load-attestation.ts';
import { loadCalling, loadReceiver } from './load-calling.ts';
import { loadCancel, requirePlaces } from './load-cancel.ts';
import { loadClient } from './load-client.ts';
import { loadClock, loadDrivers } from './load-drivers.ts';
import { loadSubscribers } from './load-subscribers.ts';
import { createMask, maskSyntax } from './mask.ts';
import { createReader, type Environment, type Reader } from './reader.ts';

export interface TargetOptions {
  readonly file: string;
  /** Path of suites/schema/target.json. */
  readonly schema: string;
  readonly env: Environment;
  /** Milliseconds since the epoch; nothing is attested that is still to come. */
  readonly now?: () => number;
}

const defaults = { requestTimeout: 10, deliveryTimeout: 30 };

/** Reads and checks a target file; every mistake at once, no secret in any. `target` is there when there is none. */
export function loadTarget({ file, schema, env, now = Date.now }: TargetOptions): {
  readonly target?: Target;
  readonly problems: readonly Problem[];
} {
  const problems = createProblems();
  const { document: written } = renameKeys(readYaml(file), version1['target'] ?? []);
  const validate = readSchema(schema);
  const { document, hidden, problems: inline } = clearSecrets(written);
  const mask = createMask({ schema: validate.schema, json: document.json, hidden });
  const report = (problem: Problem): void => problems.report(mask(problem));
  for (const problem of written.problems) report(maskSyntax(problem));
  if (written.problems.length === 0) {
    for (const problem of [...inline, ...checkSchema(document, validate)]) report(problem);
  }
  if (problems.sorted().length > 0) return { problems: problems.sorted() };
  const reader = createReader(env, resolve(dirname(file)), report);
  const target = compile(document, file, reader);
  const attestations = entries(at(rootOf(document), 'attestations')).map(([rule, cursor]) =>
    loadAttestation(rule, cursor, { reader, now: now(), mask }),
  );
  return problems.sorted().length > 0
    ? { problems: problems.sorted() }
    : {
        target: { ...target, attestations, supportsPlaces: placesOf(at(rootOf(document), 'supports'), mask) },
        problems: [],
      };
}

/** Where each word stands, and its line as it may be shown. */
function placesOf(cursor: Cursor, mask: (problem: Problem) => Problem): ReadonlyMap<string, Place> {
  return new Map(
    entries(cursor).map(([name, one]) => {
      const problem = one.document.problem({ code: 'unknown-name', message: '', position: keyPlace(one) });
      const { position, sourceLine } = mask(problem);
      return [name, { position, ...(sourceLine === undefined ? {} : { sourceLine }) }] as const;
    }),
  );
}

function compile(document: YamlDocument, file: string, reader: Reader): Target {
  const root = rootOf(document);
  const clients = entries(at(root, 'clients')).map(([name, cursor]) => loadClient(name, cursor, reader));
  const names = new Set(clients.map(({ name }) => name));
  const clock = at(root, 'clock').value === undefined ? {} : { clock: loadClock(at(root, 'clock'), reader) };
  const cancel = at(root, 'cancel').value === undefined ? {} : { cancel: loadCancel(at(root, 'cancel'), reader) };
  const traceHeader = text(at(root, 'trace_header'));
  const proof = proofs.find((format) => format === at(root, 'proof').value);
  return {
    name: text(at(root, 'carrier')) ?? '',
    file,
    fingerprint: `sha256:${createHash('sha256').update(JSON.stringify(document.json)).digest('hex')}`,
    mccmnc: text(at(root, 'mccmnc')) ?? '',
    ...loadPlaces(root, reader),
    clients,
    subscribers: loadSubscribers(at(root, 'subscribers'), names, reader),
    supports: loadSwitches(at(root, 'supports')),
    receiver: loadReceiver(at(root, 'receiver'), reader),
    ...loadCalling(root, reader),
    drivers: loadDrivers(at(root, 'drivers'), reader),
    ...clock,
    ...cancel,
    requestTimeout: parseDuration(text(at(root, 'request_timeout')) ?? '') ?? defaults.requestTimeout,
    deliveryTimeout: parseDuration(text(at(root, 'delivery_timeout')) ?? '') ?? defaults.deliveryTimeout,
    ...(proof === undefined ? {} : { proof }),
    ...(traceHeader === undefined ? {} : { traceHeader }),
  };
}

const proofs: readonly ProofFormat[] = ['taap', 'jwt', 'dpop'];

/** Where the carrier is: by discovery, by what the file names, or both. */
function loadPlaces(root: Cursor, reader: Reader): Pick<Target, 'discovery' | 'issuer' | 'endpoints'> {
  const written = at(root, 'endpoints');
  if (at(root, 'discovery').value === undefined && at(written, 'server_initiated').value === undefined) {
    reader.complain(root, 'missing-key', 'the target needs "discovery", or "endpoints" with "server_initiated"');
  }
  const discovery = reader.url(at(root, 'discovery'));
  const issuer = reader.url(at(root, 'issuer'));
  const endpoints = entries(written).flatMap(([name, cursor]) => {
    const url = reader.url(cursor);
    if (name === 'cancel' && url !== undefined) requirePlaces(cursor, url, reader);
    return url === undefined ? [] : [[name, url] as const];
  });
  return {
    ...(discovery === undefined ? {} : { discovery }),
    ...(issuer === undefined ? {} : { issuer }),
    endpoints: Object.fromEntries(endpoints),
  };
}

export function loadSwitches(cursor: Cursor): Record<string, boolean> {
  return Object.fromEntries(entries(cursor).map(([name, { value }]) => [name, value === true] as const));
}
