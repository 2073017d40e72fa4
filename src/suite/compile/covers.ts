import type { Problem } from '../../model/problem.ts';
import { type Level, type Position, type RuleRef, renderRuleRef } from '../../model/rule.ts';
import { reportAt, reportAtKey } from '../context.ts';
import type { ReadValue } from '../grammar/grammar.ts';
import type { rulesFile } from '../rules.ts';
import type { Case, Invariant } from '../suites.ts';
import { type Cursor, keyPlace, place, cursorText as textOf } from '../yaml/document.ts';
import { indexCaseNames, resolveSeenIn } from './lint.ts';

type RuleRead = NonNullable<ReadValue<typeof rulesFile>['rules']>[number];
type CoversRead = RuleRead['covers'];

/** Words that name a class. "any more" and "each other" name none. */
const classWords =
  /\b(?:any(?! more\b| longer\b)|every|each(?! other\b)|other than|whatever|whichever|unknown|unrecognized|not recognized|without (?:[0-9]+|one|two|three))\b/i;

/** Rule or aspect as it stands in its file. */
interface WrittenPart {
  readonly ref: RuleRef;
  readonly level: Level | undefined;
  readonly texts: readonly string[];
  readonly covers: CoversRead;
  readonly cursor: Cursor;
  readonly position: Position;
}

function listParts({ id, level, description = '', states, covers, aspects = [] }: RuleRead): readonly WrittenPart[] {
  const rule = id === undefined ? undefined : textOf(id);
  if (id === undefined || rule === undefined) return [];
  const textsOf = (text: string, quoted: readonly Cursor[] = []) => [
    text,
    ...quoted.flatMap((one) => textOf(one) ?? []),
  ];
  return [
    { ref: { rule }, level, texts: textsOf(description, states), covers, cursor: id, position: place(id) },
    ...aspects.map(([aspect, part]) => ({
      ref: { rule, aspect },
      level: part.level,
      texts: textsOf(part.description ?? '', part.states),
      covers: part.covers,
      cursor: part.cursor,
      position: keyPlace(part.cursor),
    })),
  ];
}

interface CoverLint {
  readonly cases: readonly Case[];
  readonly invariants: readonly Invariant[];
  readonly report: (problem: Problem) => void;
  /** Receives advice about rules without a mistake. */
  readonly warn: (problem: Problem) => void;
}

/** Reports covers that name nothing which judges their rule. Warns of rules that speak of a class and have no cover. */
export function checkCovers(rules: readonly RuleRead[], lint: CoverLint): void {
  const { cases, invariants, report } = lint;
  const names = indexCaseNames([...cases, ...invariants].map(({ id }) => id));
  const byId = new Map([...cases, ...invariants].map((one) => [one.id, one]));
  const judges = (id: string, ref: RuleRef): boolean => {
    const found = byId.get(id);
    if (found === undefined) return false;
    const judged = judgedRefs(found);
    // A named check of a rule may tell which of its aspects is broken.
    return judged.has(renderRuleRef(ref)) || judged.has(ref.rule);
  };
  for (const read of rules) {
    const isSeen = read.judged === 'cases' || read.judged === 'invariant';
    for (const part of listParts(read)) {
      if (part.covers === undefined && isSeen) warnOfClass(part, lint.warn);
      for (const { by, sample, cursor } of part.covers ?? []) {
        checkCoverKeys({ by, sample, cursor }, report);
        for (const name of by ?? []) checkJudge(name, { part, names, judges, report });
      }
    }
  }
}

function warnOfClass({ ref, level, texts, cursor, position }: WrittenPart, warn: CoverLint['warn']): void {
  if (level === 'informational') return;
  const [word] = texts.flatMap((text) => classWords.exec(text)?.[0] ?? []);
  if (word === undefined) return;
  const message = `${renderRuleRef(ref)} speaks of a class ("${word}"), and no "covers" says how its cases cover it`;
  const hint =
    'covers: { class: "...", by: [case] } names what sends the whole class; sample: "..." says why a part is enough';
  warn(cursor.document.problem({ code: 'class-not-covered', message, position, hint }));
}

function checkCoverKeys(
  { by, sample, cursor }: { readonly by: unknown; readonly sample: unknown; readonly cursor: Cursor },
  report: CoverLint['report'],
): void {
  if ((by === undefined) !== (sample === undefined)) return;
  const message =
    by === undefined
      ? 'a cover needs "by", with what sends the whole class, or "sample", with why a part is enough'
      : '"by" sends the whole class, "sample" a part of it: a cover has one of the two';
  reportAtKey(cursor, { report }, { code: by === undefined ? 'missing-key' : 'bad-value', message });
}

interface JudgeCheck {
  readonly part: WrittenPart;
  readonly names: ReturnType<typeof indexCaseNames>;
  readonly judges: (id: string, ref: RuleRef) => boolean;
  readonly report: CoverLint['report'];
}

function checkJudge(name: Cursor, { part: { ref }, names, judges, report }: JudgeCheck): void {
  const written = textOf(name);
  if (written === undefined) return;
  const message = `there is no case or invariant "${written}"`;
  const problem = () => name.document.problem({ code: 'unknown-name', message, position: place(name) });
  const ids = resolveSeenIn({ name: written, problem }, names, report);
  if (ids.length === 0 || ids.some((id) => judges(id, ref))) return;
  const other = `"${written}" does not judge ${renderRuleRef(ref)}`;
  reportAt(name, { report }, { code: 'rule-not-judged-so', message: other });
}

/** Rules and aspects that a case or invariant judges, as written. */
function judgedRefs(one: Case | Invariant): ReadonlySet<string> {
  const expectations = 'steps' in one ? one.steps.flatMap((step) => step.expectations) : one.expectations;
  const refs = [...('rules' in one ? one.rules : []), ...expectations.flatMap(({ rules }) => rules)];
  return new Set(refs.map(renderRuleRef));
}
