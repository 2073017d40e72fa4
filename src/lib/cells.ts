import stringWidth from 'fast-string-width';

const widthOptions = { tabWidth: 1 };

/** Width of a text in terminal cells. Control characters count as none, because callers make them visible first. */
export const countCells = (text: string): number => stringWidth(text, widthOptions);

let segmenter: Intl.Segmenter | undefined;

const asciiPattern = /^[ -~]*$/;

/** Splits a text into graphemes. The segmenter loads its tables only for a text that is not ASCII. */
function splitGraphemes(text: string): Iterable<string> {
  if (asciiPattern.test(text)) return text;
  segmenter ??= new Intl.Segmenter();
  // A grapheme of conjoining letters has no maximum width, so a wide one is split. A variation selector stays with its character.
  return Array.from(segmenter.segment(text)).flatMap(({ segment }) =>
    countCells(segment) > 2 ? (segment.match(/.\ufe0f?/gsu) ?? []) : segment,
  );
}

/** Splits a word into parts: the first of at most `first` cells, the others of at most `width`. No grapheme is divided. */
export function breakWord(word: string, width: number, first = width): string[] {
  const parts: string[] = [];
  let part = '';
  let cells = 0;
  for (const character of splitGraphemes(word)) {
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
