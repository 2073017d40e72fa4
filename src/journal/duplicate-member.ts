import { decodeUtf8, readText } from '../files/read.ts';
import { isJournal, readLines } from './read-entries.ts';

/** An open object or list. */
interface OpenContainer {
  /** Names seen so far; undefined for a list. */
  readonly names: Set<string> | undefined;
  /** Current member name or item index. */
  at: string | number;
  /** The next string is a name. */
  wantsName: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const [brace, bracket] = [0x7b, 0x5b];
const [braceEnd, bracketEnd] = [0x7d, 0x5d];

/** Offset after the string that begins at `start`. */
function skipJsonString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** Decoded name, because a letter may be escaped in several ways. */
function decodeName(written: string): string {
  if (!written.includes('\\')) return written.slice(1, -1);
  const read: unknown = JSON.parse(written);
  return String(read);
}

function takeSign(levels: OpenContainer[], sign: number): void {
  if (sign === brace) levels.push({ names: new Set(), at: '', wantsName: true });
  else if (sign === bracket) levels.push({ names: undefined, at: 0, wantsName: false });
  else if (sign === braceEnd || sign === bracketEnd) levels.pop();
  else if (sign === comma) {
    const level = levels.at(-1);
    if (level?.names !== undefined) level.wantsName = true;
    else if (typeof level?.at === 'number') level.at += 1;
  }
}

/** Path of the first duplicate member in a JSON text, `cases.3.verdict`, or undefined (RFC 8259 §4). */
function findDuplicateMember(text: string): string | undefined {
  const levels: OpenContainer[] = [];
  for (let at = 0; at < text.length; ) {
    const sign = text.charCodeAt(at);
    if (sign !== quote) {
      takeSign(levels, sign);
      at += 1;
      continue;
    }
    const end = skipJsonString(text, at);
    const level = levels.at(-1);
    if (level?.wantsName === true) {
      const name = decodeName(text.slice(at, end));
      level.at = name;
      level.wantsName = false;
      if (level.names?.has(name) === true) return levels.map((one) => one.at).join('.');
      level.names?.add(name);
    }
    at = end;
  }
  return undefined;
}

/** Position of a duplicate member in a result or a journal, which other readers may read differently. */
export function locateDuplicateMember(file: string): string | undefined {
  if (!isJournal(file)) return findDuplicateMember(readText(file, 'result'));
  for (const { bytes, number } of readLines(file)) {
    const found = findDuplicateMember(decodeUtf8(bytes) ?? '');
    if (found !== undefined) return `${found} in line ${number}`;
  }
  return undefined;
}
