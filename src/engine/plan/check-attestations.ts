import type { Attestation } from '../../model/attestation.ts';
import { CarrierspecError, type Problem } from '../../model/problem.ts';
import type { Judged, Rule } from '../../model/rule.ts';
import type { Target } from '../../model/target.ts';
import { suggestion } from '../../suite/suggest.ts';

const instead: Readonly<Record<Exclude<Judged, 'attested'>, string>> = {
  cases: 'is judged by cases, so nobody can attest it',
  invariant: 'is judged on every message, so nobody can attest it',
  untestable: 'cannot be attested: nobody can see whether it holds',
};

function problemOf({ rule, place }: Attestation, rules: ReadonlyMap<string, Rule>): Problem | undefined {
  const judged = rules.get(rule)?.judged;
  if (judged === 'attested') return undefined;
  if (judged !== undefined) return { ...place, code: 'rule-not-judged-so', message: `${rule} ${instead[judged]}` };
  const attestable = [...rules.values()].filter((one) => one.judged === 'attested').map(({ id }) => id);
  const hint = suggestion(rule, attestable);
  const problem: Problem = { ...place, code: 'unknown-rule', message: `there is no rule ${rule}` };
  return hint === undefined ? problem : { ...problem, hint };
}

/** The operator attests only what no black box can see. Throws with every attestation of a rule that is not so. */
export function requireAttestable(rules: readonly Rule[], { file, attestations = [] }: Target): void {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const problems = attestations.flatMap((attestation) => problemOf(attestation, byId) ?? []);
  if (problems.length === 0) return;
  const count = `${problems.length} ${problems.length === 1 ? 'mistake' : 'mistakes'}`;
  throw new CarrierspecError(`the target file ${file} has ${count}`, {
    code: 'target-broken',
    problems,
  });
}
