import stringWidth from 'fast-string-width';

const options = { tabWidth: 1 };

/** Cells a text takes in a terminal. Controls take none: they are made visible before. */
export const countCells = (text: string): number => stringWidth(text, options);

let segmenter: Intl.Segmenter | undefined;

const plain = /^[ -~]*$/;

/** Splits a text into graphemes; the tables are loaded by the first text that needs them. */
function graphemesOf(text: string): Iterable<string> {
  if (plain.test(text)) return text;
  segmenter ??= new Intl.Segmenter();
  // Conjoining letters may be one character without end. A variation selector widens the character before it, and stays with it.
  return Array.from(segmenter.segment(text)).flatMap(({ segment }) =>
    countCells(segment) > 2 ? (segment.match(/.\ufe0f?/gsu) ?? []) : segment,
  );
}

/** A word in parts, the first of at most `first` cells, the others of at most `width`; no character is divided. */
export function breakWord(word: string, width: number, first = width): string[] {
  const parts: string[] = [];
  let part = '';
  let cells = 0;
  for (const character of graphemesOf(word)) {
    const next = countCells(character);
    if (cells + next > (parts.length === 0 ? first : width)) {
      parts.push(part);
      part = '';
      cells = 0;
    }
    part += character;
    cells += next;
  }
  return [...parts, part];
}
