import { defined } from '../../lib/optional.ts';
import type { Position } from '../../model/position.ts';
import type { RuleRef } from '../../model/rule.ts';
import { outcomes } from '../../model/outcome.ts';
import type { CompileContext } from '../compile/context.ts';
import { compileRuleRefs } from '../compile/rules.ts';
import { described, either, type Grammar, members, named, oneOrMore, placed, word } from '../grammar/grammar.ts';
import { ruleRefs } from '../grammar/shared.ts';
import type { TemplateContext } from '../template/template.ts';
import { at, type Cursor, place } from '../yaml/cursor.ts';
import { type ExpectationParts, expectationKeys } from './keys.ts';

/** One entry of `expect`. */
export interface Expectation extends ExpectationParts {
  /** What it judges, also where the case or the step names it. */
  readonly rules: readonly RuleRef[];
  readonly position: Position;
}

interface ExpectContext extends CompileContext {
  readonly by: 'case' | 'invariant';
  /** The rules of an entry that names none. */
  readonly rules: readonly RuleRef[];
  readonly templates: TemplateContext;
}

const outcomeShape = word(outcomes, { title: 'an outcome' });
const mappingShape = members(
  { ...expectationKeys, rule: described(ruleRefs, 'The rule this entry judges.') },
  { title: 'expect', minProperties: 1 },
);
const entryShape = named('expectEntry', either(outcomeShape, mappingShape, { title: 'an outcome or a mapping' }));

/** `expect`: an outcome, a mapping, or a list of either. */
export const expectShape: Grammar<readonly Cursor[]> = named(
  'expect',
  oneOrMore(placed(entryShape), { title: 'an outcome, a mapping, or a list of them' }),
);

export function compileExpectations(
  entries: readonly Cursor[] | undefined,
  context: ExpectContext,
): readonly Expectation[] {
  return (entries ?? []).map((entry) => compileExpectation(entry, context));
}

function compileExpectation(entry: Cursor, context: ExpectContext): Expectation {
  const rules = compileRuleRefs(at(entry, 'rule'), context, context.by) ?? context.rules;
  for (const { rule } of rules) context.judged(rule, context.by);
  const judged = { rules, position: place(entry) };
  const outcome = outcomeShape.read(entry);
  if (outcome !== undefined) return { ...judged, outcome };
  const {
    check: checks,
    rule: _,
    ...parts
  } = mappingShape.read(entry, { ...context.templates, known: context.known }) ?? {};
  return { ...judged, ...parts, ...defined({ checks }) };
}
