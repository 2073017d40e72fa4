/** Any JSON value; declared here because the carrier shares no code with the suite. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export function stringMember(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** Drops the members that are undefined. */
export function definedMembers<T>(members: { readonly [K in keyof T]: T[K] | undefined }): { [K in keyof T]?: T[K] } {
  const found: { [K in keyof T]?: T[K] } = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

export const words = (list: string): string[] => list.split(' ').filter((word) => word !== '');
