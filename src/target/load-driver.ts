import type { HttpDriver, Target } from '../model/target.ts';
import { at, type Cursor, items, text } from '../suite/cursor.ts';
import { commonNames, type Names } from '../suite/names.ts';
import { compileTemplate, compileTemplateMap } from '../suite/template.ts';
import type { Reader } from './reader.ts';

/** What a driver's templates can read: what a case's can, and the request meant, the action's values, the environment. */
const driverNames: Names = new Map([
  ...commonNames,
  ['request', undefined],
  ['with', undefined],
  ['to', new Set()],
  ['env', undefined],
]);

const numbers = (cursor: Cursor): number[] =>
  items(cursor).flatMap(({ value }) => (typeof value === 'number' ? [value] : []));

/** A driver that makes an action happen by one HTTP request. */
export function loadDriver(cursor: Cursor, reader: Reader): HttpDriver {
  const context = { names: driverNames, report: reader.report };
  const json = at(cursor, 'json');
  const done = numbers(at(cursor, 'done'));
  return {
    kind: 'http',
    method: text(at(cursor, 'method')) ?? (json.value === undefined ? 'GET' : 'POST'),
    url: compileTemplate(at(cursor, 'url'), context),
    ...(json.value === undefined ? {} : { json: compileTemplateMap(json, context) }),
    done: done.length > 0 ? done : [200, 201, 202, 204],
    impossible: numbers(at(cursor, 'impossible')),
    env: reader.env,
  };
}

export function loadClock(cursor: Cursor, reader: Reader): NonNullable<Target['clock']> {
  const door = (key: 'read' | 'advance'): HttpDriver => loadDriver(at(at(cursor, key), 'http'), reader);
  return { read: door('read'), advance: door('advance') };
}
