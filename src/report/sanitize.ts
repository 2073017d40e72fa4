/** UTF-16 units of one text that a terminal is given; longer ones are cut and say so. */
const terminalLimit = 2000;

/** What a reader cannot see or what moves the text around it: controls, bidi and other formats, fillers, every blank but U+0020. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}]|(?! )\p{Zs}/gu;

/** The complement of `Char` in XML 1.0 §2.2. */
const illegalInXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** `\r` is written as a reference because a parser would read it as a line feed. */
const xmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};

/** The first `limit` UTF-16 units of a text, never half a character, followed by how many were left out. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** Shows every character that a reader could not see as `\u{...}`. */
export function makeVisible(text: string): string {
  return text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A text from outside, safe to print on one line of a terminal: no control, no override, no line break, bounded. */
export function forTerminal(text: string, limit: number = terminalLimit): string {
  return makeVisible(cutText(text, limit));
}

/** A text from outside, safe as content and as attribute value of an XML 1.0 document. */
export function forXml(text: string): string {
  return text.replace(illegalInXml, '').replace(/[&<>"'\r]/g, (character) => xmlEscapes[character] ?? '');
}
