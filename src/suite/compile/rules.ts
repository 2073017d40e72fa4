import type { Problem } from '../../model/problem.ts';
import { type Aspect, type Judged, type Level, levels, type Rule, type RuleRef } from '../../model/rule.ts';
import { type CompileContext, reportAt, reportAtKey } from './context.ts';
import { at, type Cursor, entries, items, oneOrMore, place, rootOf, text } from '../yaml/cursor.ts';
import { defined } from '../../lib/optional.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { suggestion } from '../../lib/suggest.ts';

const waysOfJudging: readonly Judged[] = ['cases', 'invariant', 'attested', 'untestable'];

/** The rules of one `rules.yaml`; `area` is the name of its folder. */
export function compileRules(
  document: YamlDocument,
  area: string,
  report: (problem: Problem) => void,
): readonly Rule[] {
  const root = rootOf(document);
  const named = at(root, 'area');
  const written = text(named);
  if (written !== undefined && written !== area) {
    reportAt(named, { report }, { code: 'bad-value', message: `area "${written}" stands in the folder "${area}"` });
  }
  return items(at(root, 'rules')).flatMap((cursor) => compileRule(cursor, area, report) ?? []);
}

function compileRule(cursor: Cursor, area: string, report: (problem: Problem) => void): Rule | undefined {
  const id = text(at(cursor, 'id'));
  const judged = waysOfJudging.find((way) => way === at(cursor, 'judged').value);
  if (id === undefined || !refForm.test(id)) return undefined;
  const rationale = text(at(cursor, 'rationale'));
  if ((judged === 'attested' || judged === 'untestable') && rationale === undefined) {
    const message = `${id} is ${judged}: "rationale" must say why no black box can judge it`;
    reportAtKey(at(cursor, 'judged'), { report }, { code: 'reason-missing', message });
  }
  return {
    id,
    area,
    clause: text(at(cursor, 'clause')) ?? '',
    level: levelOf(at(cursor, 'level')),
    description: text(at(cursor, 'description')) ?? '',
    aspects: entries(at(cursor, 'aspects')).map(aspectOf),
    judged: judged ?? 'cases',
    position: place(at(cursor, 'id')),
    ...defined({ interpretation: text(at(cursor, 'interpretation')), rationale }),
  };
}

function aspectOf([id, cursor]: readonly [string, Cursor]): Aspect {
  return { id, level: levelOf(at(cursor, 'level')), description: text(at(cursor, 'description')) ?? '' };
}

function levelOf(cursor: Cursor): Level {
  return levels.find((level) => level === cursor.value) ?? 'required';
}

const refForm = /^([A-Z]+-[0-9]+[a-z]?)(?:#([a-z0-9-]+))?$/;

/** The rules and aspects that a `rule` key names: one, or a list. */
export function compileRuleRefs(
  cursor: Cursor,
  context: CompileContext,
  by: 'case' | 'invariant',
): readonly RuleRef[] | undefined {
  if (cursor.value === undefined) return undefined;
  return oneOrMore(cursor).flatMap((item) => {
    const [, rule, aspect] = refForm.exec(text(item) ?? '') ?? [];
    if (rule === undefined) return [];
    checkRef(item, context, { rule, aspect, by });
    return [{ rule, ...defined({ aspect }) }];
  });
}

interface Named {
  readonly rule: string;
  readonly aspect: string | undefined;
  readonly by: 'case' | 'invariant';
}

function checkRef(cursor: Cursor, context: CompileContext, { rule, aspect, by }: Named): void {
  const { rules } = context.known;
  if (rules === undefined) return;
  const known = rules.get(rule);
  if (known === undefined) {
    const hint = suggestion(rule, rules.keys());
    reportAt(cursor, context, { code: 'unknown-rule', message: `there is no rule ${rule}`, hint });
    return;
  }
  const aspects = known.aspects.map(({ id }) => id);
  if (aspect !== undefined && !aspects.includes(aspect)) {
    const message = `${rule} has no aspect "${aspect}"`;
    reportAt(cursor, context, { code: 'unknown-rule', message, hint: suggestion(aspect, aspects) });
    return;
  }
  if (known.judged === 'attested' || known.judged === 'untestable') {
    const message = `${rule} is said to be ${known.judged}, yet this ${by} judges it`;
    reportAt(cursor, context, { code: 'rule-not-judged-so', message });
  }
}
