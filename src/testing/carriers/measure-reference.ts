import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { join } from 'node:path';
import { createAlteredCarrier } from '../../lab/reference/altered-carrier.ts';
import type { Policy } from '../../carrier/policy.ts';
import { measureLimits } from '../../engine/measure/measure.ts';
import type { Limit, LimitResult } from '../../model/limit.ts';
import type { Target } from '../../model/target.ts';
import { findFreePort, referenceEnv, referenceRegistrations, referenceTarget } from '../../setup/reference.ts';
import { loadLimits } from '../../suite/load-limits.ts';
import { loadTarget } from '../../target/load.ts';
import { makeFolder } from '../program/target-file.ts';
import { buildRunOptions } from '../parts/run-options.ts';
import { loadShipped } from '../parts/shipped-suites.ts';

const { suites } = await loadShipped();
const { limits } = loadLimits({
  dir: 'suites',
  rules: suites.rules,
  tampers: new Set(),
  difference: serverInitiated.difference,
}).limits;
export const measuredByName = (...names: readonly string[]): readonly Limit[] =>
  limits.filter(({ name }) => names.includes(name));

interface MeasureSetting {
  readonly variants?: Partial<Policy>;
  readonly faults?: readonly string[];
  readonly clock?: 'real' | 'virtual';
  readonly only?: readonly Limit[];
  readonly change?: (target: Target) => Target;
  readonly signal?: AbortSignal;
}

/** Measures a reference carrier with this policy, by default on a virtual clock. */
export async function measureReference(setting: MeasureSetting): Promise<Readonly<Record<string, LimitResult>>> {
  const { variants = {}, faults = [], clock = 'virtual', only = limits, change = (target: Target) => target } = setting;
  const port = await findFreePort();
  const registrations = referenceRegistrations(`http://127.0.0.1:${port}`);
  const carrier = await createAlteredCarrier({ registrations, clock, variants, faults });
  try {
    const { target, problems } = loadTarget({
      interface: serverInitiated,
      file: referenceTarget,
      env: referenceEnv(carrier, registrations, String(port)),
    });
    if (target === undefined) throw new Error(problems[0]?.message);
    const { clock: _, ...inRealTime } = target;
    const { limits: results } = await measureLimits(
      only,
      buildRunOptions({
        suites,
        selected: { cases: [], invariants: [], rules: new Set() },
        target: change(clock === 'real' ? inRealTime : target),
        journal: join(makeFolder(), 'journal.jsonl'),
        ...(setting.signal === undefined ? {} : { signal: setting.signal }),
      }),
    );
    return Object.fromEntries(results.map((result) => [result.name, result]));
  } finally {
    await carrier.close();
  }
}
