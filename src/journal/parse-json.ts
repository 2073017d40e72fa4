import { refuse } from './refuse.ts';

/** Deeper values than this are no evidence; they would only exhaust what walks them. */
export const deepest = 128;

/** What a document, a case and an exchange have around a value. */
const around = 16;

/** Values of one text; a full run has some hundred thousand. */
const mostValues = 20_000_000;

const code = (character: string): number => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const comma = code(',');
const opening: ReadonlySet<number> = new Set([code('['), code('{')]);
const closing: ReadonlySet<number> = new Set([code(']'), code('}')]);

/** The end of the string that begins at a quote. */
function skipString(text: string, start: number): number {
  let at = start + 1;
  for (let found = text.charCodeAt(at); found !== quote && at < text.length; found = text.charCodeAt(at)) {
    at += found === backslash ? 2 : 1;
  }
  return at;
}

/** Why a text would take more memory than there is, or more depth than what walks it has; undefined where it would not. */
function excessOf(text: string): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const found = text.charCodeAt(at);
    if (found === quote) at = skipString(text, at);
    else if (found === comma) values += 1;
    else if (opening.has(found)) {
      depth += 1;
      values += 1;
      if (depth > deepest + around) return `values are nested more than ${deepest} deep`;
    } else if (closing.has(found)) depth -= 1;
  }
  return values > mostValues ? `more than ${mostValues} values` : undefined;
}

/** The value of a JSON text of a result. Throws CarrierspecError where it is too deep or too much, and as JSON.parse does. */
export function parseRead(text: string, place: string): unknown {
  const excess = excessOf(text);
  if (excess !== undefined) throw refuse('result-broken', `${place}: ${excess}`);
  const value: unknown = JSON.parse(text);
  return value;
}
