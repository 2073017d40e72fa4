import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../lib/optional.ts';
import { openThreads, type Threads } from '../../prove/pool.ts';
import type { proveDefinition } from '../definitions/suite.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given } from '../shared/command.ts';
import { makeFolder } from '../shared/files.ts';
import { type Invocation, pageOf } from '../shared/invocation.ts';
import { startAt } from './deep.ts';
import type { Drawing } from './drawing.ts';
import { type ExploredCarrier, type ExploredSpace, isGreen, renderExplored } from './render-explored.ts';

type SpaceFlags = Given<typeof proveDefinition>;

/** Breaches of one carrier that are told. */
const mostShown = 10;

/** Explores each carrier with a seed of its own, that of the drawing and its number. */
async function exploreAll(
  { carriers, seed }: Drawing,
  { requests }: SpaceFlags,
  means: { readonly threads: Threads<'explore'>; readonly onCarrier: (one: ExploredCarrier) => void },
): Promise<readonly ExploredCarrier[]> {
  return Promise.all(
    carriers.map(async ({ number, choices }) => {
      const outcome = await means.threads.run({
        seed: `${seed} ${number}`,
        requests,
        enough: mostShown,
        faults: [],
        choices,
      });
      const one = { number, choices, outcome };
      means.onCarrier(one);
      return one;
    }),
  );
}

function reportOf({ explored, drawing: { seed }, flags: { requests } }: ExploredSpace) {
  const carriers = explored.map(({ number, choices, outcome: { shown, stopped, unjudged, requests: sent } }) => ({
    number,
    shown,
    ...defined({ stopped }),
    requests: sent,
    unjudged,
    choices,
  }));
  return { format: 'carrierspec-explored-space', version: 1, seed, requests, carriers };
}

/** `prove --space --explore`: exploration finds nothing of a carrier that conforms. 0 where so, 1 where not. */
export async function exploreSpaceCommand(
  flags: SpaceFlags,
  invocation: Invocation,
  drawing: Drawing,
): Promise<number> {
  makeFolder(flags.out, '--out');
  const begun = performance.now();
  const workers = flags.workers ?? availableParallelism();
  const threads = openThreads('explore', workers, { suites: [], startAt });
  const total = drawing.carriers.length;
  let done = 0;
  const onCarrier = (): void => {
    done += 1;
    if (done % Math.ceil(total / 20) === 0) invocation.stderr.write(`${done}/${total} carriers\n`);
  };
  try {
    const explored = await exploreAll(drawing, flags, { threads, onCarrier });
    const report = join(flags.out, 'explored-space.json');
    const told = { explored, drawing, flags, report, seconds: (performance.now() - begun) / 1000 };
    writeFileSync(report, `${JSON.stringify(reportOf(told), null, 1)}\n`);
    invocation.stdout.write(`${renderExplored(pageOf(invocation), told).join('\n')}\n`);
    return explored.every(isGreen) ? exitCodes.conformant : exitCodes['not conformant'];
  } finally {
    await threads.close();
  }
}
