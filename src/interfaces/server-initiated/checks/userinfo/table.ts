import type { NamedCheck } from '../../../../judge/check.ts';
import { ageFlagsFollowBirthdate, ageFlagsHaveTheLevelOfBirthdate } from './age-flags-follow-birthdate.ts';
import { attributesHaveLevels } from './attributes-have-levels.ts';
import { documentsVerifiedInThePast, verifiedClaimsAreInTheResponse } from './documents.ts';
import { levelsAre12Or3 } from './levels-are-1-2-or-3.ts';
import { noAssuranceData } from './no-assurance-data.ts';
import { postalCodeFollowsAddress } from './postal-code-follows-address.ts';
import { rateLimitsNotMet } from './rate-limits-not-met.ts';

/** The named checks of the user-info area (§2.11, §8). */
export const userinfoChecks: Readonly<Record<string, NamedCheck>> = {
  'age-flags-follow-birthdate': ageFlagsFollowBirthdate,
  'age-flags-have-the-level-of-birthdate': ageFlagsHaveTheLevelOfBirthdate,
  'attributes-have-levels': attributesHaveLevels,
  'documents-verified-in-the-past': documentsVerifiedInThePast,
  'levels-are-1-2-or-3': levelsAre12Or3,
  'no-assurance-data': noAssuranceData,
  'postal-code-follows-address': postalCodeFollowsAddress,
  'rate-limits-not-met': rateLimitsNotMet,
  'verified-claims-are-in-the-answer': verifiedClaimsAreInTheResponse,
};
