import type { Position } from '../../model/rule.ts';

/** Lines of a text. Positions count from 1, columns in UTF-16 units, as in editors. */
export interface Lines {
  readonly position: (offset: number) => Position;
  readonly line: (line: number) => string;
}

export function indexLines(text: string, file: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    position: (offset) => {
      const line = findLineIndex(starts, offset);
      return { file, line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
    },
    line: (line) => {
      const start = starts[line - 1];
      if (start === undefined) return '';
      const end = starts[line];
      return text.slice(start, end === undefined ? text.length : end - 1).replace(/\r$/, '');
    },
  };
}

function findLineIndex(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Quoted string as written. */
const quotedScalar = /"[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:''[^']*)*'/sy;

/** Offset in the file of a character in a string value. Accounts for quotes, escapes, folds and indentation. */
export function offsetInside(text: string, { start, value }: { start: number; value: unknown }, index: number): number {
  const sign = text[start];
  if (typeof value !== 'string' || sign === '*') return start;
  quotedScalar.lastIndex = start;
  const [raw] = quotedScalar.exec(text) ?? [];
  if (raw !== undefined)
    return start + (raw.includes('\n') ? alignedOffset({ raw, value, header: 1 }, index) : quotedOffset(raw, index));
  if (text.startsWith(value, start)) return start + index;
  const header = sign === '|' || sign === '>' ? text.indexOf('\n', start) + 1 - start : 0;
  return start + alignedOffset({ raw: text.slice(start), value, header }, index);
}

const escapeLength: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

function quotedOffset(raw: string, index: number): number {
  const single = raw[0] === "'";
  let at = 1;
  for (let left = index; left > 0; left -= 1) {
    if (single) at += raw[at] === "'" ? 2 : 1;
    else if (raw[at] === '\\') at += escapeLength[raw[at + 1] ?? ''] ?? 2;
    else at += 1;
  }
  return at;
}

interface Scalar {
  readonly raw: string;
  readonly value: string;
  /** Characters of `raw` before the value. */
  readonly header: number;
}

/** Matches only non-blank characters, because folding and indentation keep their order. */
function alignedOffset({ raw, value, header }: Scalar, index: number): number {
  let at = header;
  for (let inValue = 0; inValue <= index; inValue += 1) {
    const wanted = value[inValue];
    if (wanted === undefined || /\s/.test(wanted)) continue;
    const next = raw.indexOf(wanted, at);
    if (next === -1) return at;
    at = inValue === index ? next : next + 1;
  }
  return at;
}
