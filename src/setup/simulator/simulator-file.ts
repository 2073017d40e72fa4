import {
  at,
  type Cursor,
  entries,
  items,
  place,
  documentRoot,
  cursorText,
  readYaml,
} from '../../suite/yaml/document.ts';
import { dirname, resolve } from 'node:path';
import { omitUndefined, isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { Problem } from '../../model/problem.ts';
import type { Identity } from '../../model/target.ts';
import { checkSchema, grammarValidator } from '../../suite/grammar/check-schema.ts';
import { parseDuration } from '../../lib/duration.ts';
import { createProblems } from '../../suite/yaml/problems.ts';
import { nearestName, suggestKnown } from '../../lib/suggestion.ts';
import { type GivenApproval, type GivenSimulator, simulatorGrammar } from '../../target/grammar/simulator.ts';
import { loadIdentity } from '../../target/load-connection.ts';
import { createReader, type Environment, type TargetReader } from '../../target/reader.ts';
import { loadSimulatedClient, loadSimulatedSubscriber } from './registrations.ts';

/** A reference carrier to develop against, as simulator.yaml describes it. */
export interface SimulatorFile {
  /** Registrations in the form of fixtures/reference/registrations.json. */
  readonly registrations: JsonObject;
  readonly approvals: readonly ApprovalRule[];
  readonly faults: readonly string[];
  readonly port?: number;
  readonly adminPort?: number;
  readonly clock?: 'real' | 'virtual';
  readonly receiver: string;
  /** `either`, `token_endpoint` or `issuer`; absent if the file does not set it. */
  readonly assertionAudience?: string;
  readonly tls?: Identity;
}

/** Reads a simulator file and reports every mistake with its position. `simulator` is absent if there are mistakes. */
export function loadSimulator(
  file: string,
  env: Environment,
  faults: ReadonlySet<string>,
): { readonly simulator?: SimulatorFile; readonly problems: readonly Problem[] } {
  const problems = createProblems();
  const document = readYaml(file);
  const inline = inlineSecrets(documentRoot(document));
  const broken = [...document.problems, ...inline];
  // Reported alone, because any other message about such a file could quote the secret.
  if (broken.length === 0) broken.push(...checkSchema(document, grammarValidator(simulatorGrammar)));
  for (const problem of broken) problems.report(problem);
  const given = simulatorGrammar.read(documentRoot(document));
  if (broken.length > 0 || given === undefined) return { problems: problems.sorted() };
  const reader = createReader(env, resolve(dirname(file)), problems.report);
  requireFaults(items(at(given.cursor, 'faults')), faults, reader);
  const simulator = compileSimulator(given, reader);
  return problems.sorted().length > 0 ? { problems: problems.sorted() } : { simulator, problems: [] };
}

/** Reports secrets written in the file, without quoting their lines. */
function inlineSecrets(root: Cursor): readonly Problem[] {
  return entries(at(root, 'clients')).flatMap(([, client]): readonly Problem[] => {
    const secret = at(client, 'secret');
    if (secret.value === undefined || isJsonObject(secret.value)) return [];
    const message = 'a client secret does not belong in this file';
    return [{ code: 'secret-inline', message, position: place(secret), hint: 'write { env: NAME } or { file: PATH }' }];
  });
}

function requireFaults(cursors: readonly Cursor[], faults: ReadonlySet<string>, reader: TargetReader): void {
  for (const cursor of cursors) {
    const name = cursorText(cursor) ?? '';
    if (faults.has(name)) continue;
    const near = nearestName(name, faults);
    const advice = near === undefined ? '' : `; did you mean "${near}"?`;
    reader.complain(cursor, 'unknown-fault', `there is no fault ${name}${advice}`);
  }
}

const simulatorDefaults = { mccmnc: '001010', receiver: 'http://127.0.0.1:8602' };

type PlacedValues = readonly (readonly [value: string, cursor: Cursor])[];

function requireUnique(values: PlacedValues, what: string, reader: TargetReader): void {
  const seen = new Set<string>();
  for (const [value, cursor] of values) {
    if (seen.has(value)) reader.complain(cursor, 'duplicate-id', `${what} stands twice`);
    seen.add(value);
  }
}

function loadRegistrations(given: GivenSimulator, receiver: string, reader: TargetReader): JsonObject {
  const { mccmnc = simulatorDefaults.mccmnc, clients = [], subscribers = [] } = given;
  const issuer = reader.url(given.issuer);
  const names = clients.map(([name]) => name);
  const ids: PlacedValues = clients.map(([, { client_id: id, cursor }]) => [
    reader.text(id) ?? '',
    at(cursor, 'client_id'),
  ]);
  requireUnique(ids, 'this client_id', reader);
  const phones: PlacedValues = subscribers.map(([, { phone = '', cursor }]) => [phone, at(cursor, 'phone')]);
  requireUnique(phones, 'this phone number', reader);
  const subs: PlacedValues = subscribers.flatMap(([, { subs: own = [], cursor }]) =>
    own.map(([client, sub]) => [sub, at(at(cursor, 'subs'), client)] as const),
  );
  requireUnique(subs, 'this subscriber id', reader);
  const members: Record<string, Json> = {
    mccmnc,
    clients: clients.map(([name, one]) => loadSimulatedClient(name, one, { receiver, reader })),
    subscribers: subscribers.map(([name, one]) =>
      loadSimulatedSubscriber(name, one, { mccmnc, clients: names, reader }),
    ),
  };
  return issuer === undefined ? members : { issuer, ...members };
}

function compileSimulator(given: GivenSimulator, reader: TargetReader): SimulatorFile {
  const { clients = [], subscribers = [], approvals = [], faults = [], port, clock } = given;
  const receiver = (reader.url(given.receiver) ?? simulatorDefaults.receiver).replace(/\/$/, '');
  const known = { client: clients.map(([name]) => name), subscriber: subscribers.map(([name]) => name) };
  return {
    registrations: loadRegistrations(given, receiver, reader),
    approvals: approvals.flatMap((one) => loadApproval(one, known, reader) ?? []),
    faults,
    receiver,
    ...omitUndefined({
      port,
      adminPort: given.admin_port,
      clock,
      assertionAudience: given.token?.assertion_audience,
      tls: loadIdentity(given.tls, reader),
    }),
  };
}

/** Rule by which a subscriber answers requests automatically. */
interface ApprovalRule {
  readonly client?: string;
  readonly subscriber?: string;
  readonly context?: RegExp;
  readonly act: 'approve' | 'deny' | 'ignore';
  /** Seconds. */
  readonly after: number;
  readonly scopes?: readonly string[];
}

const approvalActs = ['approve', 'deny', 'ignore'] as const;

/** Regular expression for a pattern such as `Order-*`: an asterisk matches any text, all other characters themselves. */
const globPattern = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')}$`, 's');

/** Names that an approval may use. */
type KnownParties = Readonly<Record<'client' | 'subscriber', readonly string[]>>;

function requireApprovalNames(given: GivenApproval, known: KnownParties, reader: TargetReader): void {
  for (const kind of ['client', 'subscriber'] as const) {
    const name = given[kind];
    if (name === undefined || known[kind].includes(name)) continue;
    const hint = suggestKnown(name, known[kind]);
    const message = `there is no ${kind} "${name}"${hint === undefined ? '' : `; ${hint}`}`;
    reader.complain(at(given.cursor, kind), 'unknown-name', message);
  }
}

function loadApproval(given: GivenApproval, known: KnownParties, reader: TargetReader): ApprovalRule | undefined {
  const { cursor, client, subscriber, context, approve, deny } = given;
  const [act, ...others] = approvalActs.filter((one) => given[one] !== undefined);
  if (act === undefined || others.length > 0) {
    return reader.complain(cursor, 'verb-count', 'an approval is one of approve, deny and ignore');
  }
  const switched = at(cursor, act);
  if (switched.value === false) {
    reader.complain(switched, 'bad-value', `"${act}" must be true, not false: leave it out`);
  }
  requireApprovalNames(given, known, reader);
  const after = (approve ?? deny)?.options?.after;
  return {
    act,
    after: parseDuration(after ?? '') ?? 0,
    ...omitUndefined({
      client,
      subscriber,
      context: context === undefined ? undefined : globPattern(context),
      scopes: approve?.options?.scopes,
    }),
  };
}
