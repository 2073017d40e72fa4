import { isJsonObject } from '../model/json.ts';
import type { HttpDriver } from '../model/target.ts';
import { at, type Cursor, entries, items, text } from '../suite/yaml/cursor.ts';
import { commonNames, type Names } from '../suite/template/names.ts';
import { compileTemplate, compileTemplateMap, type TemplateContext } from '../suite/template/template.ts';
import { type Reader, variableOf } from './reader.ts';

/** What a driver's templates can read: what a case's can, and the request meant, the action's values, the environment. */
export const driverNames: Names = new Map([
  ...commonNames,
  ['request', undefined],
  ['with', undefined],
  ['to', new Set()],
  ['env', undefined],
]);

export const numbers = (cursor: Cursor): number[] =>
  items(cursor).flatMap(({ value }) => (typeof value === 'number' ? [value] : []));

const schemes = ['http:', 'https:'];

/** The URL must be one of http or https; of one that begins with a template only the run can tell. */
function requireHttp(cursor: Cursor, reader: Reader): void {
  const url = text(cursor);
  if (url === undefined) return;
  const [literal = '', ...templates] = url.trimStart().toLowerCase().split('{{');
  const isOpen = (scheme: string): boolean => templates.length > 0 && scheme.startsWith(literal);
  if (schemes.some((scheme) => literal.startsWith(scheme) || isOpen(scheme))) return;
  reader.complain(cursor, 'bad-value', 'the URL of a driver begins with http:// or https://');
}

/** A driver that makes an action happen by one HTTP request. */
export function loadDriver(cursor: Cursor, reader: Reader): HttpDriver {
  const context = { names: driverNames, report: reader.report };
  const [url, headers, json] = [at(cursor, 'url'), at(cursor, 'headers'), at(cursor, 'json')];
  for (const templates of [url, headers, json]) requireVariables(templates, reader);
  requireHttp(url, reader);
  const done = numbers(at(cursor, 'done'));
  return {
    kind: 'http',
    method: text(at(cursor, 'method')) ?? (json.value === undefined ? 'GET' : 'POST'),
    url: compileTemplate(url, context),
    ...(headers.value === undefined ? {} : { headers: compileTemplateMap(headers, context) }),
    ...(json.value === undefined ? {} : { json: compileTemplateMap(json, context) }),
    done: done.length > 0 ? done : [200, 201, 202, 204],
    impossible: numbers(at(cursor, 'impossible')),
    env: reader.env,
  };
}

/** Reports what templates read of the environment that it does not have: in the run, it would look like an action that is not possible. */
export function requireVariables(cursor: Cursor, reader: Reader): void {
  const { value, document, path } = cursor;
  for (const item of items(cursor)) requireVariables(item, reader);
  if (isJsonObject(value)) for (const [, member] of entries(cursor)) requireVariables(member, reader);
  if (typeof value !== 'string') return;
  const reads: TemplateContext['reads'] = ([root, name]) => {
    if (root !== 'env' || name === undefined || variableOf(reader.env, name) !== undefined) return;
    const position = document.positionInside(path, value.indexOf(`env.${name}`, value.indexOf('{{')));
    reader.report(document.problem({ code: 'env-missing', message: `the environment has no ${name}`, position }));
  };
  // What is wrong with the template itself is reported where it is compiled for good.
  compileTemplate(cursor, { names: driverNames, report: () => undefined, reads });
}
