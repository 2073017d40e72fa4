import { exitCodes } from '../exit-codes.ts';
import { suggestNames } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { makeFolder } from '../shared/files.ts';
import { type Invocation, isLive, pageOf } from '../shared/invocation.ts';
import type { proveDefinition } from './define.ts';
import { type Proving, renderProofs } from './describe.ts';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { catalogue, chooseSubjects } from '../../prove/catalogue.ts';
import { keyOf, readClean, writeClean } from '../../prove/clean-cache.ts';
import { matrixOf } from '../../prove/matrix.ts';
import { openInline, openPool } from '../../prove/pool.ts';
import { isProved, type Proof } from '../../prove/proof.ts';
import { prove } from '../../prove/prove.ts';
import { type Unproved, unprovedOf } from '../../prove/unproved.ts';
import { readSuites } from '../../setup/read.ts';

/** Far from both ends of a day, a month and a year: no verdict depends on the hour of a proof. */
const startAt = Date.UTC(2026, 0, 15, 12, 34, 56);

/** Below this, threads cost more than they bring. */
const fewSubjects = 3;

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

/** `carrierspec prove [fault…]`: shows that the rules can fail. 0 where all is as declared, 1 where not. */
export async function proveCommand(flags: Given<typeof proveDefinition>, invocation: Invocation): Promise<number> {
  const { names } = flags;
  const begun = performance.now();
  const subjects = chooseSubjects(names, suggestNames);
  const threads = flags.workers ?? availableParallelism();
  makeFolder(flags.out, '--out');
  const suites = await readSuites(flags.suites, new Set(catalogue.map(({ name }) => name)));
  const cache = join(flags.out, 'clean.json');
  const key = keyOf(suites);
  const kept = readClean(cache, key);
  const settings = { suites: flags.suites, startAt };
  const pool = subjects.length <= fewSubjects ? openInline(suites, settings) : openPool(threads, settings);
  try {
    const shadows = catalogue.map(({ name }) => name);
    const onProof = createCounter(subjects.length, invocation);
    const shipped = flags.suites.length === 0 ? suites : await readSuites([]);
    const known = {
      declared: new Set(shipped.rules.map(({ id }) => id)),
      ...(kept === undefined ? {} : { clean: kept }),
    };
    const { proofs, clean } = await prove({ suites, shadows, subjects, pool, whole: flags.whole, onProof, ...known });
    if (kept === undefined) writeClean(cache, key, clean);
    writeFileSync(join(flags.out, 'matrix.json'), `${JSON.stringify(matrixOf(proofs), null, 1)}\n`);
    const unproved: readonly Unproved[] = names.length === 0 ? unprovedOf(suites, proofs) : [];
    const proving: Proving = {
      proofs,
      unproved,
      whole: flags.whole,
      remembered: kept !== undefined,
      matrix: join(flags.out, 'matrix.json'),
      seconds: (performance.now() - begun) / 1000,
    };
    invocation.stdout.write(`${renderProofs(pageOf(invocation), proving).join('\n')}\n`);
    return proofs.every(isProved) && unproved.length === 0 ? exitCodes.conformant : exitCodes['not conformant'];
  } finally {
    await pool.close();
  }
}
