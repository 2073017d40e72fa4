import type { Score, RunOutcome } from './rule.ts';

/** The rules that count for the outcome (P8): `hardened` adds the whole baseline, `strict` the recommended ones. */
export type Profile = 'interface' | 'hardened' | 'strict';
export const profiles: readonly Profile[] = ['interface', 'hardened', 'strict'];

/** Conclusion on the interface or on the baseline. */
export interface Conclusion {
  readonly outcome: RunOutcome;
  /** Why it is incomplete; empty otherwise. */
  readonly reasons: readonly string[];
  readonly score: Score;
}

/** The two verdicts; one that no selected rule belongs to is absent. */
export interface Conclusions {
  readonly interface?: Conclusion;
  readonly baseline?: Conclusion;
}

/** Required rules there are, whatever was selected; `counted` of them count for the outcome. */
export interface Whole {
  readonly interface: number;
  readonly baseline: number;
  readonly counted: number;
}

interface OfRule {
  readonly baseline?: true;
  readonly critical?: true;
}

/** Whether a rule counts for the overall outcome. If no selected rule belongs to the interface, all rules count. */
export function countsIn(profile: Profile, rules: readonly OfRule[]): (rule: OfRule) => boolean {
  const isOnlyBaseline = rules.every(({ baseline }) => baseline === true);
  if (profile !== 'interface' || isOnlyBaseline) return () => true;
  return ({ baseline, critical }) => baseline !== true || critical === true;
}
