import type { HttpAct } from '../../model/suite.ts';
import { at, type Cursor, text } from '../yaml/cursor.ts';
import { defined } from '../../lib/optional.ts';
import { compileTemplate, compileTemplateMap, type TemplateContext } from '../template/template.ts';

/** Compiles `http`; without `method` it is a POST where there is a body, else a GET. */
export function compileHttp(cursor: Cursor, templates: TemplateContext): HttpAct {
  const map = (key: string) =>
    at(cursor, key).value === undefined ? undefined : compileTemplateMap(at(cursor, key), templates);
  const one = (key: string) =>
    at(cursor, key).value === undefined ? undefined : compileTemplate(at(cursor, key), templates);
  const hasBody = ['json', 'form', 'text', 'parameters'].some((key) => at(cursor, key).value !== undefined);
  return {
    to: text(at(cursor, 'to')) ?? '',
    method: text(at(cursor, 'method')) ?? (hasBody ? 'POST' : 'GET'),
    ...defined({
      path: one('path'),
      query: map('query'),
      headers: map('headers'),
      json: one('json'),
      form: map('form'),
      text: one('text'),
      parameters: map('parameters'),
    }),
  };
}
