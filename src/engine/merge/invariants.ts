import type { NamedCheck } from '../../judge/check.ts';
import { keptFindings } from '../../judge/invariant-tally.ts';
import { createInvariantJudge } from '../../judge/invariants.ts';
import { createRuleBook, verdictOf } from '../../judge/rule-book.ts';
import { evidenceOf } from '../../journal/contribution.ts';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult, Contribution, InvariantResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import type { Suites } from '../../model/suite.ts';
import { worst } from '../../model/verdict.ts';
import type { Selected } from '../plan/select.ts';
import { sharesCarrier, type ShardPart } from './parts.ts';

/** Of each rule and aspect the first, in the order of the suites, as a whole run keeps them. */
function joinFindings(findings: readonly Finding[], orders: ReadonlyMap<string, number>): readonly Finding[] {
  const orderOf = ({ seenIn = '' }: Finding): number => orders.get(seenIn) ?? orders.size;
  const byRule = new Map<string, Finding[]>();
  for (const finding of findings.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    const ref = renderRuleRef(finding);
    const same = byRule.get(ref) ?? [];
    byRule.set(ref, same);
    if (same.length < keptFindings) same.push(finding);
  }
  return [...byRule.values()].flat();
}

/** The sum of what each shard found by itself; undefined where none has the invariant. */
function sumOf(found: readonly InvariantResult[], orders: ReadonlyMap<string, number>): InvariantResult | undefined {
  const [first] = found;
  const judged = found.reduce((sum, one) => sum + one.judged, 0);
  if (first === undefined || judged === 0) return first;
  const { reason: _, ...rest } = first;
  const all = found.flatMap((one) => one.findings);
  const findings = joinFindings(all, orders);
  return {
    ...rest,
    judged,
    violations: found.reduce((sum, one) => sum + one.violations, 0),
    findings,
    verdict: worst(findings.map(({ level }) => verdictOf[level])) ?? 'pass',
  };
}

const hasRun = ({ startedAt }: CaseResult): boolean => startedAt !== 0;

/** What the cases of all shards contributed; undefined where a shard does not say it, as those of version 1. */
function contributionsOf(parts: readonly ShardPart[]): ReadonlyMap<string, Contribution> | undefined {
  const all = new Map(parts.flatMap(({ result }) => Object.entries(result.contributions ?? {})));
  const ran = parts.flatMap(({ result }) => [...result.cases].filter(hasRun));
  return ran.every(({ id }) => all.has(id)) ? all : undefined;
}

export interface JoinOptions {
  readonly suites: Pick<Suites, 'rules'>;
  /** Of the whole run. */
  readonly selected: Pick<Selected, 'cases' | 'invariants'>;
  readonly checks: Readonly<Record<string, NamedCheck>>;
}

function judgeAgain(cases: readonly CaseResult[], parts: readonly ShardPart[], options: JoinOptions) {
  const contributions = contributionsOf(parts);
  if (contributions === undefined) return [];
  const { suites, selected, checks } = options;
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

/**
 * The invariants of the whole run. They are judged again, from what every case contributed: a request of one shard and a
 * callback of another may break them together. The sum of what the shards found stands where each shard had a carrier of its
 * own, and where the records do not show as much as the shards have seen (a signature of a token that was redacted, a shard of
 * version 1).
 */
export function joinInvariants(
  cases: readonly CaseResult[],
  parts: readonly ShardPart[],
  options: JoinOptions,
): readonly InvariantResult[] {
  const orders = new Map(options.selected.cases.map(({ id }, order) => [id, order]));
  const again = new Map(judgeAgain(cases, parts, options).map((one) => [one.id, one]));
  const oneCarrier = parts.every(({ result }) => sharesCarrier(result.header));
  return options.selected.invariants.flatMap(({ id, on }) => {
    const found = parts.flatMap(({ result }) => result.invariants.filter((one) => one.id === id));
    const sum = sumOf(found, orders);
    const whole = on !== 'run' || oneCarrier ? again.get(id) : undefined;
    if (sum === undefined || whole === undefined) return whole ?? sum ?? [];
    return whole.judged >= sum.judged && whole.violations >= sum.violations ? whole : sum;
  });
}
