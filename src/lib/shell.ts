/** Quotes a word for a POSIX shell. */
export const quoteWord = (word: string): string =>
  /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
