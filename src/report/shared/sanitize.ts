import type { Json } from '../../lib/json.ts';
import { countNoun } from '../../lib/lists.ts';
import { findMarkAround, parseMark, type RedactionMark, sentLength, sentUnits } from '../../model/redaction-mark.ts';

/** Maximum UTF-16 units of a text on a terminal; longer ones are cut with a note. */
const terminalLimit = 2000;

/** Characters that are invisible or move text: controls, bidi and other formats, fillers, and every blank but U+0020. */
const unseenCharacters = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}]|(?! )\p{Zs}/gu;

/** Complement of `Char` in XML 1.0 §2.2. */
const illegalInXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** `\r` becomes a reference, because a parser would read it as a line feed. */
const xmlEscapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
  '#': '&#35;',
};

/** First `limit` UTF-16 units of a text, or one less if that would split a character. */
function wholeCharacters(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** First `limit` UTF-16 units of a text, never half a character, and the number of those left out. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = findMarkAround(text, limit)?.start ?? 0;
  const shown = wholeCharacters(text, mark > 0 ? mark : limit);
  return `${shown}… (${sentUnits(text) - sentUnits(shown)} more characters)`;
}

/** Length from which on a value shows its length. */
const minCountedLength = 40;

/** Renders a redacted secret: `[code sha256:0123456789ab] (1,024 characters, redacted)`. */
function showMark({ secret, characters, header }: RedactionMark): string {
  const known = [countNoun(characters, 'character'), 'redacted', header ?? []].flat();
  return `${secret} (${known.join(', ')})`;
}

/** A value as JSON of at most `limit` UTF-16 units; a long text also shows its full length: `"aaa…" (241 characters)`. */
export function showValue(value: Json, limit: number): string {
  const json = JSON.stringify(value);
  if (typeof value !== 'string') return cutText(json, limit);
  const mark = parseMark(value);
  if (mark !== undefined) return showMark(mark);
  if (value.length < minCountedLength) return json;
  const shown = json.length <= limit ? json : `${wholeCharacters(json, limit)}…"`;
  return `${shown} (${sentLength(value)})`;
}

/** Fast path: nearly every text has only these characters. */
const printableText = /^[ -~]*$/;
const printableLines = /^[\n -~]*$/;

/** Each character as `\u{...}`. */
export const showCharacters = (text: string): string =>
  Array.from(text, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');

/** Escapes every invisible character as `\u{...}`. */
export function makeVisible(text: string): string {
  if (printableText.test(text)) return text;
  return text.replace(unseenCharacters, showCharacters);
}

/** Makes a text safe to print on one line of a terminal: no control, no override, no line break, bounded. */
export const forTerminal = (text: string, limit: number = terminalLimit): string => makeVisible(cutText(text, limit));

/** Makes a text safe as XML 1.0 content and attribute value; in `##`, the first sign becomes a reference (`##[`). */
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

/** Makes a text safe as content and quoted attribute value of HTML: one line, every character visible, bounded. */
export const forHtml = (text: string, limit: number = terminalLimit): string => escapeHtml(forTerminal(text, limit));

/** Escapes every invisible character but the line feed, so that a body keeps its lines; bounded. */
export function forLines(text: string, limit: number = terminalLimit): string {
  const cut = cutText(text, limit);
  return printableLines.test(cut) ? cut : cut.split('\n').map(makeVisible).join('\n');
}
