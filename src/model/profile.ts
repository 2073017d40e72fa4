import type { Score, RunOutcome } from './rule.ts';

/** Rules that count for the outcome (P8): `hardened` adds the whole baseline, `strict` also the recommended rules. */
export type Profile = 'interface' | 'hardened' | 'strict';
export const profiles: readonly Profile[] = ['interface', 'hardened', 'strict'];

/** Conclusion on the interface or on the baseline. */
export interface Conclusion {
  readonly outcome: RunOutcome;
  /** Reasons if it is incomplete, otherwise empty. */
  readonly reasons: readonly string[];
  readonly score: Score;
}

/** The two conclusions; one is absent if no selected rule belongs to it. */
export interface Conclusions {
  readonly interface?: Conclusion;
  readonly baseline?: Conclusion;
}

/** Number of required rules regardless of the selection; `counted` of them count for the outcome. */
export interface RuleTotals {
  readonly interface: number;
  readonly baseline: number;
  readonly counted: number;
}

interface CountedRule {
  readonly baseline?: true;
  readonly critical?: true;
}

/** Whether a rule counts for the overall outcome. If no selected rule belongs to the interface, all rules count. */
export function profileFilter(profile: Profile, rules: readonly CountedRule[]): (rule: CountedRule) => boolean {
  const isOnlyBaseline = rules.every(({ baseline }) => baseline === true);
  if (profile !== 'interface' || isOnlyBaseline) return () => true;
  return ({ baseline, critical }) => baseline !== true || critical === true;
}
