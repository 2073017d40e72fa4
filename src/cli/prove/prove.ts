import { defined } from '../../lib/optional.ts';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  catalogue,
  chooseSubjects,
  isProved,
  isRed,
  matrixOf,
  type Proof,
  type Subject,
} from '../../prove/catalogue.ts';
import { keyOf, readClean, writeClean } from '../../prove/clean-cache.ts';
import type { JobOutcome } from '../../prove/job.ts';
import { openInline, openPool, type Pool } from '../../prove/pool.ts';
import { readFreedoms } from '../../prove/space/freedoms.ts';
import { prove, renderUnproved, type Unproved, unprovedOf } from '../../prove/prove.ts';
import { groupBy, countOf } from '../../lib/lists.ts';
import type { Page } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { readSuites } from '../../setup/read.ts';
import type { Suites } from '../../suite/suites.ts';
import { exitCodes } from '../exit-codes.ts';
import { suggestNames } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { makeFolder } from '../shared/files.ts';
import { type Invocation, isLive, pageOf } from '../shared/invocation.ts';
import type { proveDefinition } from '../definitions.ts';
import { usageError } from '../shared/inputs.ts';
import { showCarrier } from './show.ts';
import { drawCarriers, type Drawing, proveSpaceCommand } from './space.ts';

type ProveFlags = Given<typeof proveDefinition>;

interface Proving {
  readonly proofs: readonly Proof[];
  readonly unproved: readonly Unproved[];
  readonly whole: boolean;
  /** The clean run is that of an earlier proof with the very same program. */
  readonly remembered: boolean;
  /** Path of the written matrix. */
  readonly matrix: string;
  readonly seconds: number;
}

const mostRules = 12;

/** `REQ-015 warn, ERR-006 warn, 12 others inconclusive`. */
function turnedWords({ turned }: Proof): string {
  const red = Object.entries(turned).filter(([, verdict]) => isRed(verdict));
  const rest = Object.entries(turned).filter(([, verdict]) => !isRed(verdict));
  const words = red.slice(0, mostRules).map(([id, verdict]) => `${id} ${verdict}`);
  if (red.length > mostRules) words.push(`and ${red.length - mostRules} more`);
  const counts = groupBy(rest, ([, verdict]) => verdict);
  for (const [verdict, rules] of counts) words.push(`${rules.length} others ${verdict}`);
  return words.length === 0 ? 'no rule turns' : words.join(', ');
}

function renderProof(page: Page, proof: Proof): readonly string[] {
  const { paint } = page;
  const good = proof.status === 'killed' || proof.status === 'allowed';
  const status = good ? paint.green(proof.status) : paint.red(proof.status);
  const head = `  ${status.padEnd(status.length + 13 - proof.status.length)} ${paint.bold(forTerminal(proof.name))}`;
  const cases = paint.dim(`${proof.ran} of ${proof.of} cases`);
  return [
    `${head}  ${cases}`,
    ...page.paragraph(turnedWords(proof), { indent: 16 }),
    ...proof.wrong.flatMap((why) => page.paragraph(why, { indent: 16, tone: paint.red })),
  ];
}

const statusOrder: readonly Proof['status'][] = [
  'killed',
  'allowed',
  'misattributed',
  'survived',
  'equivalent',
  'refused',
];

function countStatuses(proofs: readonly Proof[]): string {
  const counts = statusOrder.map((status) => [status, proofs.filter((one) => one.status === status).length] as const);
  return counts.flatMap(([status, count]) => (count > 0 ? [`${count} ${status}`] : [])).join(', ');
}

function selectionWords({ proofs, whole }: Proving): string {
  if (whole) return 'Every case ran for every fault.';
  const [ran, all] = [proofs.reduce((sum, one) => sum + one.ran, 0), proofs.reduce((sum, one) => sum + one.of, 0)];
  const share = ((ran / Math.max(1, all)) * 100).toFixed(0);
  return (
    `Cases were selected: in the clean run every check, reader, builder and value of the carrier was compared, call by ` +
    `call, with what each fault would have made of the same call; where a fault made the same of every call of a case, ` +
    `that case was not run again with it (${ran.toLocaleString('en')} of ${all.toLocaleString('en')} ran, ${share} %). ` +
    `--whole runs all of them.`
  );
}

/** The matrix, line by line, and what of it is not as declared. */
function renderProofs(page: Page, proving: Proving): readonly string[] {
  const { proofs, unproved, remembered, seconds, matrix } = proving;
  const wrong = proofs.filter(({ wrong: why }) => why.length > 0).length + unproved.length;
  const clean = remembered ? ' The clean run is that of the last proof with this very program and these suites.' : '';
  const end =
    wrong === 0
      ? page.paint.green('Proved: every fault turned exactly the rules it is declared to break, and no variant any.')
      : page.paint.red(`Not proved: ${countOf(wrong, 'thing')} not as declared.`);
  return [
    ...proofs.flatMap((proof) => renderProof(page, proof)),
    '',
    ...(unproved.length === 0 ? [] : page.heading('Unproved', String(unproved.length))),
    ...unproved.flatMap((one) => page.paragraph(renderUnproved(one))),
    ...page.paragraph(`${selectionWords(proving)}${clean}`, { indent: 0 }),
    `${countStatuses(proofs)}, in ${seconds.toFixed(1)} s; matrix: ${forTerminal(matrix)}`,
    end,
  ];
}

