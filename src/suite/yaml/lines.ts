import type { Position } from '../../model/position.ts';

/** The lines of a text: positions count from 1, columns in UTF-16 units, as editors count them. */
export interface Lines {
  readonly position: (offset: number) => Position;
  readonly line: (line: number) => string;
}

export function linesOf(text: string, file: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    position: (offset) => {
      const line = lastNotAfter(starts, offset);
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

function lastNotAfter(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
