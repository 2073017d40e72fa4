import { omitUndefined } from '../../../lib/json.ts';
import { deepFaults } from '../../catalogue.ts';
import type { DeepFault } from '../../edit/fault-table.ts';
import type { DeepFinding } from '../job.ts';
import type { Threads } from '../pool.ts';
import type { OrdinaryRun } from './ordinary-run.ts';

/** Outcome of one exploration against one fault. */
export interface DeepAttempt {
  readonly seed: string;
  /** Absent: the fault was not found. */
  readonly shown?: DeepFinding;
  readonly stopped?: string;
}

export interface DeepProof {
  readonly fault: DeepFault;
  /** The whole run with every listed case. */
  readonly run: OrdinaryRun;
  /** Explorations; none of a fault that the run found. */
  readonly tries: readonly DeepAttempt[];
}

interface DeepExploreOptions {
  readonly faults: readonly DeepFault[];
  readonly seeds: readonly string[];
  readonly requests: number;
  readonly threads: Threads<'explore'>;
  readonly onTry: (name: string, tried: DeepAttempt) => void;
}

export const deepNames = (): readonly string[] => [...new Set(deepFaults.flatMap(({ name, kind }) => [name, kind]))];

/** Faults of these names, globs or kinds; all without any. */
export function chooseDeepFaults(
  names: readonly string[],
  matches: (pattern: string, name: string) => boolean,
): readonly DeepFault[] {
  if (names.length === 0) return deepFaults;
  return deepFaults.filter(({ name, kind }) =>
    names.some((pattern) => matches(pattern, name) || matches(pattern, kind)),
  );
}

/** With each seed, explores the clean carrier, then each fault. Returns the explorations by the name of the fault. */
export async function exploreDeepFaults({
  faults,
  seeds,
  requests,
  threads,
  onTry,
}: DeepExploreOptions): Promise<ReadonlyMap<string, readonly DeepAttempt[]>> {
  const bySeed = await Promise.all(
    seeds.map(async (seed) => {
      const clean = await threads.run({ seed, requests, enough: 1, faults: [] });
      const [red] = clean.shown;
      if (red !== undefined || clean.stopped !== undefined) {
        throw new TypeError(
          `seed ${seed}: the clean carrier is not green: ${clean.stopped ?? `${red?.rule ?? ''}, ${red?.title ?? ''}`}`,
        );
      }
      return Promise.all(
        faults.map(async (fault) => {
          const { shown, stopped } = await threads.run({ seed, requests, enough: 1, faults: [fault.name] });
          const tried: DeepAttempt = { seed, ...omitUndefined({ shown: shown[0], stopped }) };
          onTry(fault.name, tried);
          return tried;
        }),
      );
    }),
  );
  return new Map(faults.map(({ name }, at) => [name, bySeed.flatMap((tries) => tries[at] ?? [])]));
}
