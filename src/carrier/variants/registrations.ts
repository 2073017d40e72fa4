import { defineVariants } from '../faults/edit/define.ts';
import { withBuilders, withExtra, withUserinfo } from '../faults/edit/parts.ts';
import { asText, words } from '../json.ts';
import { refuse } from '../refusal.ts';

/** What subscribers have done before, and what the portal allows an SP: §1.3, §2.3, §2.12. */
export const registrationVariants = defineVariants({
  'birthdate-consented-before': [
    'The subscribers have consented to birthdate before (§1.3, C1.25).',
    withBuilders(({ consentScreen }) => ({
      consentScreen: (wanted, subscriber, client) =>
        consentScreen(wanted, subscriber, client).filter(
          (scope) => scope !== 'birthdate' || wanted.prompt.includes('consent'),
        ),
    })),
  ],
  'everything-consented-before': [
    'The subscribers have consented to every scope before (§1.3, C1.25).',
    withBuilders(({ consentScreen }) => ({
      consentScreen: (wanted, subscriber, client) =>
        wanted.prompt.includes('consent') ? consentScreen(wanted, subscriber, client) : [],
    })),
  ],
  'postal-code-not-registered': [
    'The portal allows no SP the scope postal_code (§2.12, C1.25).',
    withExtra('postal-code-is-registered', ({ claims }) => {
      if (words(asText(claims['scope'])).includes('postal_code')) refuse('invalid_scope', 'not registered for it');
    }),
  ],
  'sim-tenure-of-level-1': [
    'sim_tenure_24 has level 1, because other swaps take hours to show (§2.11, C1.18).',
    withUserinfo(({ level }) => ({ level: (scope, call) => (scope === 'sim_tenure_24' ? 1 : level(scope, call)) })),
  ],
});
