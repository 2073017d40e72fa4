import { join } from 'node:path';
import { createCarrier } from '../carrier/create-carrier.ts';
import type { Policy } from '../carrier/policy.ts';
import { run } from '../engine/run.ts';
import { serverInitiated } from '../interfaces/server-initiated/interface.ts';
import type { CaseResult } from '../model/result.ts';
import type { Target } from '../model/target.ts';
import { readSuites } from '../setup/read.ts';
import { freePort, referenceEnv, referenceRegistrations, referenceTarget } from '../setup/reference.ts';
import { loadTarget } from '../target/load.ts';
import { buildRunOptions } from './run-options.ts';
import { makeFolder } from './target-file.ts';

interface Setting {
  /** Ids of the cases that run. */
  readonly cases: readonly string[];
  readonly faults?: readonly string[];
  /** What the carrier chooses where the interface leaves it open. */
  readonly policy?: Partial<Policy>;
  readonly change?: (target: Target) => Target;
}

/** Runs and confirms shipped cases against the reference carrier, on a virtual clock. */
export async function runReference(setting: Setting): Promise<Readonly<Record<string, CaseResult>>> {
  const { faults = [], policy = {}, change = (target: Target) => target } = setting;
  const suites = await readSuites([]);
  const cases = suites.cases.filter(({ id }) => setting.cases.includes(id));
  const port = await freePort();
  const registrations = referenceRegistrations(`http://127.0.0.1:${port}`);
  const carrier = await createCarrier({ registrations, clock: 'virtual', variants: policy, faults });
  try {
    const { target, problems } = loadTarget({
      interface: serverInitiated,
      file: referenceTarget,
      env: referenceEnv(carrier, registrations, String(port)),
    });
    if (target === undefined) throw new Error(problems[0]?.message);
    const rules = new Set(cases.flatMap((one) => one.rules.map(({ rule }) => rule)));
    const { result, close } = await run(
      buildRunOptions({
        suites,
        selected: { cases, invariants: [], rules },
        target: change(target),
        journal: join(makeFolder(), 'journal.jsonl'),
        confirm: true,
      }),
    );
    const found = Object.fromEntries([...result.cases].map((one) => [one.id, one]));
    close();
    return found;
  } finally {
    await carrier.close();
  }
}
