import { isJsonObject, type Json, type JsonObject } from '../../../../model/json.ts';
import type { Judgeable } from '../../../../judge/mismatch.ts';
import type { ResponseObservation } from '../../../../judge/observation.ts';
import { responseOf } from '../deliveries-of.ts';

/** A user-info answer with a profile in it. */
export interface ProfileSeen {
  readonly response: ResponseObservation;
  readonly profile: JsonObject;
}

/** The profile of a user-info answer; undefined where there is none to judge: a refusal, or no JSON object. */
export function profileOf(observation: Judgeable): ProfileSeen | undefined {
  const response = responseOf(observation);
  if (response?.outcome !== 'accepted' || !isJsonObject(response.body)) return undefined;
  return { response, profile: response.body };
}

/** A16: §2.11 writes is_adult18 and the scopes is_adult_18; both spellings conform. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  is_adult18: ['is_adult18', 'is_adult_18'],
  is_adult21: ['is_adult21', 'is_adult_21'],
  is_over13: ['is_over13', 'is_over_13'],
};

/** The attributes of §2.11 that carry a level, by the names they have there. */
export const attributeNames = [
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
  /** The member as it is written in the answer. */
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
export function levelOf(attribute: Attribute | undefined): Json | undefined {
  return isJsonObject(attribute?.value) ? attribute.value['verified'] : undefined;
}

/** The value of an attribute, in either shape of §2.11. */
export function plainValueOf(attribute: Attribute | undefined): Json | undefined {
  return isJsonObject(attribute?.value) ? attribute.value['value'] : attribute?.value;
}
