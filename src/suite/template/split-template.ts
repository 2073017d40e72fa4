/** Part of a string: plain text, an expression between braces, or a pair of braces that nothing closes. */
export interface Piece {
  readonly kind: 'text' | 'expression' | 'open';
  readonly source: string;
  /** Where `source` begins in the string; of an open pair, where the braces stand. */
  readonly index: number;
}

/** Splits a string at its `{{ }}`. Braces inside a quoted text of an expression are part of that text. */
export function splitTemplate(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf('{{', from);
    if (open === -1) break;
    if (open > from) pieces.push({ kind: 'text', source: text.slice(from, open), index: from });
    const close = closing(text, open + 2);
    if (close === undefined) return [...pieces, { kind: 'open', source: text.slice(open), index: open }];
    pieces.push({ kind: 'expression', source: text.slice(open + 2, close), index: open + 2 });
    from = close + 2;
  }
  if (from < text.length) pieces.push({ kind: 'text', source: text.slice(from), index: from });
  return pieces;
}

const quotedOrEnd = /'(?:[^']|'')*'|\}\}/g;

function closing(text: string, from: number): number | undefined {
  quotedOrEnd.lastIndex = from;
  for (let found = quotedOrEnd.exec(text); found !== null; found = quotedOrEnd.exec(text)) {
    if (found[0] === '}}') return found.index;
  }
  return undefined;
}
