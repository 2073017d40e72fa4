import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { faultSubjects, chooseSubjects, isProved, type Proof, type Subject } from '../../prove/catalogue.ts';
import { compareRows, matrixRows, readGoldenMatrix, renderProofMatrix, updateRows } from '../../prove/matrix.ts';
import { openInline, openThreads, type RunPool } from '../../prove/pool.ts';
import { proveAgainstClean } from '../../prove/prove.ts';
import { serveDrawnCarrier } from '../../space/draw.ts';
import { readFreedoms } from '../../space/freedoms.ts';
import type { NumberedCarrier } from '../../prove/prove-space.ts';
import { findUnproved } from '../../prove/proof-gaps.ts';
import { forTerminal } from '../../../report/shared/sanitize.ts';
import { readSuites } from '../../../setup/read-files.ts';
import type { Suites } from '../../../suite/suites.ts';
import type { proveDefinition } from '../../../cli/definitions/suite.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { suggestNames } from '../../../cli/shared/choose.ts';
import { type CommandInputs, type Invocation, isLive, listenForSignal } from '../../../cli/shared/command.ts';
import { createTerminalPage } from '../../../cli/shared/page.ts';
import { makeFolder, writeBelow } from '../../../cli/shared/files.ts';
import { usageError } from '../../../cli/shared/inputs.ts';
import { drawCarriers, type CarrierDrawing } from './drawing.ts';
import { type ProofSummary, renderProofs } from './render-proofs.ts';
import { proveSpaceCommand } from './space.ts';

/** Writes the target file of a drawn carrier and its environment, and runs the carrier until Ctrl-C. */
async function showCarrier(
  { number, choices }: NumberedCarrier,
  folder: string,
  invocation: Invocation,
): Promise<number> {
  const stopped = listenForSignal(invocation);
  makeFolder(folder, '--show');
  const { origin, target, env, close } = await serveDrawnCarrier(choices, folder);
  const lines = [
    `Carrier ${number} with ${Object.keys(choices).length} choices of its own is at ${origin} until Ctrl-C. Run:`,
    `  (set -a; . ${env}; carrierspec run --target ${target})`,
  ];
  invocation.stdout.write(`${lines.map((line) => forTerminal(line)).join('\n')}\n`);
  await new Promise<void>((resolve) => {
    if (stopped.aborted) resolve();
    stopped.addEventListener('abort', () => resolve(), { once: true });
  });
  await close();
  return exitCodes.conformant;
}

type ProveFlags = CommandInputs<typeof proveDefinition>;

/** Far from the edges of a day, month and year: no verdict depends on the time of a proof. */
const proofStart = Date.UTC(2026, 0, 15, 12, 34, 56);

/** Up to this count, threads cost more than they save. */
const maxInlineProofs = 3;

/** Shows progress: redrawn on a terminal, else a line for every tenth. */
function createProofCounter(total: number, { stderr, env }: Invocation): (proof: Proof) => void {
  const live = isLive(stderr, env);
  const step = Math.max(1, Math.ceil(total / 10));
  let done = 0;
  return (proof) => {
    done += 1;
    if (live) stderr.write(`\r\u001b[K${done}/${total} ${proof.name}${done === total ? '\n' : ''}`);
    else if (done % step === 0) stderr.write(`${done}/${total} proved\n`);
  };
}

/** Opens a pool for these jobs. Drawn carriers often delay their answers, so each core runs two. */
function openPool(
  jobs: number,
  suites: Suites,
  { folders, drawn }: { folders: readonly string[]; drawn: boolean },
): RunPool {
  const settings = { suites: folders, startAt: proofStart };
  if (jobs <= maxInlineProofs) return openInline(suites, settings);
  return openThreads('run', availableParallelism() * (drawn ? 2 : 1), settings);
}

type FaultFlags = Pick<ProveFlags, 'names' | 'suites' | 'whole' | 'out'>;

