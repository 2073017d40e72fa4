import { isJsonObject } from '../model/json.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import { type Cursor, keyPlace, place } from '../suite/cursor.ts';
import { suggestion } from '../suite/suggest.ts';

/** Reads values of a target file that may stand in the environment instead: `{ env: NAME }`. */
export interface Reader {
  /** Folder that paths of the file begin from. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (problem: Problem) => void;
  readonly text: (cursor: Cursor) => string | undefined;
  readonly number: (cursor: Cursor) => number | undefined;
  /** An absolute http or https URL. */
  readonly url: (cursor: Cursor) => string | undefined;
  readonly complain: (cursor: Cursor, code: ProblemCode, message: string) => void;
  readonly complainAtKey: (cursor: Cursor, code: ProblemCode, message: string, known: Iterable<string>) => void;
}

export function createReader(env: Reader['env'], folder: string, report: Reader['report']): Reader {
  const complain: Reader['complain'] = (cursor, code, message) =>
    report(cursor.document.problem({ code, message, position: place(cursor) }));

  const raw = (cursor: Cursor): string | number | undefined => {
    const { value } = cursor;
    if (typeof value === 'string' || typeof value === 'number') return value;
    if (!isJsonObject(value) || typeof value['env'] !== 'string') return undefined;
    const found = env[value['env']];
    if (found === undefined || found === '') {
      complain(cursor, 'env-missing', `the environment has no ${value['env']}`);
      return undefined;
    }
    return found;
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
    number: (cursor) => {
      const value = raw(cursor);
      if (value === undefined) return undefined;
      const number = Number(value);
      if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
      complain(cursor, 'bad-value', `a port is a whole number from 0 to 65535, not ${JSON.stringify(value)}`);
      return undefined;
    },
    url: (cursor) => {
      const value = readText(cursor);
      if (value === undefined) return undefined;
      const protocol = URL.canParse(value) ? new URL(value).protocol : undefined;
      if (protocol === 'https:' || protocol === 'http:') return value;
      complain(cursor, 'bad-value', `not an absolute http or https URL: ${JSON.stringify(value)}`);
      return undefined;
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
