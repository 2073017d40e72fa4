import { type Cursor, entries, items } from '../suite/yaml/document.ts';
import { isJsonObject } from '../lib/json.ts';
import type { TemplateMap, Template } from '../model/suite.ts';
import { commonNames, type Names } from '../suite/template/names.ts';
import { compileTemplate, compileTemplateMap, type TemplateContext } from '../suite/template/template.ts';
import { exchangeMembers } from '../suite/verbs/verb.ts';
import { hasStrayWhitespace, paddingMessage, type TargetReader, readVariable } from './reader.ts';

/** Members of a request that a driver may read: the exchange and the sent values. */
const readableRequestMembers = new Set([...exchangeMembers, 'claims', 'header', 'jws', 'granted', 'members']);

/** Names for templates of a target file: those of a case, the request, the action's values, the environment. */
const targetNames: Names = new Map([
  ...commonNames,
  ['request', readableRequestMembers],
  ['with', undefined],
  ['to', new Set()],
  ['env', undefined],
]);

/** Compiles a template, and reports missing environment variables. */
export function compileTargetTemplate(cursor: Cursor, reader: TargetReader): Template {
  requireVariables(cursor, reader);
  return compileTemplate(cursor, { names: targetNames, report: reader.report });
}

const answerNames: Names = new Map([['body', undefined]]);

/** Compiles a template that reads only a driver's answer. */
export const compileAnswer = (cursor: Cursor, { report }: TargetReader): Template =>
  compileTemplate(cursor, { names: answerNames, report });

export function compileTargetMap(cursor: Cursor, reader: TargetReader): TemplateMap {
  requireVariables(cursor, reader);
  return compileTemplateMap(cursor, { names: targetNames, report: reader.report });
}

export function compileOptionalMap(cursor: Cursor | undefined, reader: TargetReader): TemplateMap | undefined {
  return cursor === undefined ? undefined : compileTargetMap(cursor, reader);
}

/** Reports missing variables, because during a run each would look like an impossible action. */
function requireVariables(cursor: Cursor, reader: TargetReader): void {
  const { value, document, path } = cursor;
  for (const item of items(cursor)) requireVariables(item, reader);
  if (isJsonObject(value)) for (const [, member] of entries(cursor)) requireVariables(member, reader);
  if (typeof value !== 'string') return;
  const reads: TemplateContext['reads'] = ([root, name]) => {
    if (root !== 'env' || name === undefined) return;
    const found = readVariable(reader.env, name);
    if (found !== undefined && !hasStrayWhitespace(found)) return;
    const position = document.positionInside(path, value.indexOf(`env.${name}`, value.indexOf('{{')));
    reader.report(
      document.problem(
        found === undefined
          ? { code: 'env-missing', message: `the environment has no ${name}`, position }
          : { code: 'bad-value', message: paddingMessage(name), position },
      ),
    );
  };
  // The final compilation reports mistakes of the template itself.
  compileTemplate(cursor, { names: targetNames, report: () => undefined, reads });
}
