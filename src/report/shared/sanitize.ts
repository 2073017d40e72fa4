import type { Json } from '../../lib/json.ts';
import { countOf } from '../../lib/lists.ts';
import { markAround, parseMark, type RedactionMark, sentLength, sentUnits } from '../../model/redaction-mark.ts';

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
  '#': '&#35;',
};

/** The first `limit` UTF-16 units of a text, or one less where that would be half a character. */
function wholeCharacters(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** The first `limit` UTF-16 units of a text, never half a character, followed by how many were left out. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = markAround(text, limit)?.start ?? 0;
  const shown = wholeCharacters(text, mark > 0 ? mark : limit);
  return `${shown}… (${sentUnits(text) - sentUnits(shown)} more characters)`;
}

/** Characters from which on a reader would have to count. */
const countedFrom = 40;

/** What is known of a secret: `[code sha256:0123456789ab] (1,024 characters, redacted)`. */
function showMark({ secret, characters, header }: RedactionMark): string {
  const known = [countOf(characters, 'character'), 'redacted', header ?? []].flat();
  return `${secret} (${known.join(', ')})`;
}

/** A value as JSON of at most `limit` UTF-16 units; of a long text also how many characters were sent: `"aaa…" (241 characters)`. */
export function showValue(value: Json, limit: number): string {
  const json = JSON.stringify(value);
  if (typeof value !== 'string') return cutText(json, limit);
  const mark = parseMark(value);
  if (mark !== undefined) return showMark(mark);
  if (value.length < countedFrom) return json;
  const shown = json.length <= limit ? json : `${wholeCharacters(json, limit)}…"`;
  return `${shown} (${sentLength(value)})`;
}

/** Nearly every text has only these, and is looked at once. */
const plain = /^[ -~]*$/;
const plainLines = /^[\n -~]*$/;

/** Each character as `\u{...}`. */
export const showCharacters = (text: string): string =>
  Array.from(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');

/** Shows every character that a reader could not see as `\u{...}`. */
export function makeVisible(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(unseen, showCharacters);
}

/** A text from outside, safe to print on one line of a terminal: no control, no override, no line break, bounded. */
export const forTerminal = (text: string, limit: number = terminalLimit): string => makeVisible(cutText(text, limit));

/** A text safe as XML 1.0 content and attribute value; of two number signs the first is a reference (`##[`). */
export const forXml = (text: string): string =>
  text.replace(illegalInXml, '').replace(/[&<>"'\r]|#(?=#)/g, (character) => xmlEscapes[character] ?? '');

const htmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '#': '&#35;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`]|#(?=#)/g, (character) => htmlEscapes[character] ?? '');

/** A text from outside, safe as content and as quoted attribute value of HTML: one line, every character visible, bounded. */
export const forHtml = (text: string, limit: number = terminalLimit): string => escapeHtml(forTerminal(text, limit));

/** Shows every character a reader could not see but the line feed, so that a body keeps its lines; bounded. */
export function forLines(text: string, limit: number = terminalLimit): string {
  const cut = cutText(text, limit);
  return plainLines.test(cut) ? cut : cut.split('\n').map(makeVisible).join('\n');
}

/** Characters that a terminal or a CI log would act on although JSON lets them stand unescaped. */
const actedOnInJson = /[\u007f-\u00a0\p{Cf}\p{Zl}\p{Zp}\p{DI}]|#(?=#)/gu;

/** A value as JSON, on one line unless indented: what `actedOnInJson` finds is a `\uXXXX` inside its string. */
export function forJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, undefined, indent) ?? 'null').replace(actedOnInJson, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

export function* renderJsonLines(values: Iterable<unknown>): Iterable<string> {
  let separator = '\n';
  for (const value of values) {
    yield separator + forJson(value);
    separator = ',\n';
  }
}
