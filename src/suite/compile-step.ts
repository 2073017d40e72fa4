import type { RuleRef } from '../model/rule.ts';
import type { Act, Difference, Step } from '../model/suite.ts';
import { reportAt, reportAtKey, type CompileContext } from './compile-context.ts';
import { compileDifference } from './compile-difference.ts';
import { compileExpectations } from './compile-expectation.ts';
import { compileHttp } from './compile-http.ts';
import { compileRuleRefs } from './compile-rules.ts';
import { at, keyPlace, place, text, type Cursor } from './cursor.ts';
import { defined } from './defined.ts';
import { stepMembers, type Names } from './names.ts';
import { checkStep } from './lint-step.ts';
import { compileMoment, compileTemplateMap, type TemplateContext } from './template.ts';

export const verbs = ['authorize', 'trigger', 'await', 'look', 'http'] as const;
export type Verb = (typeof verbs)[number];

export interface StepContext extends CompileContext {
  readonly rules: readonly RuleRef[];
  readonly names: Names;
  readonly reads: (path: readonly string[]) => void;
  /** The row of the matrix, where the case has one. */
  readonly row: Cursor | undefined;
  readonly earlier: readonly Step[];
  readonly number: number;
}

/** Compiles one step; undefined where it has no verb to compile. */
export function compileStep(cursor: Cursor, context: StepContext): Step | undefined {
  const verb = verbOf(cursor, context);
  if (verb === undefined) return undefined;
  const { names, report, reads } = context;
  const templates: TemplateContext = { names, report, reads };
  const name = text(at(cursor, 'as')) ?? `step${context.number}`;
  const after: TemplateContext = { ...templates, names: new Map([...names, [name, stepMembers[verb]]]) };
  const rules = compileRuleRefs(at(cursor, 'rule'), context, 'case') ?? context.rules;
  const expect = at(cursor, 'expect');
  const record = at(cursor, 'record');
  if (record.value !== undefined) for (const { rule } of rules) context.judged(rule, 'record');
  const act = compileAct(cursor, { ...context, verb, templates });
  if (act === undefined) return undefined;
  const step: Step = {
    name,
    position: at(cursor, 'as').value === undefined ? keyPlace(at(cursor, verb)) : place(at(cursor, 'as')),
    act,
    control: at(cursor, 'control').value === true || expect.value === undefined,
    expectations: compileExpectations(expect, { ...context, by: 'case', rules, templates: after }),
    record: compileTemplateMap(record, after),
    ...defined({ at: compileMoment(at(cursor, 'at'), templates) }),
  };
  checkStep(cursor, step, context);
  return step;
}

function verbOf(cursor: Cursor, context: StepContext): Verb | undefined {
  const present = verbs.filter((verb) => at(cursor, verb).value !== undefined);
  if (present.length === 1) return present[0];
  const hint = `a step has exactly one of ${verbs.join(', ')}`;
  const [, second] = present;
  if (second === undefined) {
    reportAt(cursor, context, { code: 'verb-count', message: 'this step has no verb', hint });
  } else {
    const message = `this step has ${present.length} verbs: ${present.join(', ')}`;
    reportAtKey(at(cursor, second), context, { code: 'verb-count', message, hint });
  }
  return present[0];
}

interface ActContext extends StepContext {
  readonly verb: Verb;
  readonly templates: TemplateContext;
}

function compileAct(cursor: Cursor, context: ActContext): Act | undefined {
  const { verb, templates } = context;
  const value = at(cursor, verb);
  const of = text(at(cursor, 'of'));
  switch (verb) {
    case 'authorize':
      return { verb, difference: compileAuthorize(value, context) };
    case 'trigger':
      return {
        verb,
        action: text(value) ?? text(at(value, 'action')) ?? '',
        with: compileTemplateMap(at(value, 'with'), templates),
        ifPossible: at(value, 'ifPossible').value === true,
        ...defined({ of: text(at(value, 'of')) ?? of }),
      };
    case 'await':
      return { verb, what: 'callback', ...defined({ of, until: compileMoment(at(cursor, 'until'), templates) }) };
    case 'look':
      return { verb, what: 'card', ...defined({ of }) };
    case 'http':
      return { verb, request: compileHttp(value, templates) };
  }
}

function compileAuthorize(cursor: Cursor, context: ActContext): Difference {
  if (cursor.value !== 'each') return compileDifference(cursor, context, context.templates);
  if (context.row !== undefined) return compileDifference(context.row, context, context.templates);
  reportAt(cursor, context, { code: 'unknown-name', message: 'this case has no "each" to take a row from' });
  return {};
}
