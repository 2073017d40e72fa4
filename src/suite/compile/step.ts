import type { RuleRef } from '../../model/rule.ts';
import type { Act, Difference, SignBase, Step } from '../../model/suite.ts';
import { type CompileContext, reportAt, reportAtKey } from './context.ts';
import { compileDifference } from '../verbs/difference.ts';
import { compileExpectations } from '../expectations/compile-expectation.ts';
import { compileHttp } from '../verbs/http.ts';
import { compileRuleRefs } from './rules.ts';
import { compileUsertrait } from '../verbs/usertrait.ts';
import { at, type Cursor, keyPlace, place, text } from '../yaml/cursor.ts';
import { defined } from '../../lib/optional.ts';
import { checkStep } from './lint-step.ts';
import { type Names, stepMembers } from '../template/names.ts';
import { compileMoment, compileTemplateMap, type TemplateContext } from '../template/template.ts';

export const verbs = ['authorize', 'trigger', 'await', 'look', 'sign', 'usertrait', 'http'] as const;
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
    ...defined({
      at: compileMoment(at(cursor, 'at'), templates),
      times: timesOf(at(cursor, 'times')),
      together: at(cursor, 'together').value === true || undefined,
    }),
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
        ...defined({ of: text(at(value, 'of')) ?? of, subscriber: text(at(value, 'subscriber')) }),
      };
    case 'await':
      return { verb, what: whatOf(value), ...compileAwait(cursor, templates) };
    case 'look':
      return { verb, what: 'card', ...defined({ of }) };
    case 'sign':
      return { verb, base: baseOf(at(value, 'base')), difference: compileDifference(value, context, templates) };
    case 'usertrait':
      return { verb, difference: compileUsertrait(rowOr(value, context), context, templates) };
    case 'http':
      return { verb, request: compileHttp(value, templates) };
  }
}

const timesOf = ({ value }: Cursor): number | undefined => (typeof value === 'number' ? value : undefined);
const whatOf = ({ value }: Cursor) => (value === 'events' || value === 'canary' ? value : 'callback');
const baseOf = ({ value }: Cursor): SignBase =>
  value === 'client-assertion' || value === 'request-object' ? value : 'none';

function compileAwait(cursor: Cursor, templates: TemplateContext) {
  return defined({
    of: text(at(cursor, 'of')),
    until: compileMoment(at(cursor, 'until'), templates),
    client: text(at(cursor, 'client')),
    subscriber: text(at(cursor, 'subscriber')),
  });
}

const rowOr = (cursor: Cursor, { row }: ActContext): Cursor =>
  cursor.value === 'each' && row !== undefined ? row : cursor;

function compileAuthorize(cursor: Cursor, context: ActContext): Difference {
  if (cursor.value !== 'each') return compileDifference(cursor, context, context.templates);
  if (context.row !== undefined) return compileDifference(context.row, context, context.templates);
  reportAt(cursor, context, { code: 'unknown-name', message: 'this case has no "each" to take a row from' });
  return {};
}