/** Far from both ends of a day, a month and a year: no verdict depends on the hour of a proof. */
const startAt = Date.UTC(2026, 0, 15, 12, 34, 56);

/** Below this, threads cost more than they bring. */
const fewSubjects = 3;

/** With --drawn each fault is proved on three carriers; one that is not killed on the plain one, on that alone. */
const countProofs = (subjects: readonly Subject[], { drawn }: Pick<ProveFlags, 'drawn'>): number =>
  subjects.reduce((sum, { kind }) => sum + (drawn && kind === 'fault' ? 3 : 1), 0);

/** Counts the proofs: redrawn in place on a terminal, else a line for every tenth part. */
function createCounter(total: number, { stderr, env }: Invocation): (proof: Proof) => void {
  const live = isLive(stderr, env);
  const step = Math.max(1, Math.ceil(total / 10));
  let done = 0;
  return (proof) => {
    done += 1;
    if (live) stderr.write(`\r\u001b[K${done}/${total} ${proof.name}${done === total ? '\n' : ''}`);
    else if (done % step === 0) stderr.write(`${done}/${total} proved\n`);
  };
}

/** What every proof needs: the suites, and the clean run that an earlier proof has left. */
async function prepare(flags: ProveFlags, traced: readonly string[]) {
  makeFolder(flags.out, '--out');
  const suites = await readSuites(flags.suites, { faults: new Set(catalogue.map(({ name }) => name)) });
  const cache = join(flags.out, 'clean.json');
  const key = keyOf(suites, traced);
  const keep = (clean: JobOutcome): void => writeClean(cache, key, clean);
  return { suites, kept: readClean(cache, key), keep };
}

const openFor = (jobs: number, { workers, suites: folders }: ProveFlags, suites: Suites): Pool => {
  const settings = { suites: folders, startAt };
  return jobs <= fewSubjects ? openInline(suites, settings) : openPool(workers ?? availableParallelism(), settings);
};

async function proveFaults(flags: ProveFlags, invocation: Invocation): Promise<number> {
  const { names } = flags;
  const begun = performance.now();
  const subjects = chooseSubjects(names, suggestNames);
  // A few names are traced alone: the whole catalogue takes three times as long.
  const chosen = names.length === 0 ? catalogue : subjects.filter(({ kind }) => kind === 'fault');
  const shadows = chosen.map(({ name }) => name);
  const { suites, kept, keep } = await prepare(flags, shadows);
  const pool = openFor(subjects.length, flags, suites);
  try {
    const onProof = createCounter(countProofs(subjects, flags), invocation);
    const shipped = flags.suites.length === 0 ? suites : await readSuites([]);
    const known = defined({ declared: new Set(shipped.rules.map(({ id }) => id)), clean: kept });
    const { whole } = flags;
    const elsewhere = flags.drawn ? { freedoms: readFreedoms() } : {};
    const { proofs, clean } = await prove({ suites, shadows, subjects, pool, whole, onProof, ...elsewhere, ...known });
    if (kept === undefined) keep(clean);
    const matrix = join(flags.out, 'matrix.json');
    writeFileSync(matrix, `${JSON.stringify(matrixOf(proofs), null, 1)}\n`);
    const unproved: readonly Unproved[] = names.length === 0 ? unprovedOf(suites, proofs) : [];
    const seconds = (performance.now() - begun) / 1000;
    const proving: Proving = { proofs, unproved, whole, remembered: kept !== undefined, matrix, seconds };
    invocation.stdout.write(`${renderProofs(pageOf(invocation), proving).join('\n')}\n`);
    return proofs.every(isProved) && unproved.length === 0 ? exitCodes.conformant : exitCodes['not conformant'];
  } finally {
    await pool.close();
  }
}

function showOne({ carriers }: Drawing, folder: string, invocation: Invocation): Promise<number> {
  const [carrier, ...others] = carriers;
  if (carrier !== undefined && others.length === 0) return showCarrier(carrier, folder, invocation);
  throw usageError('--show: needs --only, or the choices of one carrier');
}

async function proveCarriers(flags: ProveFlags, invocation: Invocation): Promise<number> {
  const drawing = drawCarriers(flags);
  if (flags.show !== undefined) return showOne(drawing, flags.show, invocation);
  const { suites, kept: clean } = await prepare(flags, []);
  const pool = openFor(drawing.carriers.length, flags, suites);
  try {
    return await proveSpaceCommand(flags, invocation, { suites, pool, drawing, ...defined({ clean }) });
  } finally {
    await pool.close();
  }
}

/** `carrierspec prove`: shows that the rules can fail, or with --space that no conforming carrier does. 0 where so, 1 where not. */
export function proveCommand(flags: ProveFlags, invocation: Invocation): Promise<number> {
  return flags.space ? proveCarriers(flags, invocation) : proveFaults(flags, invocation);
}
