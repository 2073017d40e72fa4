import { omitUndefined } from '../../../lib/json.ts';
import type { Suites } from '../../../suite/suites.ts';
import type { DeepFault } from '../../edit/fault-table.ts';
import { isRedVerdict, type Subject } from '../catalogue.ts';
import { chooseCases } from '../choose-cases.ts';
import { judgeSubject } from '../judge-subject.ts';
import type { RunPool } from '../pool.ts';
import { judgeGreenCarrier } from '../prove.ts';

/** Outcome of a whole run against a carrier with one fault. */
export interface OrdinaryRun {
  /** Rules that turned red; empty: the run did not find the fault. */
  readonly red: readonly string[];
  /** Why the run had to stop. */
  readonly stopped?: string;
}

interface OrdinaryRunOptions {
  readonly faults: readonly DeepFault[];
  readonly suites: Suites;
  readonly pool: RunPool;
  readonly onRun: (name: string, run: OrdinaryRun) => void;
}

/**
 * Runs every case against the clean carrier, then against each fault: first the cases that judge what it breaks and, if they stay green,
 * all of them. Throws if the clean carrier is not green.
 */
export async function runWithDeepFaults({
  faults,
  suites,
  pool,
  onRun,
}: OrdinaryRunOptions): Promise<readonly OrdinaryRun[]> {
  const clean = await judgeGreenCarrier(suites, pool);
  return Promise.all(
    faults.map(async (fault) => {
      const { name, description, breaks, declares: supports, stateful: serial } = fault;
      const subject: Subject = { name, kind: 'fault', description, breaks };
      const runCases = async (cases: readonly string[] | undefined): Promise<OrdinaryRun> => {
        const outcome = await pool.run(omitUndefined({ faults: [name], supports, serial, cases }));
        const { turned } = judgeSubject(subject, outcome, { clean, suites });
        const red = Object.keys(turned).filter((id) => isRedVerdict(turned[id]));
        return { red, ...omitUndefined({ stopped: outcome.stopped }) };
      };
      const first = await runCases(chooseCases(subject, [], suites));
      const run = first.red.length > 0 ? first : await runCases(undefined);
      onRun(name, run);
      return run;
    }),
  );
}
