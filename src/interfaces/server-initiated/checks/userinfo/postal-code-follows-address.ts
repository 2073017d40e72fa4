import { defineCheck } from '../../../../judge/check.ts';
import { attributeOf, levelOf, profileOf } from './profile-of.ts';

/** §2.11: postal_code copies the level of address. */
export const postalCodeFollowsAddress = defineCheck((observation) => {
  const found = profileOf(observation);
  if (found === undefined) return [];
  const address = levelOf(attributeOf(found.profile, 'address'));
  const postalCode = levelOf(attributeOf(found.profile, 'postal_code'));
  if (address === undefined || postalCode === undefined || address === postalCode) return [];
  const expected = `${JSON.stringify(address)}, the level of address`;
  return [{ path: 'body.postal_code.verified', expected, actual: postalCode }];
});
