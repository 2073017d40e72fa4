import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Cursor } from '../suite/yaml/cursor.ts';
import type { Reader } from './reader.ts';

/** A JWK or a secret is small; whatever is larger is neither. */
const mostBytes = 64 * 1024;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};

/** A file that the target file names, and what to call it in a message: never the value of an environment's variable. */
export interface SmallFile {
  readonly name: string;
  readonly content: string;
}

/** Reads the small file whose path stands here; what is wrong with it is reported. */
export function readSmall(place: Cursor, reader: Reader): SmallFile | undefined {
  const file = reader.text(place);
  if (file === undefined) return undefined;
  const variable = reader.variable(place);
  const name = variable === undefined ? file : `the file that ${variable} names`;
  try {
    const content = readFileSync(resolve(reader.folder, file));
    if (content.length <= mostBytes) return { name, content: content.toString('utf8') };
    return reader.complain(place, 'file-unreadable', `${name} is larger than ${mostBytes} bytes`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return reader.complain(place, 'file-unreadable', `${name} cannot be read: ${reasons[code] ?? code}`);
  }
}
