/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Levels of nesting that are read (RFC 8259 §9 lets a reader set a limit): who walks a value must not run out of stack. */
const deepestRead = 100;

function isTooDeep(text: string, deepest: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '[' || character === '{')) depth += 1;
    else if (!quoted && (character === ']' || character === '}')) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

function parseUpTo(deepest: number, text: string): Json | undefined {
  if (isTooDeep(text, deepest)) return undefined;
  try {
    // What JSON.parse gives is Json by its definition.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The value of a JSON text, or undefined where it is none, or too deep. A byte order mark is not JSON (RFC 8259 §8.1). */
export const parseJson = (text: string): Json | undefined => parseUpTo(deepestRead, text);

/** Of a text that we wrote: what was read may lie some levels deep in it. */
export const parseOwnJson = (text: string): Json | undefined => parseUpTo(2 * deepestRead, text);

/** A JSON value as text for people: strings as they are. */
export function plainText(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
