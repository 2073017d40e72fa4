import { createInvariantJudge, type InvariantJudge } from '../../judge/invariants.ts';
import { defined } from '../../lib/optional.ts';
import type { Attempt } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Case } from '../../suite/suites.ts';
import { describeOurFault, runCase } from '../case/run-case.ts';
import { Quarantined } from '../clock/scheduler.ts';
import { Interrupted } from '../clock/timeline.ts';
import type { Assignment, World } from '../context/case-context.ts';
import { isAttended } from '../drive/drive.ts';

/** A small run of its own, which belongs to a case. */
export interface Trying {
  readonly case: Case;
  readonly assignment: Assignment;
  /** The case whose record has its messages. */
  readonly of: string;
  readonly name: Attempt;
  /** Which of several of this name, from 1. */
  readonly time?: number;
  /** Place of that case in the run. */
  readonly order: number;
  /** What judges its messages; without one, no invariant does: a message counts once. */
  readonly invariants?: InvariantJudge;
}

/** Why there was no try. */
export interface Impossible {
  readonly impossible: string;
}

/** What a try came to. */
export type Attempted = CaseResult | Impossible;

function impossible(error: unknown): Impossible {
  if (error instanceof Quarantined || error instanceof Interrupted) return { impossible: error.message };
  return { impossible: describeOurFault(error) };
}

/** The case, not observed when its steps are over; where nothing can be denied unasked, it waits out what it left pending. */
export function unwatched(given: Case, { target }: World): Case {
  const { deny } = target.drivers;
  return deny === undefined || isAttended(deny) ? given : { ...given, watched: false };
}

const silent = ({ rules, interface: { checks } }: World): InvariantJudge =>
  createInvariantJudge({ invariants: [], checks, rules });

/** Runs the case of a try to its verdict, with locks of its own. */
export async function attempt(trying: Trying, world: World): Promise<Attempted> {
  const { case: given, assignment, of, name, time = 1, order, invariants = silent(world) } = trying;
  try {
    const runnable = { case: given, assignment, ...defined({ attempt: { of, name, time } }) };
    const result = await runCase(runnable, order, { ...world, invariants });
    return result.verdict === 'not-run' || result.verdict === 'error'
      ? { impossible: result.reason ?? result.verdict }
      : result;
  } catch (error) {
    return impossible(error);
  }
}
