/** Behind ESC, colours and styles of a terminal (ECMA-48 SGR), which HTTPie writes around each word. */
const style = /^\[[\d;:]{0,64}m/;

const withoutStyles = (text: string): string =>
  text
    .split('\u001b')
    .map((part, at) => (at === 0 ? part : style.test(part) ? part.replace(style, '') : `\u001b${part}`))
    .join('');

/** The blanks that all lines of a paste begin with. */
function indentOf(lines: readonly string[]): number {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  return depths.reduce((least, depth) => Math.min(least, depth), depths[0] ?? 0);
}

/** A text as it was before a terminal coloured it and an editor or a mail indented it. */
export function plainText(given: string): string {
  const lines = withoutStyles(given).split('\n');
  const indent = indentOf(lines);
  return indent === 0 ? lines.join('\n') : lines.map((line) => line.slice(indent)).join('\n');
}
