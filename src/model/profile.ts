/** Rules that count for the outcome (P8): `hardened` adds the whole baseline, `strict` also the recommended rules. */
export type Profile = 'interface' | 'hardened' | 'strict';
export const profiles: readonly Profile[] = ['interface', 'hardened', 'strict'];

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
