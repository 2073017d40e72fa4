import { defined } from '../lib/optional.ts';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import process from 'node:process';
import { createCarrier } from '../carrier/create-carrier.ts';
import { run } from '../engine/run.ts';
import { rulesOfInvariant, type Selected } from '../engine/plan/select.ts';
import { rulesOf } from '../journal/conclude.ts';
import type { Message, RecordedMessage } from '../model/exchange.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { CaseResult, Result } from '../model/result.ts';
import type { Suites } from '../suite/suites.ts';
import { toolVersion } from '../setup/paths.ts';
import { readTarget } from '../setup/read.ts';
import { freePort, referenceEnv, referenceRegistrations, referenceTarget } from '../setup/reference.ts';
import type { Differing, Job, JobOutcome, WorkerSettings } from './job.ts';

/** The header of the reference target (`trace_header`) that names the request for which the carrier acts. */
const traceHeader = 'x-request-id';

function selectedOf(suites: Suites, { cases: wanted }: Job): Selected {
  const ids = wanted === undefined ? undefined : new Set(wanted);
  const cases = ids === undefined ? suites.cases : suites.cases.filter(({ id }) => ids.has(id));
  const { invariants } = suites;
  const rules = new Set([
    ...cases.flatMap((one) => [...rulesOf(one)]),
    ...invariants.flatMap((one) => [...rulesOfInvariant(one)]),
  ]);
  return { cases, invariants, rules };
}

/** Names of shadows by the id of the request they differ on. */
type Differences = Map<string, Set<string>>;

function noteDiffering(found: Differences, names: readonly string[], caller = ''): void {
  const known = found.get(caller) ?? new Set();
  found.set(caller, known);
  for (const name of names) known.add(name);
}

const traceOf = (message: Message): string | undefined =>
  message.kind === 'exchange'
    ? message.request.headers.find(([name]) => name.toLowerCase() === traceHeader)?.[1]
    : undefined;

/** The shadows that differ, by the case that sent the request; those on requests of no record are of no case in particular. */
function differingBy(found: Differences, result: Result): Differing {
  const left = new Map(found);
  const byCase: Record<string, readonly string[]> = {};
  for (const { id, messages } of result.cases) {
    const names = new Set<string>();
    for (const trace of messages.map(traceOf)) {
      if (trace === undefined) continue;
      for (const name of left.get(trace) ?? []) names.add(name);
      left.delete(trace);
    }
    byCase[id] = [...names];
  }
  byCase[''] = [...new Set([...left.values()].flatMap((names) => [...names]))];
  return byCase;
}

/** Ids, tokens, nonces and digests; addresses with a port that is given out anew. */
const random = /[A-Za-z0-9_-]*\d[A-Za-z0-9_-]{7,}/g;
const ports = /127\.0\.0\.1:\d+/g;
const plain = (text: string): string => text.replaceAll(ports, 'host').replaceAll(random, '*');

function half({ headers, body }: RecordedMessage): string {
  const names = headers.map(([name, value]) => `${name.toLowerCase()}: ${plain(value)}`);
  return [...names.toSorted(), plain(body)].join('\n');
}

function lineOf(message: Message, startedAt: number): string {
  const after = Math.round((message.receivedAt - startedAt) / 1000);
  if (message.kind === 'delivery') {
    return `${message.step ?? ''} ${after} ${message.method} ${plain(message.target)}\n${half(message.request)}`;
  }
  const { response, noResponse, step } = message;
  return `${step} ${after} ${response === undefined ? (noResponse?.reason ?? '') : `${response.status}\n${half(response)}`}`;
}

/** A digest of what a carrier sent in a case, without what is random; equal digests: the two carriers did the same. */
function wireShape({ messages, startedAt }: CaseResult): string {
  const lines = messages.map((message) => lineOf(message, startedAt)).toSorted();
  return createHash('sha256').update(lines.join('\n\n')).digest('base64url').slice(0, 16);
}

const everything = { what: [], level: 'informational' } as const;
const tool = { name: 'carrierspec', version: toolVersion(), node: process.version } as const;

function summarize(one: CaseResult) {
  const { messages: _, ...summary } = one;
  return { ...summary, wire: wireShape(one) };
}

/** How often a run begins anew, where another process has taken the receiver's port in between. */
const mostAttempts = 5;

/** One run, in this thread: the reference carrier on its sockets, and the engine as `carrierspec run` uses it. */
export async function runJob(job: Job, suites: Suites, settings: WorkerSettings): Promise<JobOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptJob(job, suites, settings);
    } catch (error) {
      const taken = error instanceof CarrierspecError && error.code === 'receiver-unusable';
      if (taken && attempt < mostAttempts) continue;
      const stopped = error instanceof Error ? error.message : String(error);
      return { id: job.id, cases: [], invariants: [], stopped };
    }
  }
}

async function attemptJob(job: Job, suites: Suites, { folder, startAt }: WorkerSettings): Promise<JobOutcome> {
  const port = await freePort();
  const registrations = referenceRegistrations(`http://127.0.0.1:${port}`);
  const found: Differences = new Map();
  const { shadows, faults } = job;
  const onDiffer = (names: readonly string[], caller: string | undefined): void => noteDiffering(found, names, caller);
  const differential = shadows && { names: shadows, onDiffer };
  const options = { registrations, clock: 'virtual', startAt, faults } as const;
  const carrier = await createCarrier({ ...options, ...defined({ differential }) });
  const journal = `${folder}/journal-${job.id}.jsonl`;
  try {
    const env = { ...process.env, ...referenceEnv(carrier, registrations, String(port)) };
    const target = readTarget(referenceTarget, env);
    const { result, close } = await run({
      interface: serverInitiated,
      confirm: false,
      suites,
      selected: selectedOf(suites, job),
      selection: everything,
      target: { ...target, supports: { ...target.supports, ...job.supports } },
      journal,
      jobs: 16,
      ...(job.serial === true ? { open: 1 } : {}),
      bail: false,
      progress: () => undefined,
      signal: new AbortController().signal,
      flags: [],
      profile: 'hardened',
      tool,
    });
    const cases = [...result.cases].map(summarize);
    const differing = shadows === undefined ? {} : { differing: differingBy(found, result) };
    close();
    return { id: job.id, cases, invariants: result.invariants, ...differing };
  } finally {
    await carrier.close();
    rmSync(journal, { force: true });
  }
}
