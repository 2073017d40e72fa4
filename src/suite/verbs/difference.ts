import type { Difference } from '../../model/suite.ts';
import { type CompileContext, reportAt } from '../compile/context.ts';
import { at, type Cursor, text, texts } from '../yaml/cursor.ts';
import { defined } from '../../lib/optional.ts';
import type { Names } from '../template/names.ts';
import { suggestion } from '../../lib/suggest.ts';
import { compileTemplate, compileTemplateMap, type TemplateContext } from '../template/template.ts';

/** Compiles what makes a request differ from the base request. */
export function compileDifference(cursor: Cursor, context: CompileContext, templates: TemplateContext): Difference {
  const http: TemplateContext = { ...templates, names: withJws(templates.names) };
  const map = (key: string, values: TemplateContext) =>
    at(cursor, key).value === undefined ? undefined : compileTemplateMap(at(cursor, key), values);
  const one = (key: string, values: TemplateContext) =>
    at(cursor, key).value === undefined ? undefined : compileTemplate(at(cursor, key), values);
  const form = at(cursor, 'form').value;
  checkTamper(at(cursor, 'tamper'), context);
  return defined({
    client: text(at(cursor, 'client')),
    claims: map('claims', templates),
    drop: texts(at(cursor, 'drop')),
    raw: map('raw', templates),
    append: one('append', templates),
    header: map('header', templates),
    dropHeader: texts(at(cursor, 'dropHeader')),
    key: text(at(cursor, 'key')),
    alg: text(at(cursor, 'alg')),
    tamper: text(at(cursor, 'tamper')),
    again: text(at(cursor, 'again')),
    request: one('request', http),
    beside: map('beside', http),
    body: one('body', http),
    text: one('text', http),
    form: typeof form === 'boolean' ? form : undefined,
    method: text(at(cursor, 'method')),
    query: map('query', http),
    headers: map('headers', http),
  });
}

function withJws(names: Names): Names {
  return new Map([...names, ['jws', new Set<string>()]]);
}

function checkTamper(cursor: Cursor, context: CompileContext): void {
  const name = text(cursor);
  const { tampers } = context.known;
  if (name === undefined || tampers.has(name)) return;
  const hint = suggestion(name, tampers);
  reportAt(cursor, context, { code: 'unknown-name', message: `there is no tamper "${name}"`, hint });
}
