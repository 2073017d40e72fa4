import type { RuleRef } from '../../model/rule.ts';
import type { Expectation, Outcome } from '../../model/suite.ts';
import { type CompileContext, reportAt } from '../compile/context.ts';
import { compileRuleRefs } from '../compile/rules.ts';
import { at, type Cursor, entries, isList, oneOrMore, place, text, texts } from '../yaml/cursor.ts';
import { defined } from '../../lib/optional.ts';
import { parseDuration } from '../../lib/duration.ts';
import { checkObservationSchema } from './observation-schema.ts';
import { schemaCheck } from './schema-check.ts';
import { suggestion } from '../../lib/suggest.ts';
import { compileTemplateMap, type TemplateContext } from '../template/template.ts';

export const outcomes: readonly Outcome[] = [
  'accepted',
  'denied',
  'denied-or-dropped',
  'at-most-one',
  'answered',
  'completed',
  'failed',
  'no-tokens',
  'silence',
  'delivered',
];

export interface ExpectContext extends CompileContext {
  readonly by: 'case' | 'invariant';
  /** The rules of an entry that names none. */
  readonly rules: readonly RuleRef[];
  readonly templates: TemplateContext;
}

/** Compiles `expect`: an outcome, a mapping, or a list of either. */
export function compileExpectations(cursor: Cursor, context: ExpectContext): readonly Expectation[] {
  return oneOrMore(cursor).map((entry) => compileExpectation(entry, context));
}

function compileExpectation(cursor: Cursor, context: ExpectContext): Expectation {
  const rules = compileRuleRefs(at(cursor, 'rule'), context, context.by) ?? context.rules;
  for (const { rule } of rules) context.judged(rule, context.by);
  for (const key of ['equals', 'absent']) checkRoots(at(cursor, key), context);
  const equals = at(cursor, 'equals');
  const count = at(cursor, 'count').value;
  return {
    rules,
    position: place(cursor),
    ...defined({
      outcome: outcomeOf(typeof cursor.value === 'string' ? cursor : at(cursor, 'outcome')),
      error: texts(at(cursor, 'error')),
      status: statuses(at(cursor, 'status')),
      body: compileSchema(at(cursor, 'body'), context),
      idToken: compileSchema(at(cursor, 'idToken'), context),
      set: compileSchema(at(cursor, 'set'), context),
      setHeader: compileSchema(at(cursor, 'setHeader'), context),
      like: text(at(cursor, 'like')),
      latencyLike: text(at(cursor, 'latencyLike')),
      card: compileSchema(at(cursor, 'card'), context),
      equals: equals.value === undefined ? undefined : compileTemplateMap(equals, context.templates),
      absent: texts(at(cursor, 'absent')),
      echo: texts(at(cursor, 'echo')),
      count: typeof count === 'number' ? count : undefined,
      spacing: spacingOf(at(cursor, 'spacing')),
      checks: checksOf(at(cursor, 'check'), context),
    }),
  };
}

function outcomeOf(cursor: Cursor): Outcome | undefined {
  return outcomes.find((outcome) => outcome === cursor.value);
}

function statuses({ value }: Cursor): readonly (number | string)[] | undefined {
  if (!isList(value)) return undefined;
  return value.filter((item) => typeof item === 'number' || typeof item === 'string');
}

function compileSchema(cursor: Cursor, context: ExpectContext) {
  if (cursor.value === undefined) return undefined;
  return checkObservationSchema(cursor, context) ? schemaCheck(cursor.value) : undefined;
}

function spacingOf(cursor: Cursor): Expectation['spacing'] | undefined {
  const [every, early, late] = ['every', 'early', 'late'].map((key) => parseDuration(text(at(cursor, key)) ?? ''));
  if (every === undefined || early === undefined || late === undefined) return undefined;
  return { every, early, late };
}

function checksOf(cursor: Cursor, context: ExpectContext): readonly string[] | undefined {
  if (cursor.value === undefined) return undefined;
  const { checks } = context.known;
  return oneOrMore(cursor).flatMap((item) => {
    const name = text(item);
    if (name === undefined) return [];
    if (!checks.has(name)) {
      const hint = suggestion(name, checks);
      reportAt(item, context, { code: 'unknown-check', message: `there is no check "${name}"`, hint });
    }
    return [name];
  });
}

/** What a path of `equals` and `absent` may begin with: a typing error in `absent` would otherwise always hold. */
const observed = [
  'body',
  'headers',
  'idToken',
  'card',
  'status',
  'method',
  'target',
  'text',
  'granted',
  'deliveries',
  'set',
  'setHeader',
  'audience',
  'done',
];

function checkRoots(cursor: Cursor, context: ExpectContext): void {
  const list = isList(cursor.value);
  for (const item of list ? oneOrMore(cursor) : entries(cursor).map(([, value]) => value)) {
    const written = list ? text(item) : item.path.at(-1);
    const [root = ''] = String(written ?? 'body').split('.');
    if (observed.includes(root)) continue;
    const position = item.document.keyPosition(item.path);
    const message = `nothing observed is called "${root}"`;
    const hint = suggestion(root, observed);
    context.report(item.document.problem({ code: 'unknown-name', message, position, hint }));
  }
}
