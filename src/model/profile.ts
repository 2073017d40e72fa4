/** Rules that count for the outcome (P8): `hardened` adds the whole baseline, `strict` also the recommended rules. */
export type Profile = 'interface' | 'hardened' | 'strict';
export const profiles: readonly Profile[] = ['interface', 'hardened', 'strict'];
