/** An engine always copies a substring shorter than this. */
const minShared = 13;

/** Copies a text, because a substring would keep the whole text it was taken from in memory. */
export const copyText = (text: string): string =>
  text.length < minShared ? text : Buffer.from(text, 'utf16le').toString('utf16le');

/** Truncates a text to `most` UTF-16 units and appends dots. Never leaves half a surrogate pair. */
export const truncateText = (text: string, most: number): string =>
  text.length <= most ? text : `${copyText(text.slice(0, most).replace(/[\ud800-\udbff]$/u, ''))} ...`;
