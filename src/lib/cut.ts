/** The first `most` UTF-16 units of a text, never half a character, with dots behind where there are more. */
export const cutAt = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/u, '')} ...`;
