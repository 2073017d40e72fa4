import { closeSync, openSync, readSync } from 'node:fs';

/** One line of a file, without its line feed. */
export interface Line {
  /** Counts from 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
  /** A line feed stands behind it; only the last line can be without. */
  readonly ended: boolean;
  /** Offset behind it and its line feed. */
  readonly end: number;
}

const chunkSize = 1 << 18;

function* chunksOf(path: string, limit: number): Iterable<Buffer> {
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < limit; ) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkSize, limit - at));
      const read = readSync(file, chunk, 0, chunk.length, at);
      if (read === 0) return;
      at += read;
      yield chunk.subarray(0, read);
    }
  } finally {
    closeSync(file);
  }
}

/** The lines of a file, one at a time, up to `limit` bytes of it: a run that is under way may still write behind them. */
export function* readLines(path: string, limit = Number.POSITIVE_INFINITY): Iterable<Line> {
  let parts: Buffer[] = [];
  let number = 1;
  let end = 0;
  for (const chunk of chunksOf(path, limit)) {
    let from = 0;
    for (let feed = chunk.indexOf(10); feed >= 0; feed = chunk.indexOf(10, from)) {
      const bytes = Buffer.concat([...parts, chunk.subarray(from, feed)]);
      parts = [];
      end += bytes.length + 1;
      yield { number, bytes, ended: true, end };
      number += 1;
      from = feed + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length === 0) return;
  const bytes = Buffer.concat(parts);
  yield { number, bytes, ended: false, end: end + bytes.length };
}
