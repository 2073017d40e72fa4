import { isJsonObject, type JsonObject } from '../json.ts';

/** The text is not one JSON object in the strict sense: duplicate names, unpaired surrogates, too deep, a BOM. */
class StrictJsonError extends Error {}

/** A JSON object with the source text of each member, because `1e3` and `300.0` are not the integers of §2.3. */
export interface StrictObject {
  readonly value: JsonObject;
  readonly texts: ReadonlyMap<string, string>;
}

const maxDepth = 64;
const unpairedSurrogate = /\p{Surrogate}/u;

/** Bytes to a JSON object; throws StrictJsonError. */
export function parseStrictObject(bytes: Uint8Array): StrictObject {
  const text = decodeUtf8(bytes);
  const value = parseText(text);
  if (!isJsonObject(value)) throw new StrictJsonError('not a JSON object');
  return { value, texts: scanMembers(text) };
}

/** Like parseStrictObject, but passes a StrictJsonError to `refused`. */
export function parseStrictObjectOr(bytes: Uint8Array, refused: (error: StrictJsonError) => never): StrictObject {
  try {
    return parseStrictObject(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return refused(error);
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new StrictJsonError('not UTF-8', { cause });
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StrictJsonError('not JSON', { cause });
  }
}

/** Object or list that encloses the current token. */
interface Level {
  /** Names seen so far; undefined for a list. */
  readonly names: Set<string> | undefined;
  name: string;
  start: number;
}

/** Walks valid JSON: throws on what JSON.parse lets through, and returns the source text of each member. */
function scanMembers(text: string): Map<string, string> {
  const texts = new Map<string, string>();
  const levels: Level[] = [];
  const endMember = (level: Level | undefined, at: number): void => {
    if (level === undefined) return;
    if (levels.length === 1 && level.start > 0) texts.set(level.name, text.slice(level.start, at).trim());
    level.start = 0;
  };
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\(?:.|$)[^"\\]*)*(?:"|$)|[{}[\]:,]/gs)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') {
      levels.push({ names: token === '{' ? new Set() : undefined, name: '', start: 0 });
      if (levels.length > maxDepth) throw new StrictJsonError('nested too deep');
    } else if (token === '}' || token === ']') {
      endMember(level, index);
      levels.pop();
    } else if (token === ',') endMember(level, index);
    else if (token === ':') {
      if (level !== undefined) level.start = index + 1;
    } else requireValidString(token, level);
  }
  return texts;
}

/** Checks a string, given with its quotes; it is a member name if no value of the level has begun. */
function requireValidString(raw: string, level: Level | undefined): void {
  const value = raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1);
  if (unpairedSurrogate.test(value)) throw new StrictJsonError('an unpaired surrogate');
  if (level?.names === undefined || level.start > 0) return;
  if (level.names.has(value)) throw new StrictJsonError('a member name twice');
  level.names.add(value);
  level.name = value;
}
