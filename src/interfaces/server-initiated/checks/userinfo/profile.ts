import { type CheckMismatch, defineCheck, type MessageCheck } from '../../../../judge/check.ts';
import type { ResponseObservation } from '../../../../judge/observation.ts';
import { memberOf, isJsonObject, type Json, type JsonObject } from '../../../../lib/json.ts';

export interface ProfileObservation {
  readonly response: ResponseObservation;
  readonly profile: JsonObject;
}

/** A check of the profile of a user-info response; a refusal, or what is no JSON object, has none to judge. */
export const defineProfileCheck = (
  name: string,
  judge: (found: ProfileObservation) => readonly CheckMismatch[],
): MessageCheck =>
  defineCheck(name, (observation) => {
    if (observation.kind !== 'response' || observation.outcome !== 'accepted') return [];
    return isJsonObject(observation.body) ? judge({ response: observation, profile: observation.body }) : [];
  });

/** A16: §2.11 writes is_adult18 and the scopes is_adult_18; both spellings conform. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  is_adult18: ['is_adult18', 'is_adult_18'],
  is_adult21: ['is_adult21', 'is_adult_21'],
  is_over13: ['is_over13', 'is_over_13'],
};

/** The attributes of §2.11 that carry a level, by the names they have there. */
const attributeNames = [
  'name',
  'birthdate',
  'email',
  'picture',
  'address',
  'postal_code',
  'phone',
  'is_adult18',
  'is_adult21',
  'is_over13',
  'last_4_social',
  'location',
  'sim_tenure_24',
] as const;

export interface Attribute {
  readonly member: string;
  readonly value: Json;
}

export function attributeOf(profile: JsonObject, name: string): Attribute | undefined {
  const member = (spellings[name] ?? [name]).find((spelling) => Object.hasOwn(profile, spelling));
  const value = member === undefined ? undefined : profile[member];
  return member === undefined || value === undefined ? undefined : { member, value };
}

export function attributesOf(profile: JsonObject): readonly Attribute[] {
  return attributeNames.flatMap((name) => attributeOf(profile, name) ?? []);
}

/** The level of an attribute; undefined where it has none. */
export const levelOf = (attribute: Attribute | undefined): Json | undefined => memberOf(attribute?.value, 'verified');

/** The value of an attribute, in either shape of §2.11. */
export const plainValueOf = (attribute: Attribute | undefined): Json | undefined =>
  isJsonObject(attribute?.value) ? memberOf(attribute.value, 'value') : attribute?.value;
