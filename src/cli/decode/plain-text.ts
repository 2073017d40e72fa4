/** The blanks that all lines of a paste begin with. */
function indentOf(lines: readonly string[]): number {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  return depths.reduce((least, depth) => Math.min(least, depth), depths[0] ?? 0);
}

/** A text as it was before an editor or a mail indented it. */
export function plainText(given: string): string {
  const lines = given.split('\n');
  const indent = indentOf(lines);
  return indent === 0 ? given : lines.map((line) => line.slice(indent)).join('\n');
}