/** Proves the subjects, with `drawn` on two drawn carriers as well. */
async function proveSubjects(
  subjects: readonly Subject[],
  { suites, flags, drawn }: { readonly suites: Suites; readonly flags: FaultFlags; readonly drawn: boolean },
  invocation: Invocation,
): Promise<readonly Proof[]> {
  // With the drawn carriers there are three proofs of a fault; one that survives on the plain carrier stops there.
  const total = subjects.length * (drawn ? 3 : 1);
  const pool = openPool(total, suites, { folders: flags.suites, drawn });
  try {
    const shipped = flags.suites.length === 0 ? suites : await readSuites([]);
    return await proveAgainstClean({
      suites,
      subjects,
      pool,
      whole: flags.whole,
      known: readGoldenMatrix().rows,
      declared: new Set(shipped.rules.map(({ id }) => id)),
      onProof: createProofCounter(total, invocation),
      ...(drawn ? { freedoms: readFreedoms() } : {}),
    });
  } finally {
    await pool.close();
  }
}

/** Proves faults, or with `drawn` on drawn carriers too. Returns 0 if all is as declared, else 1. */
export async function proveFaults(flags: FaultFlags, invocation: Invocation, drawn = false): Promise<number> {
  const { names, whole, out } = flags;
  const begun = performance.now();
  const subjects = chooseSubjects(names, suggestNames);
  makeFolder(out, '--out', ['matrix.json']);
  const suites = await readSuites(flags.suites);
  const proofs = await proveSubjects(subjects, { suites, flags, drawn }, invocation);
  const { rows: all, unturned } = readGoldenMatrix();
  const golden = new Map([...all].filter(([name]) => faultSubjects.some((one) => one.name === name)));
  const rows = matrixRows(proofs.filter(({ kind, name }) => kind === 'fault' && !name.includes('@')));
  writeBelow({ folder: out, flag: '--out' }, 'matrix.json', [renderProofMatrix(updateRows(golden, rows, whole))]);
  const unproved = names.length > 0 ? [] : findUnproved(suites, rows).filter(({ name }) => !unturned.has(name));
  const differing = flags.suites.length > 0 ? [] : compareRows(rows, golden, whole);
  const seconds = (performance.now() - begun) / 1000;
  const proving: ProofSummary = {
    proofs,
    cases: suites.cases.length,
    rules: suites.rules,
    unproved,
    differing,
    matrix: join(out, 'matrix.json'),
    seconds,
  };
  invocation.stdout.write(`${renderProofs(createTerminalPage(invocation), proving).join('\n')}\n`);
  const proved = proofs.every(isProved) && unproved.length === 0 && differing.length === 0;
  return proved ? exitCodes.conformant : exitCodes['not conformant'];
}

function showSingleCarrier({ carriers }: CarrierDrawing, folder: string, invocation: Invocation): Promise<number> {
  const [carrier, ...others] = carriers;
  if (carrier !== undefined && others.length === 0) return showCarrier(carrier, folder, invocation);
  throw usageError('--show: needs --only, or the choices of one carrier');
}

async function proveCarriers(flags: ProveFlags, invocation: Invocation): Promise<number> {
  const drawing = drawCarriers(flags);
  if (flags.show !== undefined) return showSingleCarrier(drawing, flags.show, invocation);
  makeFolder(flags.out, '--out', ['space.json']);
  const suites = await readSuites(flags.suites);
  const pool = openPool(drawing.carriers.length, suites, { folders: flags.suites, drawn: true });
  try {
    return await proveSpaceCommand(flags, invocation, { suites, pool, drawing });
  } finally {
    await pool.close();
  }
}

/** `carrierspec prove`: shows that the rules can fail, or with --space that no conforming carrier fails. Returns 0 if proved, else 1. */
export async function proveCommand(flags: ProveFlags, invocation: Invocation): Promise<number> {
  if (flags.space) return proveCarriers(flags, invocation);
  for (const name of ['only', 'seed', 'show'] as const) {
    if (flags[name] !== undefined) throw usageError(`--${name}: needs --space`);
  }
  return proveFaults(flags, invocation);
}
