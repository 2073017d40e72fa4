import { hash } from 'node:crypto';
import { copyText } from '../../lib/cut.ts';
import type { Json } from '../../lib/json.ts';
import { markAround, sentUnits } from '../../model/redaction-mark.ts';

const headLength = 512;
const tailLength = 256;
const lineLength = 128;

/** Characters of the JSON text that it becomes: a control character takes six. */
export const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

export const digestOf = (text: string): string => hash('sha256', text);

/** The first part of a text that takes at most so many characters in the record, and more where a mark would be cut. */
function headOf(text: string, most: number): string {
  const end = markAround(text, most)?.end ?? most;
  let head = text.slice(0, end);
  while (sizeOf(head) > end + 2) head = head.slice(0, Math.floor(head.length / 2));
  return copyText(head.toWellFormed());
}

function tailOf(text: string, most: number): string {
  const from = Math.max(0, text.length - most);
  const start = markAround(text, from)?.start ?? from;
  let tail = text.slice(start);
  while (sizeOf(tail) > text.length - start + 2) tail = tail.slice(Math.ceil(tail.length / 2));
  return copyText(tail.toWellFormed());
}

/** Its ends, with a line between them that says how much is left out. */
export function abridge(text: string): string {
  const [head, tail] = [headOf(text, headLength), tailOf(text, tailLength)];
  if (text.length <= head.length + tail.length) return text;
  const left = sentUnits(text) - sentUnits(head) - sentUnits(tail);
  return `${head}\n[... ${left} characters left out ...]\n${tail}`;
}

export const abridgeLine = (value: string): string =>
  value.length <= lineLength
    ? value
    : `${headOf(value, lineLength)} [... ${sentUnits(value)} characters, sha256:${digestOf(value).slice(0, 12)}]`;

/** Characters that a value of a finding takes in the record. */
const largestValue = 4096;

/** The value, or where it is large the two ends of its JSON text. */
export function abridgeJson(value: Json): Json {
  if (sizeOf(value) <= largestValue) return value;
  return abridge(typeof value === 'string' ? value : JSON.stringify(value));
}
