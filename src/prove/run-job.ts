import { rmSync } from 'node:fs';
import process from 'node:process';
import { createCarrier } from '../carrier/create-carrier.ts';
import { run } from '../engine/run.ts';
import { rulesOf, rulesOfInvariant, type Selected } from '../engine/plan/select.ts';
import type { Message } from '../model/exchange.ts';
import { CarrierspecError } from '../model/problem.ts';
import type { Result } from '../model/result.ts';
import type { Suites } from '../model/suite.ts';
import { toolVersion } from '../setup/paths.ts';
import { readTarget } from '../setup/read.ts';
import { freePort, referenceEnv, referenceRegistrations, referenceTarget } from '../setup/reference.ts';
import type { Differing, Job, JobOutcome, WorkerSettings } from './job.ts';
import { wireShape } from './wire-shape.ts';

/** The header of the reference target (`trace_header`) by which the carrier tells on whose behalf it acts. */
const traceHeader = 'x-request-id';

function selectedOf(suites: Suites, { cases: wanted }: Job): Selected {
  const ids = wanted === undefined ? undefined : new Set(wanted);
  const cases = ids === undefined ? suites.cases : suites.cases.filter(({ id }) => ids.has(id));
  const { invariants } = suites;
  const rules = new Set([...cases.flatMap((one) => [...rulesOf(one)]), ...invariants.flatMap(rulesOfInvariants)]);
  return { cases, invariants, rules };
}

const rulesOfInvariants = (one: Suites['invariants'][number]): string[] => [...rulesOfInvariant(one)];

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

/** On whose requests the shadows differ; what no recorded request asked for is of no case in particular. */
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

/** How often a run begins anew because somebody else has taken the port meanwhile that was free for the receiver. */
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
  const watched = shadows === undefined ? {} : { shadows: { names: shadows, onDiffer } };
  const carrier = await createCarrier({ registrations, clock: 'virtual', startAt, faults, ...watched });
  const journal = `${folder}/journal-${job.id}.jsonl`;
  try {
    const target = readTarget(referenceTarget, {
      ...process.env,
      ...referenceEnv(carrier, registrations, String(port)),
    });
    const { result, close } = await run({
      suites,
      selected: selectedOf(suites, job),
      selection: { what: [], level: 'informational' },
      target: { ...target, supports: { ...target.supports, ...job.supports } },
      journal,
      jobs: 16,
      ...(job.serial === true ? { open: 1 } : {}),
      bail: false,
      progress: () => undefined,
      signal: new AbortController().signal,
      flags: [],
      tool: { name: 'carrierspec', version: toolVersion(), node: process.version },
    });
    const cases = [...result.cases].map((one) => {
      const { messages: _, ...summary } = one;
      return { ...summary, wire: wireShape(one) };
    });
    const differing = shadows === undefined ? {} : { differing: differingBy(found, result) };
    close();
    return { id: job.id, cases, invariants: result.invariants, ...differing };
  } finally {
    await carrier.close();
    rmSync(journal, { force: true });
  }
}
