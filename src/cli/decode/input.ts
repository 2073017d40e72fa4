import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { CarrierspecError } from '../../model/problem.ts';

/** Bytes of a message, or of a key set, that are read; none of the interface is longer. */
export const largest = 1024 * 1024;

const usage = (message: string, cause?: unknown): CarrierspecError =>
  new CarrierspecError(message, { code: 'nothing-to-decode', cause });

async function readStream(stream: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const given: unknown = chunk;
    const part = Buffer.isBuffer(given) ? given : Buffer.from(String(given));
    bytes += part.length;
    if (bytes > largest) throw usage(`${name} is longer than ${largest} bytes`);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The text of a file of at most 1 MiB; `undefined` where there is none of that name. */
export async function readInputFile(file: string): Promise<string | undefined> {
  try {
    return await readStream(createReadStream(file), file);
  } catch (cause) {
    if (cause instanceof CarrierspecError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    if (code === 'ENOENT' || code === 'ENAMETOOLONG' || code === 'ERR_INVALID_ARG_VALUE') return undefined;
    throw usage(`${file} cannot be read: ${code}`, cause);
  }
}

/** What a message begins with, as against the name of a file. */
const looksLikeMessage = /^\s*(?:[{["]|(?:bearer\s+|dpop\s+)?[\w-]+\.[\w-]*\.[\w.-]*$)/i;

/** The message: of an argument, of the file it names (`@file`, or a path), or of stdin (no argument, or `-`). */
export async function readInput(given: string | undefined, stdin: Readable | undefined): Promise<string> {
  if (given === undefined || given === '-') {
    if (stdin === undefined) throw usage('nothing to decode: give a message, @file, or pipe one in');
    return readStream(stdin, 'stdin');
  }
  if (given.startsWith('@')) {
    const text = await readInputFile(given.slice(1));
    if (text === undefined) throw usage(`${given.slice(1)}: there is no such file`);
    return text;
  }
  const file = given.length < 4096 ? await readInputFile(given) : undefined;
  if (file !== undefined) return file;
  if (!looksLikeMessage.test(given)) throw usage(`"${given}" is neither a message nor the name of a file`);
  if (given.length > largest) throw usage(`the message is longer than ${largest} bytes`);
  return given;
}
