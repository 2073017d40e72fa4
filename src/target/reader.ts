import { at, type Cursor, keyPlace, place, cursorText } from '../suite/yaml/document.ts';
import { resolve } from 'node:path';
import { refusalReason } from '../files/file-error.ts';
import { readText } from '../files/read.ts';
import { isJsonObject } from '../lib/json.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import { parseDuration } from '../lib/duration.ts';
import { suggestKnown } from '../lib/suggestion.ts';
import type { GivenSource } from './values.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads values that the file may take from the environment: `{ env: NAME }`. */
export interface TargetReader {
  /** Folder to which paths in the file are relative. */
  readonly folder: string;
  readonly env: Environment;
  readonly report: (problem: Problem) => void;
  readonly text: (cursor: Cursor | undefined) => string | undefined;
  readonly port: (cursor: Cursor | undefined) => number | undefined;
  /** Reads an absolute http or https URL. */
  readonly url: (cursor: Cursor | undefined) => string | undefined;
  /** Reports a problem and returns undefined in place of the value. */
  readonly complain: (cursor: Cursor, code: ProblemCode, message: string) => undefined;
}

/** Value of a variable; an empty one counts as not set. */
export function readVariable(env: Environment, name: string): string | undefined {
  const found = Object.hasOwn(env, name) ? env[name] : undefined;
  return found === '' ? undefined : found;
}

/** Whether a value begins or ends with whitespace, which is a mistake except in a PEM or JSON key. */
export const hasStrayWhitespace = (value: string): boolean =>
  value.trim() !== value && !/^\s*(?:-----BEGIN|\{)/.test(value);

export const paddingMessage = (name: string): string =>
  `the value of ${name} begins or ends with a blank or a line break: take it out, as with $(cat FILE) or tr -d '\\n'`;

export function createReader(env: Environment, folder: string, report: TargetReader['report']): TargetReader {
  const complain: TargetReader['complain'] = (cursor, code, message) => {
    report(cursor.document.problem({ code, message, position: place(cursor) }));
    return undefined;
  };
  const readText: TargetReader['text'] = (cursor) => {
    if (cursor === undefined) return undefined;
    const { value } = cursor;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    const name = envName(cursor);
    if (name === undefined) return undefined;
    const found = readVariable(env, name);
    if (found === undefined) return complain(cursor, 'env-missing', `the environment has no ${name}`);
    return hasStrayWhitespace(found) ? complain(cursor, 'bad-value', paddingMessage(name)) : found;
  };
  return {
    folder,
    env,
    report,
    complain,
    text: readText,
    port: (cursor) => {
      const value = readText(cursor);
      if (cursor === undefined || value === undefined) return undefined;
      const number = Number(value);
      if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
      return complain(cursor, 'bad-value', `a port is a whole number from 0 to 65535, not ${quoteCursor(cursor)}`);
    },
    url: (cursor) => {
      const value = readText(cursor);
      if (cursor === undefined || value === undefined) return undefined;
      const protocol = URL.canParse(value) ? new URL(value).protocol : undefined;
      if (protocol === 'https:' || protocol === 'http:') return value;
      return complain(cursor, 'bad-value', `not an absolute http or https URL: ${quoteCursor(cursor)}`);
    },
  };
}

/** Name of the variable that holds a value; messages show it because the value may be a secret. */
function envName({ value }: Cursor): string | undefined {
  return isJsonObject(value) && typeof value['env'] === 'string' ? value['env'] : undefined;
}

/** Hides the user and password of a URL in a text. */
export const withoutPassword = (text: string): string => text.replace(/\/\/[^/]*@/, '//***@');

/** Quotes a value for a message: a variable by name, a URL without its password. */
function quoteCursor(cursor: Cursor): string {
  const name = envName(cursor);
  if (name !== undefined) return `the value of ${name}`;
  return withoutPassword(JSON.stringify(cursor.value));
}

/** Reads a timeout in seconds; zero is a mistake. */
export function readTimeout(cursor: Cursor, reader: TargetReader): number | undefined {
  const seconds = parseDuration(cursorText(cursor) ?? '');
  return seconds === 0
    ? reader.complain(cursor, 'bad-value', 'a timeout of 0 would end every wait at once: write a duration such as 30s')
    : seconds;
}

export function requireClients(cursors: readonly Cursor[], clients: Iterable<string>, reader: TargetReader): void {
  const known = new Set(clients);
  for (const cursor of cursors) {
    const name = String(cursor.path.at(-1));
    if (known.has(name)) continue;
    const problem = {
      code: 'unknown-name',
      message: `there is no client "${name}"`,
      hint: suggestKnown(name, known),
    } as const;
    reader.report(cursor.document.problem({ ...problem, position: keyPlace(cursor) }));
  }
}

interface LoadedSource {
  /** Name for messages, never the value of a variable. */
  readonly name: string;
  readonly content: string;
  /** Place in the target file that names it. */
  readonly place: Cursor;
}

/** Reads the small file whose path is at the cursor, and reports errors. */
export function readCredentialFile(cursor: Cursor, reader: TargetReader): LoadedSource | undefined {
  const file = reader.text(cursor);
  if (file === undefined) return undefined;
  const from = envName(cursor);
  const name = from === undefined ? file : `the file that ${from} names`;
  try {
    return { name, content: readText(resolve(reader.folder, file), 'credential'), place: cursor };
  } catch (error) {
    return reader.complain(cursor, 'file-unreadable', `${name} cannot be read: ${refusalReason(error)}`);
  }
}

/** Reads `{ file: PATH }` or `{ env: NAME }`, and reports errors. */
export function readSource({ file, env, cursor }: GivenSource, reader: TargetReader): LoadedSource | undefined {
  if (file !== undefined && env !== undefined) {
    return reader.complain(cursor, 'bad-value', '"file" and "env" do not go together: it comes from one of them');
  }
  if (file !== undefined) return readCredentialFile(at(cursor, 'file'), reader);
  if (env === undefined) {
    return reader.complain(cursor, 'missing-key', 'it needs "file" or "env", to say where it comes from');
  }
  const content = reader.text(cursor);
  if (content === undefined) return undefined;
  // Many tools cannot put a line break into a variable, so a PEM may contain `\n` as text.
  const lines = content.includes('-----BEGIN') ? content.replaceAll(String.raw`\n`, '\n') : content;
  return { name: `the value of ${env}`, content: lines, place: cursor };
}
