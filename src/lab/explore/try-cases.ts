import { run } from '../../engine/run.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { type JsonObject, omitUndefined } from '../../lib/json.ts';
import type { CaseResult, InvariantResult } from '../../model/result.ts';
import { compileGenerated } from '../../suite/compile/suite.ts';
import type { Case, Suites } from '../../suite/suites.ts';

/** Run options (tryCases replaces the selection), and the tamper names that steps may use. */
export interface TryGround {
  readonly options: RunOptions;
  readonly tampers: ReadonlySet<string>;
}

/** Part of a case result that an exploration needs. */
type TriedCase = Pick<CaseResult, 'id' | 'findings' | 'reason'>;

export interface TryResult {
  readonly cases: readonly TriedCase[];
  readonly invariants: readonly Pick<InvariantResult, 'id' | 'findings'>[];
  readonly stopped?: string;
}

/** Compiles cases of the suite language. Throws TypeError for an invalid one, because that is a bug of ours. */
export function compileCases(cases: readonly JsonObject[], { options, tampers }: TryGround): readonly Case[] {
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

export interface FullTryResult extends TryResult {
  readonly cases: readonly CaseResult[];
  readonly invariants: readonly InvariantResult[];
}

/** Result reduced to what threads exchange. */
export const slimResult = ({ cases, invariants, ...others }: TryResult): TryResult => ({
  ...others,
  cases: cases.map(({ id, findings, reason }) => ({ id, findings, ...omitUndefined({ reason }) })),
  invariants: invariants.flatMap(({ id, findings }) => (findings.length === 0 ? [] : [{ id, findings }])),
});

/** Runs generated cases and judges them by their expectations and every invariant. */
export async function tryCases(
  cases: readonly JsonObject[],
  ground: TryGround,
  more: Partial<RunOptions> = {},
): Promise<FullTryResult> {
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
