import { omitUndefined } from '../../../lib/json.ts';
import { deepFaults } from '../../catalogue.ts';
import type { DeepFault } from '../../edit/fault-table.ts';
import type { Threads } from '../pool.ts';
import type { DeepOutcome, DeepFinding } from '../job.ts';

/** Outcome of one exploration against one fault. */
interface DeepAttempt {
  readonly seed: string;
  /** Absent: the fault was not found. */
  readonly shown?: DeepFinding;
  readonly stopped?: string;
}

export interface DeepProof {
  readonly fault: DeepFault;
  readonly tries: readonly DeepAttempt[];
}

interface DeepProveOptions {
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

/** Share of the cases beyond which differences do not narrow the search. */
const maxDifferingShare = 0.5;

/** Indexes of the cases in which a fault can show; undefined: any. */
function differingPlaces(
  { name, stateful }: DeepFault,
  { differing, cases }: DeepOutcome,
): readonly number[] | undefined {
  // A stateful fault is not traced, because its state would be the clean carrier's.
  if (stateful === true) return undefined;
  const places = differing[name] ?? [];
  return places.length > maxDifferingShare * cases ? undefined : places;
}

/** With each seed, explores the clean carrier, then each fault in the cases where it makes a difference. */
export async function proveDeep({
  faults,
  seeds,
  requests,
  threads,
  onTry,
}: DeepProveOptions): Promise<readonly DeepProof[]> {
  const traced = faults.filter(({ stateful }) => stateful !== true).map(({ name }) => name);
  const bySeed = await Promise.all(
    seeds.map(async (seed) => {
      const clean = await threads.run({ seed, requests, enough: 1, faults: [], traced });
      const [red] = clean.shown;
      if (red !== undefined || clean.stopped !== undefined) {
        throw new TypeError(
          `seed ${seed}: the clean carrier is not green: ${clean.stopped ?? `${red?.rule ?? ''}, ${red?.title ?? ''}`}`,
        );
      }
      return Promise.all(
        faults.map(async (fault) => {
          const cases = differingPlaces(fault, clean);
          const job = { seed, requests, enough: 1, faults: [fault.name], ...(cases === undefined ? {} : { cases }) };
          const outcome = cases?.length === 0 ? undefined : await threads.run(job);
          const tried: DeepAttempt = {
            seed,
            ...omitUndefined({ shown: outcome?.shown[0], stopped: outcome?.stopped }),
          };
          onTry(fault.name, tried);
          return tried;
        }),
      );
    }),
  );
  return faults.map((fault, at) => ({ fault, tries: bySeed.flatMap((tries) => tries[at] ?? []) }));
}
