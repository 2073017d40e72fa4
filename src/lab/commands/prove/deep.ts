import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { compileGlob } from '../../../engine/plan/select.ts';
import { CarrierspecError } from '../../../model/problem.ts';
import { type OrdinaryRun, runWithDeepFaults } from '../../prove/deep/ordinary-run.ts';
import { chooseDeepFaults, deepNames, type DeepProof, exploreDeepFaults } from '../../prove/deep/prove-deep.ts';
import type { DeepFault } from '../../edit/fault-table.ts';
import type { JobKind } from '../../prove/job.ts';
import { openThreads, type Threads } from '../../prove/pool.ts';
import { readSuites } from '../../../setup/read-files.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { hintFor } from '../../../cli/shared/choose.ts';
import type { CommandInputs, Invocation } from '../../../cli/shared/command.ts';
import { createTerminalPage } from '../../../cli/shared/page.ts';
import { makeFolder, writeBelow } from '../../../cli/shared/files.ts';
import type { deepDefinition } from './definitions.ts';
import { findsMost, renderDeep } from './render-deep.ts';

/** Far from the edges of a day, month and year, as in other proofs. */
export const explorationStart = Date.UTC(2026, 0, 15, 12, 34, 56);

function selectDeepFaults(names: readonly string[]) {
  const known = deepNames();
  for (const pattern of names) {
    if (known.some((name) => compileGlob(pattern).test(name))) continue;
    const hint = hintFor(pattern, known, 'carrierspec list --kind fault has them');
    throw new CarrierspecError(`there is no deep fault and no kind ${pattern}; ${hint}`, { code: 'unknown-name' });
  }
  return chooseDeepFaults(names, (pattern, name) => compileGlob(pattern).test(name));
}

/** Writes a line for every twentieth of the work. */
function createCounter(total: number, what: string, { stderr }: Invocation): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (done % Math.max(1, Math.ceil(total / 20)) === 0) stderr.write(`${done}/${total} ${what}\n`);
  };
}

type DeepFlags = CommandInputs<typeof deepDefinition>;

/** Opens threads for jobs of one kind, and closes them after the work. */
async function withThreads<Kind extends JobKind, T>(
  kind: Kind,
  work: (threads: Threads<Kind>) => Promise<T>,
): Promise<T> {
  const threads = openThreads(kind, availableParallelism(), { suites: [], startAt: explorationStart });
  try {
    return await work(threads);
  } finally {
    await threads.close();
  }
}

/** Runs all listed cases with each fault, and explores what the run does not find. */
async function findDeepFaults(
  faults: readonly DeepFault[],
  { seeds: count, requests }: DeepFlags,
  invocation: Invocation,
): Promise<readonly DeepProof[]> {
  const suites = await readSuites([]);
  const countRun = createCounter(faults.length, 'runs', invocation);
  // A long proof that is cut off has told what it knew.
  const onRun = (name: string, { red }: OrdinaryRun): void => {
    invocation.stderr.write(`${name}: ${red.length === 0 ? 'not found by the run' : `found by ${red.join(', ')}`}\n`);
    countRun();
  };
  const runs = await withThreads('run', (pool) => runWithDeepFaults({ faults, suites, pool, onRun }));
  const left = faults.filter((_, at) => runs[at]?.red.length === 0);
  const seeds = Array.from({ length: left.length === 0 ? 0 : count }, (_, at) => String(at + 1));
  const onTry = createCounter(left.length * count, 'explorations', invocation);
  const tries = await withThreads('explore', (threads) =>
    exploreDeepFaults({ faults: left, seeds, requests, threads, onTry }),
  );
  return faults.map((fault, at) => ({ fault, run: runs[at] ?? { red: [] }, tries: tries.get(fault.name) ?? [] }));
}

/** `npm run prove:deep`: measures what a whole run finds of the deep faults, and what exploration adds. */
export async function proveDeepCommand(flags: DeepFlags, invocation: Invocation): Promise<number> {
  const { names, seeds, requests, out } = flags;
  const faults = selectDeepFaults(names);
  makeFolder(out, '--out', ['deep.json']);
  const begun = performance.now();
  const proofs = await findDeepFaults(faults, flags, invocation);
  const report = join(out, 'deep.json');
  const rows = proofs.map(({ fault: { name, kind, breaks }, run, tries }) => ({ name, kind, breaks, run, tries }));
  const written = { format: 'carrierspec-deep', version: 2, requests, faults: rows };
  writeBelow({ folder: out, flag: '--out' }, 'deep.json', [`${JSON.stringify(written, null, 1)}\n`]);
  const seconds = (performance.now() - begun) / 1000;
  const page = createTerminalPage(invocation);
  invocation.stdout.write(`${renderDeep(page, { proofs, requests, seeds, seconds, report }).join('\n')}\n`);
  return findsMost(proofs) ? exitCodes.conformant : exitCodes['not conformant'];
}
