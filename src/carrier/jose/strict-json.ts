import { isJsonObject, type JsonObject } from '../json.ts';

/** The text is not one JSON object in the strict sense: duplicate names, unpaired surrogates, too deep, a BOM. */
export class StrictJsonError extends Error {}

/** A JSON object with the source text of each member, because `1e3` and `300.0` are not the integers of §2.3. */
export interface StrictObject {
  readonly value: JsonObject;
  readonly texts: ReadonlyMap<string, string>;
}

const deepest = 64;
const unpaired = /\p{Surrogate}/u;

/** Bytes to a JSON object; throws StrictJsonError. */
export function parseStrictObject(bytes: Uint8Array): StrictObject {
  const text = decodeUtf8(bytes);
  const value = parseText(text);
  if (!isJsonObject(value)) throw new StrictJsonError('not a JSON object');
  return { value, texts: scan(text) };
}

/** As parseStrictObject; what is no such object is refused. */
export function strictObjectOr(bytes: Uint8Array, refused: (error: StrictJsonError) => never): StrictObject {
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

interface Level {
  /** Names seen, for an object. */
  readonly names: Set<string> | undefined;
  name: string;
  /** Where the current member's value begins. */
  start: number;
}

/** Walks text that is known to be JSON, and finds what JSON.parse lets through. */
function scan(text: string): Map<string, string> {
  const texts = new Map<string, string>();
  const levels: Level[] = [];
  const endMember = (at: number): void => {
    const top = levels[0];
    if (levels.length === 1 && top !== undefined && top.start > 0)
      texts.set(top.name, text.slice(top.start, at).trim());
    if (levels.length === 1 && top !== undefined) top.start = 0;
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    const level = levels.at(-1);
    if (sign === '"') at = takeString({ text, at, level });
    else if (sign === '{' || sign === '[') {
      levels.push({ names: sign === '{' ? new Set() : undefined, name: '', start: 0 });
      if (levels.length > deepest) throw new StrictJsonError('nested too deep');
    } else if (sign === ':' && level !== undefined) level.start = at + 1;
    else if (sign === ',') endMember(at);
    else if (sign === '}' || sign === ']') {
      endMember(at);
      levels.pop();
    }
    if (sign === ',' && level?.names !== undefined) level.start = 0;
  }
  return texts;
}

/** Reads the string that begins at `at`; returns the index of its closing quote. */
function takeString({ text, at, level }: { text: string; at: number; level: Level | undefined }): number {
  let end = at + 1;
  let escaped = false;
  while (text[end] !== '"') {
    if (text[end] === '\\') {
      escaped = true;
      end++;
    }
    end++;
  }
  const raw = text.slice(at, end + 1);
  const isName = level?.names !== undefined && level.start === 0;
  if (!escaped && !isName) return end;
  const value = escaped ? String(JSON.parse(raw)) : raw.slice(1, -1);
  if (unpaired.test(value)) throw new StrictJsonError('an unpaired surrogate');
  if (isName) {
    if (level.names?.has(value)) throw new StrictJsonError('a member name twice');
    level.names?.add(value);
    level.name = value;
  }
  return end;
}
