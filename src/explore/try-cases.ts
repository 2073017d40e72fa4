import { run } from '../engine/run.ts';
import type { RunOptions } from '../engine/run-options.ts';
import type { JsonObject } from '../lib/json.ts';
import type { CaseResult, InvariantResult } from '../model/result.ts';
import type { Case, Suites } from '../suite/suites.ts';
import { compileGenerated } from '../suite/compile/generated.ts';

/** Where cases are tried: the options of a run of nothing, and the names that steps may use. */
export interface Ground {
  readonly options: RunOptions;
  readonly tampers: ReadonlySet<string>;
}

export interface TriedCases {
  readonly cases: readonly CaseResult[];
  readonly invariants: readonly InvariantResult[];
  /** Why the run had to stop. */
  readonly stopped?: string;
}

/** Cases of the suite language, compiled. Throws where one of them is none: that is a fault of ours. */
export function compileCases(cases: readonly JsonObject[], { options, tampers }: Ground): readonly Case[] {
  const { verbs, checks: named } = options.interface;
  const checks = new Set(Object.keys(named));
  const { cases: compiled, problems } = compileGenerated([...cases], {
    source: 'explore',
    area: 'explore',
    tampers,
    verbs,
    checks,
  });
  const [first] = problems;
  if (first === undefined) return compiled;
  throw new TypeError(`an explored case is no case: ${first.message}`);
}

/** Runs made cases, judged by their expectations and by every invariant. */
export async function tryCases(
  cases: readonly JsonObject[],
  ground: Ground,
  more: Partial<RunOptions> = {},
): Promise<TriedCases> {
  const { options } = ground;
  const compiled = compileCases(cases, ground);
  const suites: Suites = { ...options.suites, cases: compiled };
  const rules = new Set(suites.rules.map(({ id }) => id));
  const { result, close } = await run({
    ...options,
    suites,
    selected: { cases: compiled, invariants: suites.invariants, rules },
    selection: { what: [], level: 'informational' },
    confirm: false,
    keepGoing: true,
    ...more,
  });
  try {
    const stopped = result.footer?.stopped === true ? result.footer.reasons[0] : undefined;
    return { cases: [...result.cases], invariants: result.invariants, ...(stopped === undefined ? {} : { stopped }) };
  } finally {
    close();
  }
}
