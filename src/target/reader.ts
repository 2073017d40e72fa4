import { isJsonObject } from '../model/json.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import { type Cursor, keyPlace, place } from '../suite/yaml/cursor.ts';
import { suggestion } from '../lib/suggest.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads values of a target file that may stand in the environment instead: `{ env: NAME }`. */
export interface Reader {
  /** Folder that paths of the file begin from. */
  readonly folder: string;
  readonly env: Environment;
  readonly report: (problem: Problem) => void;
  readonly text: (cursor: Cursor) => string | undefined;
  readonly number: (cursor: Cursor) => number | undefined;
  /** An absolute http or https URL. */
  readonly url: (cursor: Cursor) => string | undefined;
  /** The variable a value is taken from: messages name it, because what it holds may be a secret. */
  readonly variable: (cursor: Cursor) => string | undefined;
  /** Reports, and gives the nothing that is left of the value. */
  readonly complain: (cursor: Cursor, code: ProblemCode, message: string) => undefined;
  readonly complainAtKey: (cursor: Cursor, code: ProblemCode, message: string, known: Iterable<string>) => void;
}

/** The value of a variable; one that is empty counts as not set. */
export function variableOf(env: Environment, name: string): string | undefined {
  const found = Object.hasOwn(env, name) ? env[name] : undefined;
  return found === '' ? undefined : found;
}

export function createReader(env: Environment, folder: string, report: Reader['report']): Reader {
  const complain: Reader['complain'] = (cursor, code, message) => {
    report(cursor.document.problem({ code, message, position: place(cursor) }));
    return undefined;
  };
  const raw = (cursor: Cursor): string | number | undefined => {
    const { value } = cursor;
    if (typeof value === 'string' || typeof value === 'number') return value;
    const name = variable(cursor);
    if (name === undefined) return undefined;
    return variableOf(env, name) ?? complain(cursor, 'env-missing', `the environment has no ${name}`);
  };
  const readText = (cursor: Cursor): string | undefined => {
    const value = raw(cursor);
    return value === undefined ? undefined : String(value);
  };

  return {
    folder,
    env,
    report,
    text: readText,
    variable,
    number: (cursor) => {
      const value = raw(cursor);
      if (value === undefined) return undefined;
      const number = Number(value);
      if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
      return complain(cursor, 'bad-value', `a port is a whole number from 0 to 65535, not ${written(cursor)}`);
    },
    url: (cursor) => {
      const value = readText(cursor);
      if (value === undefined) return undefined;
      const protocol = URL.canParse(value) ? new URL(value).protocol : undefined;
      if (protocol === 'https:' || protocol === 'http:') return value;
      return complain(cursor, 'bad-value', `not an absolute http or https URL: ${written(cursor)}`);
    },
    complain,
    complainAtKey: (cursor, code, message, known) =>
      report(
        cursor.document.problem({
          code,
          message,
          position: keyPlace(cursor),
          hint: suggestion(String(cursor.path.at(-1)), known),
        }),
      ),
  };
}

function variable({ value }: Cursor): string | undefined {
  return isJsonObject(value) && typeof value['env'] === 'string' ? value['env'] : undefined;
}

/** A value as a message quotes it: a variable by its name, a URL without its password. */
function written(cursor: Cursor): string {
  const name = variable(cursor);
  if (name !== undefined) return `the value of ${name}`;
  return JSON.stringify(cursor.value).replace(/\/\/[^/]*@/, '//***@');
}
