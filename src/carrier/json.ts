/** Any JSON value. The carrier shares no code with the suite, so it has its own words for JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The member where it is a string, or undefined. */
export function stringMember(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The value as it reads: a string as it is, anything else as JSON. */
export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
