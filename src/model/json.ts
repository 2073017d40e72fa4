/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The value of a JSON text, or undefined where it is none. A byte order mark is not JSON (RFC 8259 §8.1). */
export function parseJson(text: string): Json | undefined {
  try {
    // What JSON.parse gives is Json by its definition.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A JSON value as text for people: strings as they are. */
export function plainText(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
