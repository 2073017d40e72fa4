import type { CancelCall } from '../model/target.ts';
import { at, type Cursor, text } from '../suite/yaml/cursor.ts';
import { compileTemplateMap } from '../suite/template/template.ts';
import { driverNames, requireVariables } from './load-driver.ts';
import type { Reader } from './reader.ts';

const ways: readonly CancelCall['as'][] = ['form', 'json', 'query'];

/** How the carrier is told that a request is cancelled (§4.4). */
export function loadCancel(cursor: Cursor, reader: Reader): CancelCall {
  const context = { names: driverNames, report: reader.report };
  const [parameters, headers] = [at(cursor, 'parameters'), at(cursor, 'headers')];
  for (const templates of [parameters, headers]) requireVariables(templates, reader);
  const method = text(at(cursor, 'method')) ?? 'POST';
  const as = ways.find((way) => way === at(cursor, 'as').value) ?? 'form';
  if (method === 'GET' && as !== 'query') {
    reader.complain(at(cursor, 'method'), 'bad-value', 'a GET has no body: write "as: query"');
  }
  return {
    method,
    as,
    member: text(at(cursor, 'member')) ?? 'auth_req_id',
    ...(parameters.value === undefined ? {} : { parameters: compileTemplateMap(parameters, context) }),
    ...(headers.value === undefined ? {} : { headers: compileTemplateMap(headers, context) }),
    env: reader.env,
  };
}

const places = /\{(\w+)\}/g;

/** The cancel URL may wait for the id of the request, and for nothing else. */
export function requirePlaces(cursor: Cursor, url: string, reader: Reader): void {
  for (const [, name = ''] of url.matchAll(places)) {
    if (name !== 'auth_req_id') {
      reader.complain(cursor, 'unknown-name', `the cancel URL may hold {auth_req_id}, not {${name}}`);
    }
  }
}
