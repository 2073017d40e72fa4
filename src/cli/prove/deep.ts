import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { glob } from '../../engine/plan/select.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { chooseDeep, deepNames, proveDeep } from '../../prove/deep/prove-deep.ts';
import { openThreads } from '../../prove/pool.ts';
import type { proveDefinition } from '../definitions/suite.ts';
import { exitCodes } from '../exit-codes.ts';
import { hintFor } from '../shared/choose.ts';
import type { Given } from '../shared/command.ts';
import { makeFolder } from '../shared/files.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { isGood, renderDeep } from './render-deep.ts';

type ProveFlags = Given<typeof proveDefinition>;

/** As of a proof: far from both ends of a day, a month and a year. */
export const startAt = Date.UTC(2026, 0, 15, 12, 34, 56);

function chosenFaults(names: readonly string[]) {
  const known = deepNames();
  for (const pattern of names) {
    if (known.some((name) => glob(pattern).test(name))) continue;
    const hint = hintFor(pattern, known, 'carrierspec list --faults has them');
    throw new CarrierspecError(`there is no deep fault and no kind ${pattern}; ${hint}`, { code: 'unknown-name' });
  }
  return chooseDeep(names, (pattern, name) => glob(pattern).test(name));
}

/** `prove --deep`: what an exploration finds of the defects that no listed case is about. */
export async function proveDeepCommand(flags: ProveFlags, invocation: Invocation): Promise<number> {
  const { names, seeds: count, requests, out } = flags;
  const faults = chosenFaults(names);
  makeFolder(out, '--out');
  const begun = performance.now();
  const threads = openThreads('explore', flags.workers ?? availableParallelism(), { suites: [], startAt });
  const total = faults.length * count;
  let done = 0;
  try {
    const seeds = Array.from({ length: count }, (_, at) => String(at + 1));
    const onTry = (): void => {
      done += 1;
      if (done % Math.max(1, Math.ceil(total / 20)) === 0) invocation.stderr.write(`${done}/${total} explorations\n`);
    };
    const proofs = await proveDeep({ faults, seeds, requests, threads, onTry });
    const report = join(out, 'deep.json');
    const tries = proofs.map(({ fault: { name, kind, breaks }, tries: all }) => ({ name, kind, breaks, tries: all }));
    writeFileSync(
      report,
      `${JSON.stringify({ format: 'carrierspec-deep', version: 1, requests, faults: tries }, null, 1)}\n`,
    );
    const seconds = (performance.now() - begun) / 1000;
    invocation.stdout.write(`${renderDeep(pageOf(invocation), { proofs, requests, seconds, report }).join('\n')}\n`);
    return isGood(proofs) ? exitCodes.conformant : exitCodes['not conformant'];
  } finally {
    await threads.close();
  }
}
