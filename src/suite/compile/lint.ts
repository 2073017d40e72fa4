import { type Position, renderPosition } from '../../model/position.ts';
import type { Problem } from '../../model/problem.ts';
import type { Rule } from '../../model/rule.ts';
import { reportAt } from './context.ts';
import type { Cursor } from '../yaml/cursor.ts';
import type { YamlDocument } from '../yaml/document.ts';
import { suggestion } from '../../lib/suggest.ts';

type Report = (problem: Problem) => void;

/** Reports an id that an earlier file or line has taken. */
export function createIds(report: Report): (kind: string, cursor: Cursor) => void {
  const taken = new Map<string, Position>();
  return (kind, cursor) => {
    if (typeof cursor.value !== 'string') return;
    const key = `${kind} ${cursor.value}`;
    const first = taken.get(key);
    if (first === undefined) {
      taken.set(key, cursor.document.position(cursor.path));
      return;
    }
    const message = `the id "${cursor.value}" is taken: ${renderPosition(first)}`;
    reportAt(cursor, { report }, { code: 'duplicate-id', message });
  };
}

/** Which rules anything judges. */
export interface Judgements {
  readonly judged: (rule: string, by: 'case' | 'record' | 'invariant') => void;
  readonly isJudged: (rule: Rule) => boolean;
}

export function createJudgements(): Judgements {
  const by = { case: new Set<string>(), record: new Set<string>(), invariant: new Set<string>() };
  return {
    judged: (rule, kind) => by[kind].add(rule),
    isJudged: ({ id, level, judged }) => {
      if (judged === 'invariant') return by.invariant.has(id);
      return judged !== 'cases' || by.case.has(id) || (level === 'informational' && by.record.has(id));
    },
  };
}

/** Reports the rules that say they are judged although nothing judges them. */
export function checkJudged(
  rules: readonly { readonly rule: Rule; readonly document: YamlDocument }[],
  { isJudged }: Judgements,
  report: Report,
): void {
  for (const { rule, document } of rules) {
    if (isJudged(rule)) continue;
    const nothing = rule.judged === 'invariant' ? 'no invariant judges it' : 'no case judges it';
    const message = `${rule.id} is said to be judged by ${rule.judged === 'invariant' ? 'an invariant' : 'cases'}, yet ${nothing}`;
    report(document.problem({ code: 'rule-without-case', message, position: rule.position }));
  }
}

/** The cases that a name of `seenIn` means: one, or every row of a matrix; none after it was reported. */
export function resolveSeenIn({ name, problem }: SeenIn, { ids, rows }: CaseNames, report: Report): readonly string[] {
  if (ids.has(name)) return [name];
  const found = rows.get(name);
  if (found !== undefined) return found;
  const hint = suggestion(name, [...ids, ...rows.keys()]);
  report({ ...problem, ...(hint === undefined ? {} : { hint }) });
  return [];
}

/** A name of `seenIn`, with the problem it is where no case has that name. */
export interface SeenIn {
  readonly name: string;
  readonly problem: Problem;
}

export interface CaseNames {
  readonly ids: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

export function caseNames(ids: readonly string[]): CaseNames {
  const rows = new Map<string, string[]>();
  for (const id of ids) {
    const slash = id.indexOf('/');
    if (slash === -1) continue;
    const name = id.slice(0, slash);
    const list = rows.get(name);
    if (list === undefined) rows.set(name, [id]);
    else list.push(id);
  }
  return { ids: new Set(ids), rows };
}
