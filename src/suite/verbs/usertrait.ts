import type { ProofDifference, UsertraitDifference } from '../../model/suite.ts';
import type { CompileContext } from '../compile/context.ts';
import { compileDifference } from './difference.ts';
import { at, type Cursor, text, texts } from '../yaml/cursor.ts';
import { defined } from '../../lib/optional.ts';
import { compileTemplate, compileTemplateMap, type TemplateContext } from '../template/template.ts';

const optional = (cursor: Cursor, templates: TemplateContext) =>
  cursor.value === undefined ? undefined : compileTemplate(cursor, templates);

/** Compiles what makes a usertrait request differ from the base one (§2.8, §4.7). */
export function compileUsertrait(
  cursor: Cursor,
  context: CompileContext,
  templates: TemplateContext,
): UsertraitDifference {
  const map = (key: string) =>
    at(cursor, key).value === undefined ? undefined : compileTemplateMap(at(cursor, key), templates);
  const proof = at(cursor, 'proof');
  return defined({
    client: text(at(cursor, 'client')),
    members: map('members'),
    drop: texts(at(cursor, 'drop')),
    text: optional(at(cursor, 'text'), templates),
    form: at(cursor, 'form').value === true ? true : undefined,
    method: text(at(cursor, 'method')),
    headers: map('headers'),
    proof: proof.value === undefined ? undefined : compileProof(proof, context, templates),
  });
}

function compileProof(cursor: Cursor, context: CompileContext, templates: TemplateContext): ProofDifference {
  const over = at(cursor, 'over');
  const part = (key: string) => optional(at(over, key), templates);
  return {
    ...compileDifference(cursor, context, templates),
    ...defined({
      absent: at(cursor, 'absent').value === true ? true : undefined,
      value: optional(at(cursor, 'value'), templates),
      over:
        over.value === undefined
          ? undefined
          : defined({ method: part('method'), url: part('url'), body: part('body') }),
    }),
  };
}
