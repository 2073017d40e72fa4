import type { Json, JsonObject } from '../../lib/json.ts';

/** A16: §2.11 writes is_adult18 and the scopes is_adult_18; both spellings conform. */
const attributeSpellings: Readonly<Record<string, readonly string[]>> = {
  is_adult18: ['is_adult18', 'is_adult_18'],
  is_adult21: ['is_adult21', 'is_adult_21'],
  is_over13: ['is_over13', 'is_over_13'],
};

/** Attributes of §2.11 that carry a level, by their names there. */
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

/** Finds an attribute under either of its spellings. */
export function findAttribute(profile: JsonObject, name: string): Attribute | undefined {
  const member = (attributeSpellings[name] ?? [name]).find((spelling) => Object.hasOwn(profile, spelling));
  const value = member === undefined ? undefined : profile[member];
  return member === undefined || value === undefined ? undefined : { member, value };
}

export const listAttributes = (profile: JsonObject): readonly Attribute[] =>
  attributeNames.flatMap((name) => findAttribute(profile, name) ?? []);
