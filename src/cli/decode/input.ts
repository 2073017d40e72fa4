import { describeNoResponse } from '../../model/exchange.ts';
import type { Readable } from 'node:stream';
import { readResponse } from '../../engine/context/read-response.ts';
import { FileError } from '../../files/file-error.ts';
import { maxFileBytes, readTextByKind } from '../../files/read.ts';
import { causeCode } from '../../lib/errors.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { createSender } from '../../wire/send/sender.ts';
import { usageError } from '../shared/inputs.ts';
import { beginsAsHar } from './har.ts';
import { isHttpText } from './http-text.ts';
import { tidyPaste } from './paste.ts';

/** Longest message or key set read, in bytes; none of the interface is longer. */
const maxInputBytes = maxFileBytes.message;

const unreadableInput = (message: string): CarrierspecError =>
  new CarrierspecError(message, { code: 'nothing-to-decode' });

/** Size class of an input: a HAR may be larger. */
const inputKind = (beginning: string): 'har' | 'message' => (beginsAsHar(beginning) ? 'har' : 'message');

async function readStream(stream: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let most: number | undefined;
  for await (const chunk of stream) {
    const given: unknown = chunk;
    const part = Buffer.isBuffer(given) ? given : Buffer.from(String(given));
    bytes += part.length;
    chunks.push(part);
    if (bytes <= maxInputBytes) continue;
    // The bytes so far include the beginning, however they were chunked.
    most ??= maxFileBytes[inputKind(Buffer.concat(chunks).toString('utf8', 0, 512))];
    if (bytes > most) throw unreadableInput(`${name} is longer than ${most} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Text of a file, or undefined if it does not exist. */
function readInputFile(file: string, kind = inputKind): string | undefined {
  try {
    return readTextByKind(file, kind, 'har');
  } catch (error) {
    const code = error instanceof FileError ? causeCode(error.cause) : undefined;
    if (code === 'ENOENT' || code === 'ENAMETOOLONG' || code === 'ERR_INVALID_ARG_VALUE') return undefined;
    throw error;
  }
}

/** Distinguishes a message from a file name. */
const looksLikeMessage = /^\s*(?:[{["]|(?:authorization:\s*)?(?:bearer\s+|dpop\s+)?[\w-]+\.[\w-]*\.[\w.-]*\s*$)/i;

/** Longest input quoted in an error message, in characters; longer text may contain a credential. */
const maxQuotedInput = 60;

const quoteInput = (given: string): string =>
  given.length <= maxQuotedInput && !/ey[\w-]{6}/.test(given)
    ? `"${given}"`
    : `this text of ${given.length} characters`;

/** Common indentation of all lines. */
function commonIndent(lines: readonly string[]): number {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  return depths.reduce((least, depth) => Math.min(least, depth), depths[0] ?? 0);
}

/** Removes common indentation, which an editor or mail client may have added. */
function removeIndent(given: string): string {
  const lines = given.split('\n');
  const indent = commonIndent(lines);
  return indent === 0 ? given : lines.map((line) => line.slice(indent)).join('\n');
}

/** Reads the message: the argument itself, a file (`@file` or a path), or stdin (no argument, or `-`). */
export const readInput = async (given: string | undefined, stdin: Readable | undefined): Promise<string> =>
  tidyInput(await readRawInput(given, stdin));

/** HTTP messages and archives have lines and tokens of their own, and stay as they are. */
function tidyInput(given: string): string {
  const text = removeIndent(given);
  return beginsAsHar(text) || isHttpText(text) ? text : tidyPaste(text);
}

async function readRawInput(given: string | undefined, stdin: Readable | undefined): Promise<string> {
  if (given === undefined || given === '-') {
    if (stdin === undefined) throw unreadableInput('nothing to decode: give a message, @file, or pipe one in');
    return readStream(stdin, 'stdin');
  }
  if (given.startsWith('@')) {
    const text = readInputFile(given.slice(1));
    if (text === undefined) throw unreadableInput(`${given.slice(1)}: there is no such file`);
    return text;
  }
  const file = given.length < 4096 ? readInputFile(given) : undefined;
  if (file !== undefined) return file;
  if (!looksLikeMessage.test(tidyInput(given)) && !isHttpText(removeIndent(given)))
    throw unreadableInput(`${quoteInput(given)} is neither a message nor the name of a file`);
  if (given.length > maxInputBytes) throw unreadableInput(`the message is longer than ${maxInputBytes} bytes`);
  return given;
}

const requestTimeout = 10;

async function fetchText(url: string): Promise<string> {
  const sender = createSender({ requestTimeout, connections: 1 });
  try {
    const sent = await sender.send({ method: 'GET', url, headers: [['accept', 'application/json']] });
    if ('response' in sent && sent.response.status === 200) return readResponse(sent.response).text;
    const why = 'response' in sent ? `HTTP ${sent.response.status}` : describeNoResponse(sent.noResponse);
    throw new CarrierspecError(`--jwks: ${url}: ${why}`, { code: 'jwks-unreachable' });
  } finally {
    await sender.close();
  }
}

async function readKeyText(source: string): Promise<string> {
  if (/^https?:\/\//i.test(source)) return fetchText(source);
  const text = readInputFile(source, () => 'message');
  if (text !== undefined) return text;
  throw usageError(`--jwks: ${source}: there is no such file`);
}

function parseKeySet(value: Json | undefined): readonly JsonObject[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const keys = value['keys'];
  if (Array.isArray(keys)) return keys.filter(isJsonObject);
  return typeof value['kty'] === 'string' ? [value] : undefined;
}

export async function readKeys(source: string): Promise<readonly JsonObject[]> {
  const keys = parseKeySet(parseJson(await readKeyText(source)));
  if (keys !== undefined) return keys;
  throw usageError(`--jwks: ${source} holds no JWK set`);
}
