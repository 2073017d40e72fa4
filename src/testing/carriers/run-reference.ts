import { join } from 'node:path';
import { createAlteredCarrier } from '../../lab/reference/altered-carrier.ts';
import type { Policy } from '../../carrier/policy.ts';
import { type SelectedSuites, selectSuites } from '../../engine/plan/select.ts';
import { run } from '../../engine/run.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { runExitCode } from '../../verdict/ending.ts';
import type { CaseResult } from '../../model/result.ts';
import type { Target } from '../../model/target.ts';
import type { Verdict } from '../../model/rule.ts';
import { readSuites } from '../../setup/read-files.ts';
import { findFreePort, referenceEnv, referenceRegistrations, referenceTarget } from '../../setup/reference.ts';
import type { Suites } from '../../suite/suites.ts';
import { loadTarget } from '../../target/load.ts';
import { buildRunOptions } from '../parts/run-options.ts';
import { makeFolder } from '../program/target-file.ts';

interface ReferenceSetting {
  readonly faults?: readonly string[];
  /** Choices of the carrier where the interface leaves them open. */
  readonly policy?: Partial<Policy>;
  readonly change?: (target: Target) => Target;
  /** Changes the target with something that is opened in front of the carrier. */
  readonly open?: (target: Target, adminOrigin: string) => Promise<Target>;
}

/** Result of a run. */
interface EndedReference {
  /** Exit code of the process. */
  readonly code: number;
  readonly rules: ReadonlyMap<string, Verdict>;
  readonly cases: Readonly<Record<string, CaseResult>>;
}

/** Runs and confirms a selection of the shipped suites against the reference carrier, on a virtual clock. */
async function runSelected(
  setting: ReferenceSetting,
  selectedOf: (suites: Suites) => SelectedSuites,
): Promise<EndedReference> {
  const {
    faults = [],
    policy = {},
    change = (target: Target) => target,
    open = (given: Target) => Promise.resolve(given),
  } = setting;
  const suites = await readSuites([]);
  const port = await findFreePort();
  const registrations = referenceRegistrations(`http://127.0.0.1:${port}`);
  const carrier = await createAlteredCarrier({ registrations, clock: 'virtual', variants: policy, faults });
  try {
    const { target, problems } = loadTarget({
      interface: serverInitiated,
      file: referenceTarget,
      env: referenceEnv(carrier, registrations, String(port)),
    });
    if (target === undefined) throw new Error(problems[0]?.message);
    const { result, close } = await run(
      buildRunOptions({
        suites,
        selected: selectedOf(suites),
        target: await open(change(target), carrier.adminOrigin),
        journal: join(makeFolder(), 'journal.jsonl'),
        confirm: true,
      }),
    );
    const ended = {
      code: runExitCode(result),
      rules: new Map(result.rules.map(({ id, verdict }) => [id, verdict])),
      cases: Object.fromEntries([...result.cases].map((one) => [one.id, one])),
    };
    close();
    return ended;
  } finally {
    await carrier.close();
  }
}

/** Runs only these cases, without invariants. */
export async function runReference({
  cases: ids,
  ...setting
}: ReferenceSetting & { readonly cases: readonly string[] }): Promise<EndedReference['cases']> {
  const { cases } = await runSelected(setting, (suites) => {
    const chosen = suites.cases.filter(({ id }) => ids.includes(id));
    return {
      cases: chosen,
      invariants: [],
      rules: new Set(chosen.flatMap((one) => one.rules.map(({ rule }) => rule))),
    };
  });
  return cases;
}

/** Verdicts of `carrierspec run` with these names, without a process and without reports. */
export const judgeReference = (what: readonly string[], setting: ReferenceSetting): Promise<EndedReference> =>
  runSelected(setting, (suites) => selectSuites(suites, { what }, () => []));
