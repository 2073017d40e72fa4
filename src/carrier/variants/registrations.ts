import { defineVariants } from '../faults/edit/define.ts';
import { withUserinfo } from '../faults/edit/parts.ts';

/** What the portal allows an SP, and how sure the carrier is of a SIM: §2.11, §2.12. */
export const registrationVariants = defineVariants({
  'sim-tenure-of-level-1': [
    'sim_tenure_24 has level 1, because other swaps take hours to show (§2.11, C1.18).',
    withUserinfo(({ level }) => ({ level: (scope, call) => (scope === 'sim_tenure_24' ? 1 : level(scope, call)) })),
  ],
});
