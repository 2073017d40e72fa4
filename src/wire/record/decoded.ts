import { lendUnits } from './secret-index.ts';

/** A text without escapes, and where in the text that was given each of its characters begins; its end is the last. */
export interface DecodedText {
  readonly text: string;
  readonly starts: (at: number) => number;
}

const [backslash, percent, letterU] = [0x5c, 0x25, 0x75];
const escapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([name, one]) => [
    name.codePointAt(0) ?? 0,
    one.codePointAt(0) ?? 0,
  ]),
);

function hexAt(units: Uint16Array, at: number, count: number): number | undefined {
  if (at + count > units.length) return undefined;
  let value = 0;
  for (let digit = at; digit < at + count; digit += 1) {
    const unit = units[digit] ?? 0;
    const letter = unit < 0x61 ? unit - 0x41 : unit - 0x61;
    const is = unit >= 0x30 && unit <= 0x39 ? unit - 0x30 : letter >= 0 && letter < 6 ? letter + 10 : undefined;
    if (is === undefined) return undefined;
    value = value * 16 + is;
  }
  return value;
}

/** What stands at a place, and how many characters it takes: an escape of JSON, one of a URL, or a character. */
function unitAt(units: Uint16Array, at: number): readonly [unit: number, length: number] {
  const unit = units[at] ?? 0;
  if (unit === percent) {
    const byte = hexAt(units, at + 1, 2);
    return byte === undefined ? [unit, 1] : [byte, 3];
  }
  if (unit !== backslash || at + 1 === units.length) return [unit, 1];
  const next = units[at + 1] ?? 0;
  const code = next === letterU ? hexAt(units, at + 2, 4) : undefined;
  return code === undefined ? [escapes.get(next) ?? next, 2] : [code, 6];
}

export const hasEscapes = (text: string): boolean => text.includes('\\') || text.includes('%');

/**
 * A text with the escapes of JSON and of URLs undone once, wherever they stand: who hides a secret keeps to no quotation marks.
 * Undefined where there are none.
 */
export function decodeEscapes({ text, starts }: DecodedText): DecodedText | undefined {
  if (!hasEscapes(text)) return undefined;
  const units = lendUnits(text);
  const out = new Uint16Array(units.length);
  const from = new Uint32Array(units.length + 1);
  let length = 0;
  for (let at = 0; at < units.length; ) {
    const one = units[at] ?? 0;
    const [unit, taken] = one === percent || one === backslash ? unitAt(units, at) : [one, 1];
    out[length] = unit;
    from[length] = at;
    length += 1;
    at += taken;
  }
  if (length === units.length) return undefined;
  const end = units.length;
  from[length] = end;
  const decoded = Buffer.from(out.buffer, 0, length * 2).toString('utf16le');
  return { text: decoded, starts: (at) => starts(from[at] ?? end) };
}

export const asGiven = (text: string): DecodedText => ({ text, starts: (at) => at });
