import { availableParallelism } from 'node:os';
import { groundOf } from '../../explore/exploration.ts';
import type { Explored } from '../../explore/explore.ts';
import type { Kind, Probe } from '../../explore/probe.ts';
import { exploreRounds, type Reached, type Rounds } from '../../explore/rounds.ts';
import { tryCases } from '../../explore/try-cases.ts';
import { serverInitiatedProbes } from '../../interfaces/server-initiated/exploration/exploration.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { anySeed } from '../../lib/covering/random.ts';
import { countOf } from '../../lib/lists.ts';
import { defined } from '../../lib/optional.ts';
import { openTriers } from '../../prove/explore/try-in-threads.ts';
import { readWritten } from '../../setup/read.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { type Invocation, isLive } from '../shared/invocation.ts';
import type { Setup } from '../shared/setup.ts';

/** Why an exploration ended before all that it may send was sent; it is `cut-off` until it has ended. */
export type EndedBy = 'interrupted' | 'budget' | 'cut-off';

export interface ExploredCarrier extends Explored {
  readonly seed: string;
  readonly seconds: number;
  readonly endedBy?: EndedBy;
}

/** How far an exploration has come, with its seed and the seconds that it took. */
export interface ReachedCarrier extends Reached, Pick<ExploredCarrier, 'seed' | 'seconds'> {}

export interface Wanted {
  /** Any where there is none. */
  readonly seed?: string;
  readonly suites: readonly string[];
  readonly strength: 2 | 3;
  readonly kinds: readonly Kind[];
  readonly requests: number;
  /** Pushes that one subscriber gets at most. */
  readonly pushes?: number;
  /** Seconds at most. */
  readonly seconds: number;
  /** Of the reference carrier: the faults that each of its threads has. */
  readonly embedded?: { readonly faults: readonly string[] };
  /** Which probes are wanted; absent: all of them. */
  readonly isChosen?: (probe: Probe) => boolean;
  /** Where an earlier exploration ended. */
  readonly from?: ReachedCarrier;
  /** Gets all that was found so far, again and again. */
  readonly onReached: (reached: ReachedCarrier) => void;
}

/** How far it is: redrawn in place on a terminal, else a line at a time. */
function createCounter({ stderr, env }: Invocation): {
  readonly on: (sent: number, found: number) => void;
  readonly end: () => void;
} {
  const live = isLive(stderr, env);
  return {
    on: (sent, found) => {
      const words = `${sent.toLocaleString('en')} requests sent, ${countOf(found, 'finding')}`;
      stderr.write(live ? `\r\u001b[K${words}` : `${words}\n`);
    },
    end: () => {
      if (live) stderr.write('\r\u001b[K');
    },
  };
}

/** A carrier more is a thread more; beyond so many the thread that judges findings has no time for them. */
const mostThreads = 8;

type Trying = Pick<Rounds, 'attempt' | 'width'> & { readonly close: () => Promise<void> };

/** The reference carrier is there once for each core, any other carrier once. */
function openTrying({ embedded, suites }: Wanted, { options }: Setup): Trying {
  if (embedded === undefined) {
    const attempt: Trying['attempt'] = (cases) => tryCases(cases, { options, tampers: tamperNames });
    return { attempt, close: () => Promise.resolve() };
  }
  const width = Math.min(mostThreads, availableParallelism());
  return { ...openTriers(width, { suites, faults: embedded.faults, signal: options.signal }), width };
}

const secondsSince = (begun: number): number => (performance.now() - begun) / 1000;

/** Explores a carrier until the requests are sent, the time is over or somebody ends it. */
export async function exploreCarrier(wanted: Wanted, setup: Setup, invocation: Invocation): Promise<ExploredCarrier> {
  const { suites, target, options } = setup;
  const { from } = wanted;
  const seed = wanted.seed ?? from?.seed ?? anySeed();
  const begun = performance.now();
  const secondsInAll = (): number => (from?.seconds ?? 0) + secondsSince(begun);
  const counter = createCounter(invocation);
  invocation.stderr.write(`seed ${seed}\n`);
  let endedBy: EndedBy | undefined;
  const { close, ...trying } = openTrying(wanted, setup);
  try {
    const explored = await exploreRounds({
      ...trying,
      ground: groundOf({ suites, written: await readWritten(wanted.suites), target }, serverInitiated),
      probesOf: serverInitiatedProbes,
      seed,
      strength: wanted.strength,
      kinds: wanted.kinds,
      requests: wanted.requests,
      ...defined({ isChosen: wanted.isChosen, pushes: wanted.pushes, from }),
      goOn: () => {
        if (options.signal.aborted) endedBy = 'interrupted';
        else if (secondsSince(begun) >= wanted.seconds) endedBy = 'budget';
        return endedBy === undefined;
      },
      signal: options.signal,
      onProgress: counter.on,
      onReached: (reached) => wanted.onReached({ ...reached, seed, seconds: secondsInAll() }),
    });
    counter.end();
    return { ...explored, seed, seconds: secondsInAll(), ...defined({ endedBy }) };
  } finally {
    await close();
  }
}
