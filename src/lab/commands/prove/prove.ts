import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { countNoun } from '../../../lib/lists.ts';
import { omitUndefined } from '../../../lib/json.ts';
import { readText } from '../../../files/read.ts';
import { faultSubjects, chooseSubjects, isProved, type Proof, type Subject } from '../../prove/catalogue.ts';
import { cleanRunKey, readClean, writeClean } from '../../prove/clean-cache.ts';
import type { JobOutcome } from '../../prove/job.ts';
import {
  compareRows,
  keepProof,
  parseProofMatrix,
  readProofs,
  renderProofMatrix,
  type MatrixRows,
  matrixRows,
  updateRows,
} from '../../prove/matrix.ts';
import { openInline, openThreads, type RunPool } from '../../prove/pool.ts';
import { proveAgainstClean } from '../../prove/prove.ts';
import { serveDrawnCarrier } from '../../space/draw.ts';
import { readFreedoms } from '../../space/freedoms.ts';
import type { NumberedCarrier } from '../../prove/prove-space.ts';
import { type UnprovedItem, findUnproved } from '../../prove/proof-gaps.ts';
import { forTerminal } from '../../../report/shared/sanitize.ts';
import { readSuites } from '../../../setup/read-files.ts';
import type { Suites } from '../../../suite/suites.ts';
import type { proveDefinition } from '../../../cli/definitions/suite.ts';
import { exitCodes } from '../../../cli/exit-codes.ts';
import { suggestNames } from '../../../cli/shared/choose.ts';
import { type CommandInputs, type Invocation, isLive, listenForSignal } from '../../../cli/shared/command.ts';
import { createTerminalPage } from '../../../cli/shared/page.ts';
import { makeFolder, withFlag, writeBelow } from '../../../cli/shared/files.ts';
import { usageError } from '../../../cli/shared/inputs.ts';
import { proveDeepCommand } from './deep.ts';
import { drawCarriers, type CarrierDrawing } from './drawing.ts';
import { exploreSpaceCommand } from './explored-space.ts';
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

/** Number of proofs: with --drawn, at most three carriers per fault; a fault that survives on the plain one stops there. */
const countProofs = (subjects: readonly Subject[], { drawn }: Pick<ProveFlags, 'drawn'>): number =>
  subjects.reduce((sum, { kind }) => sum + (drawn && kind === 'fault' ? 3 : 1), 0);

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

/** Loads the suites and the clean run kept from an earlier proof. */
async function prepareProof(flags: ProveFlags, traced: readonly string[]) {
  makeFolder(flags.out, '--out', ['clean.json', 'whole.jsonl', 'matrix.json', 'space.json']);
  const suites = await readSuites(flags.suites, { faults: new Set(faultSubjects.map(({ name }) => name)) });
  const cache = join(flags.out, 'clean.json');
  const key = cleanRunKey(suites);
  const keep = (outcome: JobOutcome): void => writeClean(cache, key, { traced, outcome });
  return { suites, key, kept: readClean(cache, key, traced), keep };
}

/** Drawn carriers often delay their answers, so each core runs two. */
const countThreads = ({ space, drawn }: ProveFlags): number => availableParallelism() * (space || drawn ? 2 : 1);

const openPool = (jobs: number, flags: ProveFlags, suites: Suites): RunPool => {
  const settings = { suites: flags.suites, startAt: proofStart };
  if (jobs <= maxInlineProofs) return openInline(suites, settings);
  return openThreads('run', flags.workers ?? countThreads(flags), settings);
};

/** Faults to compare with the clean run: only the named ones, if any, because the whole catalogue takes three times as long. */
function chooseTraced({ names, whole }: ProveFlags, subjects: readonly Subject[]): readonly string[] {
  if (whole) return [];
  const traced = names.length === 0 ? faultSubjects : subjects.filter(({ kind }) => kind === 'fault');
  return traced.map(({ name }) => name);
}

/** Announces the clean runs before the first proof; undefined if there are none. */
function describeCleanRuns({ cases }: Suites, isPlainKnown: boolean, { drawn }: ProveFlags): string | undefined {
  const carriers = [isPlainKnown ? [] : 'the plain carrier', drawn ? 'two drawn carriers' : []].flat();
  if (carriers.length === 0) return undefined;
  return `first ${countNoun(cases.length, 'case')} without a fault, on ${carriers.join(' and on ')}\n`;
}

/** Proofs kept between starts with `--resume`. */
function openKeptProofs({ resume, out }: ProveFlags, key: string) {
  const file = join(out, 'whole.jsonl');
  const earlier: ReadonlyMap<string, Proof> = resume ? readProofs(file, key) : new Map();
  return {
    earlier,
    keep: (proof: Proof): void => {
      if (resume) keepProof(file, key, proof);
    },
  };
}

