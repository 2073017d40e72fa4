const opening = '{[';
const closing = '}]';

/**
 * Where the string that begins at `start` ends, or the end of the text.
 * @param {string} text
 * @param {number} start
 */
function endOfString(text, start) {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/**
 * The tokens of a JSON text as they stand there; blanks between them are left out.
 * @param {string} text
 */
function tokensOf(text) {
  const tokens = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    const end = sign === '"' ? endOfString(text, at) : at + 1;
    if (sign.trim() !== '') tokens.push(text.slice(at, end));
    at = end - 1;
  }
  return tokens;
}

/** @param {number} depth */
const lineBreak = (depth) => `\n${'  '.repeat(Math.min(depth, 20))}`;

/**
 * A JSON text with line breaks and indentation between its tokens, every token as it came: repeated names, the order
 * and the spelling of numbers stay. What does not begin like JSON comes back as it is.
 * @param {string} text
 */
export function indentJson(text) {
  if (!opening.includes(text.trimStart()[0] ?? ' ')) return text;
  let depth = 0;
  let out = '';
  let before = '';
  for (const token of tokensOf(text)) {
    const isEnd = closing.includes(token);
    if (isEnd) depth = Math.max(0, depth - 1);
    const isFirst = before !== '' && opening.includes(before);
    if (isEnd ? !isFirst : isFirst || before === ',') out += lineBreak(depth);
    out += token === ':' ? ': ' : token;
    if (opening.includes(token)) depth += 1;
    before = token;
  }
  return out;
}
