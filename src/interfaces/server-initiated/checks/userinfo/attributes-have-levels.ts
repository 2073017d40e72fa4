import { isJsonObject } from '../../../../model/json.ts';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import { type Attribute, attributesOf, profileOf } from './profile-of.ts';

/** §2.11 gives address no value of its own: its parts are the value. */
const valueNames = (member: string): readonly string[] =>
  member === 'address' ? ['value', 'formatted', 'street_address', 'locality', 'region', 'country'] : ['value'];

function check({ member, value }: Attribute): CheckMismatch[] {
  const path = `body.${member}`;
  if (!isJsonObject(value)) return [{ path, expected: 'an object with value and verified', actual: value }];
  const names = valueNames(member);
  const found: CheckMismatch[] = [];
  if (!names.some((name) => name in value)) {
    const expected = member === 'address' ? 'an address beside verified' : 'a value beside verified';
    found.push({ path, expected, actual: Object.keys(value) });
  }
  if (!('verified' in value)) found.push({ path, expected: 'verified beside the value', actual: Object.keys(value) });
  return found;
}

/** §2.11: for a client with ial_enabled each attribute is an object with value and verified. */
export const attributesHaveLevels = defineCheck((observation) => {
  const found = profileOf(observation);
  return found === undefined ? [] : attributesOf(found.profile).flatMap(check);
});