/** Proves the remaining subjects. Returns the proofs of all. */
async function proveSubjects(
  subjects: readonly Subject[],
  { suites, key, kept: clean, keep }: Awaited<ReturnType<typeof prepareProof>>,
  { flags, invocation }: { readonly flags: ProveFlags; readonly invocation: Invocation },
  golden: MatrixRows | undefined,
): Promise<readonly Proof[]> {
  const { earlier, keep: keepOne } = openKeptProofs(flags, key);
  const known = subjects.flatMap(({ name }) => earlier.get(name) ?? []);
  const left = subjects.filter(({ name }) => !earlier.has(name));
  if (known.length > 0) invocation.stderr.write(`${known.length} of ${countNoun(subjects.length, 'proof')} kept\n`);
  if (left.length === 0) return known;
  const total = countProofs(left, flags);
  const pool = openPool(total, flags, suites);
  invocation.stderr.write(describeCleanRuns(suites, clean !== undefined, flags) ?? '');
  try {
    const count = createProofCounter(total, invocation);
    const onProof = (proof: Proof): void => {
      keepOne(proof);
      count(proof);
    };
    const shipped = flags.suites.length === 0 ? suites : await readSuites([]);
    const declared = new Set(shipped.rules.map(({ id }) => id));
    const elsewhere = flags.drawn ? { freedoms: readFreedoms() } : {};
    const { whole, concerned } = flags;
    const options = { suites, traced: chooseTraced(flags, subjects), subjects: left, pool, whole, concerned, onProof };
    const proved = await proveAgainstClean({
      ...options,
      declared,
      ...elsewhere,
      ...omitUndefined({ clean, known: golden }),
    });
    if (clean === undefined) keep(proved.clean);
    return [...known, ...proved.proofs];
  } finally {
    await pool.close();
  }
}

async function proveFaults(flags: ProveFlags, invocation: Invocation): Promise<number> {
  const { names, whole, concerned, against } = flags;
  const begun = performance.now();
  const subjects = chooseSubjects(names, suggestNames);
  const golden =
    against === undefined ? undefined : parseProofMatrix(withFlag('--against', () => readText(against, 'result')));
  const prepared = await prepareProof(flags, chooseTraced(flags, subjects));
  const proofs = await proveSubjects(subjects, prepared, { flags, invocation }, golden);
  const { suites, kept } = prepared;
  const matrix = join(flags.out, 'matrix.json');
  const rows = matrixRows(proofs);
  const written = renderProofMatrix(golden === undefined ? rows : updateRows(golden, rows));
  writeBelow({ folder: flags.out, flag: '--out' }, 'matrix.json', [written]);
  const unproved: readonly UnprovedItem[] = names.length === 0 ? findUnproved(suites, proofs) : [];
  const differing = golden === undefined ? [] : compareRows(rows, golden);
  const seconds = (performance.now() - begun) / 1000;
  const remembered = kept !== undefined;
  const outcome = { proofs, rules: suites.rules, unproved, differing };
  const proving: ProofSummary = { ...outcome, matrix, remembered, seconds, whole, concerned };
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
  if (flags.explore) return exploreSpaceCommand(flags, invocation, drawing);
  const { suites, kept: clean } = await prepareProof(flags, []);
  const pool = openPool(drawing.carriers.length, flags, suites);
  try {
    return await proveSpaceCommand(flags, invocation, { suites, pool, drawing, ...omitUndefined({ clean }) });
  } finally {
    await pool.close();
  }
}

/** Invalid combinations of flags, with their messages. */
const flagConflicts: readonly (readonly [is: (flags: ProveFlags) => boolean, message: string])[] = [
  [
    ({ deep, space, drawn }) => deep && (space || drawn),
    '--deep: proves by exploration; it goes with neither --space nor --drawn',
  ],
  [({ space, drawn }) => space && drawn, '--drawn: proves faults, and --space proves carriers; give one of them'],
  [
    ({ resume, whole, concerned, space, drawn }) => resume && (!(whole || concerned) || space || drawn),
    '--resume: needs --concerned or --whole, and goes with neither --space nor --drawn',
  ],
  [
    ({ concerned, whole, space, deep }) => concerned && (whole || space || deep),
    '--concerned: runs fewer cases than --whole, and goes with neither --space nor --deep',
  ],
  [
    ({ against, space, deep }) => against !== undefined && (space || deep),
    '--against: compares proofs of faults; it goes with neither --space nor --deep',
  ],
  [({ explore, space }) => explore && !space, '--explore: needs --space'],
  [({ only, space }) => only !== undefined && !space, '--only: needs --space'],
  [({ seed, space }) => seed !== undefined && !space, '--seed: needs --space'],
  [({ show, space }) => show !== undefined && !space, '--show: needs --space'],
];

function requireCompatible(flags: ProveFlags): void {
  const found = flagConflicts.find(([is]) => is(flags));
  if (found !== undefined) throw usageError(found[1]);
}

/** `carrierspec prove`: shows that the rules can fail, or with --space that no conforming carrier fails. Returns 0 if proved, else 1. */
export async function proveCommand(flags: ProveFlags, invocation: Invocation): Promise<number> {
  requireCompatible(flags);
  if (flags.deep) return proveDeepCommand(flags, invocation);
  return flags.space ? proveCarriers(flags, invocation) : proveFaults(flags, invocation);
}
