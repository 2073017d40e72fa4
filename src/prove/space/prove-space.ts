import type { CaseOrder } from '../../model/order.ts';
import type { Suites } from '../../suite/suites.ts';
import type { JobOutcome } from '../job.ts';
import { type Clean, type ComparedWith, judgeClean } from '../judge-subject.ts';
import type { Pool } from '../pool.ts';
import { type Cause, explain } from './causes.ts';
import { type Drawn, type DrawnProof, judgeDrawn } from './judge-drawn.ts';
import { sampleCases } from './rows.ts';

interface SpaceOptions {
  readonly suites: Suites;
  readonly carriers: readonly Drawn[];
  readonly seed: string;
  readonly pool: Pool;
  /** All cases run with each carrier. */
  readonly whole: boolean;
  /** The clean run of an earlier proof of the very same program and suites. */
  readonly clean?: JobOutcome;
  readonly onProof: (proof: DrawnProof) => void;
  readonly onCause: (cause: Cause) => void;
}

export interface ProvedSpace {
  readonly proofs: readonly DrawnProof[];
  readonly causes: readonly Cause[];
}

/** Runs the engine against every drawn carrier, and finds what brings each verdict that none of them may get. */
export async function proveSpace(options: SpaceOptions): Promise<ProvedSpace> {
  const { suites, carriers, pool, onProof } = options;
  const clean: Clean = judgeClean(suites, options.clean ?? (await pool.run({ faults: [] })));
  const against: ComparedWith = { clean, suites };
  const proofs = await Promise.all(
    carriers.map(async ({ number, choices }) => {
      const cases = options.whole ? suites.cases.map(({ id }) => id) : sampleCases(suites, `${options.seed} ${number}`);
      const order: CaseOrder = `shuffled=${options.seed}-${number}`;
      const outcome = await pool.run({ faults: [], choices, cases, order });
      const proof = {
        number,
        choices,
        order,
        troubles: judgeDrawn(outcome, against, choices),
        ran: cases.length,
        of: suites.cases.length,
      };
      onProof(proof);
      return proof;
    }),
  );
  const causes = await explain(proofs, { ...against, pool, onCause: options.onCause });
  return { proofs, causes };
}
