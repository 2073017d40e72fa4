import { stripVTControlCharacters } from 'node:util';
import { decodeSegment } from '../../judge/compact-jws.ts';
import { parseBody } from '../../lib/json.ts';

/** Characters of base64url and base64: a token with wrong ones is judged with them. */
const tokenText = /^[\w.=+/-]*/;

/** Whether a text is a compact JWS or JWE by its parts and its header. */
function isCompact(text: string): boolean {
  const parts = text.split('.');
  return tokenText.exec(text)?.[0] === text && [3, 5].includes(parts.length) && decodeSegment(parts[0]) !== undefined;
}

/** Beginning of each JWT in base64url: `{"`. */
const joseStart = /(?<![\w.-])eyJ/g;

/** The token that begins here: its line breaks are no part of it, and it ends with the first other character. */
function readToken(lines: readonly string[]): string {
  let token = '';
  for (const line of lines) {
    const part = tokenText.exec(line)?.[0] ?? '';
    token += part;
    if (part.length < line.length) break;
  }
  return token;
}

/** Most beginnings of tokens that are looked at. */
const maxStarts = 8;

/** The only token in a text that has something around it: a name, quotes, a comma, the attributes of a cookie. */
function findOnlyToken(text: string): string | undefined {
  const starts = [...text.matchAll(joseStart)].slice(0, maxStarts);
  const tokens = starts.flatMap(({ index }) => {
    const token = readToken(
      text
        .slice(index)
        .split('\n')
        .map((line) => line.trim()),
    );
    return isCompact(token) ? [token] : [];
  });
  const [token] = tokens;
  return tokens.length === 1 ? token : undefined;
}

/** JSON whose lines were wrapped, or that a comma or a semicolon follows. */
function mendJson(text: string): string | undefined {
  const whole = text.replace(/[,;]$/, '');
  return [whole, whole.replaceAll(/\r?\n/g, '')].find((one) => parseBody(one) !== undefined);
}

/** Most characters of a text that is mended; more was not copied by hand. */
const maxPaste = 65_536;

/** Frees a pasted message of colours, wrapped lines and what was copied with it; returns any other text as it is. */
export function tidyPaste(given: string): string {
  const plain = given.includes('\u001B') ? stripVTControlCharacters(given) : given;
  const text = plain.trim();
  if (text.length > maxPaste || isCompact(text) || parseBody(text) !== undefined) return plain;
  return (/^[[{]/.test(text) ? mendJson(text) : findOnlyToken(text)) ?? plain;
}
