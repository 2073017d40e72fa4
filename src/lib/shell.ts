/** A word as a POSIX shell takes it back. */
export const quoteWord = (word: string): string =>
  /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
