import type { NamedCheck } from '../../judge/check.ts';
import { concludeTally, keepFindings, type Tally } from '../../judge/invariant-tally.ts';
import { createInvariantJudge } from '../../judge/invariants.ts';
import { createRuleBook, verdictOfFinding } from '../../judge/rule-book.ts';
import { evidenceOf } from '../../journal/contribution.ts';
import type { CaseResult, InvariantResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { worst } from '../../model/verdict.ts';
import type { Invariant, Suites } from '../../suite/suites.ts';
import type { Selected } from '../plan/select.ts';
import { sharesCarrier, type ShardPart } from './parts.ts';

/** The sum of what each shard found by itself; undefined where none has the invariant. */
function sumOf(
  invariant: Invariant,
  found: readonly InvariantResult[],
  orders: ReadonlyMap<string, number>,
): InvariantResult | undefined {
  if (found.length === 0) return undefined;
  const tally: Tally = {
    invariant,
    judged: 0,
    unjudged: 0,
    violations: 0,
    seenIn: new Map(),
    kept: new Map(),
    states: [],
  };
  for (const { judged, unjudged = 0, violations, findings } of found) {
    tally.judged += judged;
    tally.unjudged += unjudged;
    tally.violations += violations;
    for (const one of findings) keepFindings(tally, [one], orders.get(one.seenIn ?? '') ?? orders.size);
  }
  return concludeTally(tally);
}

export interface JoinOptions {
  readonly suites: Pick<Suites, 'rules'>;
  /** Of the whole run. */
  readonly selected: Pick<Selected, 'cases' | 'invariants'>;
  readonly checks: Readonly<Record<string, NamedCheck>>;
}

/** The invariants, from what each case contributed; the cases are in the order of the suites. */
function judgeAgain(
  cases: readonly CaseResult[],
  parts: readonly ShardPart[],
  { suites, selected, checks }: JoinOptions,
): readonly InvariantResult[] {
  const contributions = new Map(parts.flatMap(({ result }) => Object.entries(result.contributions ?? {})));
  const judge = createInvariantJudge({
    invariants: selected.invariants,
    checks,
    rules: createRuleBook(suites.rules),
  });
  judge.restore(
    cases.flatMap((one, order) => {
      const contributed = contributions.get(one.id);
      return contributed === undefined ? [] : [{ ...evidenceOf(one, contributed), order }];
    }),
  );
  return judge.conclude();
}

/** What two shards showed was seen twice; what one showed is as that shard confirmed it. */
function confirmedAs(whole: InvariantResult, found: readonly InvariantResult[]): InvariantResult {
  const [only, ...others] = found.filter(({ confirmation }) => confirmation !== undefined);
  const { confirmation } = only ?? {};
  if (confirmation === undefined || others.length > 0 || whole.confirmation?.status === 'confirmed') return whole;
  const unstable = new Set(only?.findings.flatMap((one) => (one.unstable === true ? [renderRuleRef(one)] : [])));
  const findings = whole.findings.map((one) =>
    unstable.has(renderRuleRef(one)) ? { ...one, unstable: true as const } : one,
  );
  return { ...whole, findings, verdict: worst(findings.map(verdictOfFinding)) ?? whole.verdict, confirmation };
}

/**
 * The invariants of the whole run. They are judged again, from what every case contributed: a request of one shard and a
 * callback of another may break them together. The sum of what the shards found stands where each shard had a carrier of its
 * own, and where the records do not show as much as the shards have seen (a signature of a token that was redacted).
 */
export function joinInvariants(
  cases: readonly CaseResult[],
  parts: readonly ShardPart[],
  options: JoinOptions,
): readonly InvariantResult[] {
  const orders = new Map(options.selected.cases.map(({ id }, order) => [id, order]));
  const again = new Map(judgeAgain(cases, parts, options).map((one) => [one.id, one]));
  const oneCarrier = parts.every(({ result }) => sharesCarrier(result.header));
  return options.selected.invariants.flatMap((invariant) => {
    const { id, on } = invariant;
    const found = parts.flatMap(({ result }) => result.invariants.filter((one) => one.id === id));
    const sum = sumOf(invariant, found, orders);
    const whole = on !== 'run' || oneCarrier ? again.get(id) : undefined;
    if (sum === undefined || whole === undefined) {
      const one = whole ?? sum;
      return one === undefined ? [] : confirmedAs(one, found);
    }
    return confirmedAs(whole.judged >= sum.judged && whole.violations >= sum.violations ? whole : sum, found);
  });
}
