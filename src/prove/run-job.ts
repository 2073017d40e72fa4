import { idleRun } from '../engine/idle-run.ts';
import { run } from '../engine/run.ts';
import { rulesOfInvariant, select, type Selected } from '../engine/plan/select.ts';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import { rulesOf } from '../suite/rules-of.ts';
import { messageOf } from '../lib/errors.ts';
import { defined } from '../lib/optional.ts';
import type { CaseResult, Result } from '../model/result.ts';
import type { Suites } from '../suite/suites.ts';
import type { Target } from '../model/target.ts';
import { thisTool } from '../setup/paths.ts';
import { differingBy } from './differing.ts';
import type { CaseOutcome, Job, JobOutcome, ThreadSettings } from './job.ts';
import { withCarrier } from './place.ts';
import { wireShape } from './wire-shape.ts';

function selectedOf(suites: Suites, { cases: wanted, what }: Job): Selected {
  if (what !== undefined) return select(suites, { what, level: 'informational' }, () => []);
  const ids = wanted === undefined ? undefined : new Set(wanted);
  const cases = ids === undefined ? suites.cases : suites.cases.filter(({ id }) => ids.has(id));
  const { invariants } = suites;
  const rules = new Set([
    ...cases.flatMap((one) => [...rulesOf(one)]),
    ...invariants.flatMap((one) => [...rulesOfInvariant(one)]),
  ]);
  return { cases, invariants, rules };
}

/** One run, in this thread: the reference carrier on its sockets, and the engine as `carrierspec run` uses it. */
export async function runJob(job: Job, suites: Suites, settings: ThreadSettings): Promise<JobOutcome> {
  try {
    return await withCarrier(job, settings, async ({ target, journal, found }) => {
      const { result, close } = await runEngine(job, suites, { target, journal });
      const cases = [...result.cases].map(outcomeOf);
      const differing = job.shadows === undefined ? {} : { differing: differingBy(found, result) };
      close();
      return { cases, invariants: result.invariants, ...differing };
    });
  } catch (error) {
    return { cases: [], invariants: [], stopped: messageOf(error) };
  }
}

function outcomeOf(one: CaseResult): CaseOutcome {
  const { messages: _, ...summary } = one;
  return { ...summary, wire: wireShape(one) };
}

interface Against {
  readonly target: Target;
  readonly journal: string;
}

function runEngine(
  job: Job,
  suites: Suites,
  { target, journal }: Against,
): Promise<{ readonly result: Result; readonly close: () => void }> {
  const { supports = {}, order } = job;
  // The same target as before has the same assignments.
  const declared =
    Object.keys(supports).length === 0 ? target : { ...target, supports: { ...target.supports, ...supports } };
  return run({
    ...idleRun({ interface: serverInitiated, suites, target: declared, profile: 'hardened', tool: thisTool() }),
    confirm: false,
    selected: selectedOf(suites, job),
    journal,
    ...defined({ order }),
    ...(job.serial === true ? { open: 1 } : {}),
  });
}
