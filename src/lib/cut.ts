/** Characters up to which an engine copies a part of a text anyway. */
const shortest = 13;

/** The same text in memory of its own: a part of a long text otherwise keeps the whole of it. */
export const copyText = (text: string): string =>
  text.length < shortest ? text : Buffer.from(text, 'utf16le').toString('utf16le');

/** The first `most` UTF-16 units of a text, never half a character, with dots behind where there are more. */
export const cutAt = (text: string, most: number): string =>
  text.length <= most ? text : `${copyText(text.slice(0, most).replace(/[\ud800-\udbff]$/u, ''))} ...`;
