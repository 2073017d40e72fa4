import { omitUndefined } from '../../lib/json.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import { hasAttribute } from '../../model/declaration.ts';
import { needsControl } from '../../model/outcome.ts';
import type { Problem } from '../../model/problem.ts';
import { type Level, type Position, type Rule, type RuleRef, renderPosition } from '../../model/rule.ts';
import { type CompileContext, reportAt, reportAtKey } from '../context.ts';
import type { Case } from '../suites.ts';
import { at, type Cursor, cursorText, entries, items, type YamlDocument } from '../yaml/document.ts';

type ReportProblem = (problem: Problem) => void;

/** Returns a function that reports duplicate ids. */
export function createIdRegistry(report: ReportProblem): (kind: string, cursor: Cursor) => void {
  const taken = new Map<string, Position>();
  return (kind, cursor) => {
    if (typeof cursor.value !== 'string') return;
    const key = `${kind} ${cursor.value}`;
    const here = cursor.document.position(cursor.path);
    const first = taken.get(key);
    if (first === undefined) taken.set(key, here);
    // Rows of one matrix have the id of their case.
    if (first === undefined || renderPosition(first) === renderPosition(here)) return;
    const message = `the id "${cursor.value}" is taken: ${renderPosition(first)}`;
    reportAt(cursor, { report }, { code: 'duplicate-id', message });
  };
}

interface Judgements {
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

/** Reports rules declared as judged that nothing judges. */
export function checkJudged(
  rules: readonly { readonly rule: Rule; readonly document: YamlDocument }[],
  { isJudged }: Judgements,
  report: ReportProblem,
): void {
  for (const { rule, document } of rules) {
    if (isJudged(rule)) continue;
    const nothing = rule.judged === 'invariant' ? 'no invariant judges it' : 'no case judges it';
    const message = `${rule.id} is said to be judged by ${rule.judged === 'invariant' ? 'an invariant' : 'cases'}, yet ${nothing}`;
    report(document.problem({ code: 'rule-without-case', message, position: rule.position }));
  }
}

/** Resolves a name of `seenIn` to one case or to all rows of a matrix. Reports an unknown name and returns none. */
export function resolveSeenIn(
  { name, problem }: SeenIn,
  { ids, rows }: CaseNames,
  report: ReportProblem,
): readonly string[] {
  if (ids.has(name)) return [name];
  const found = rows.get(name);
  if (found !== undefined) return found;
  const hint = suggestKnown(name, [...ids, ...rows.keys()]);
  report({ ...problem(), ...omitUndefined({ hint }) });
  return [];
}

/** Name in `seenIn`, and the problem to report if no case has it. */
export interface SeenIn {
  readonly name: string;
  /** Made on demand, because it needs the tree of the whole file. */
  readonly problem: () => Problem;
}

interface CaseNames {
  readonly ids: ReadonlySet<string>;
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

export function indexCaseNames(ids: readonly string[]): CaseNames {
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

interface CaseLintContext extends CompileContext {
  readonly row: Cursor | undefined;
}

interface WrittenClient {
  readonly cursor: Cursor;
  readonly flags?: unknown;
  readonly client?: unknown;
}

export function checkCase({ cursor, flags, client }: WrittenClient, compiled: Case, context: CaseLintContext): void {
  checkControl(cursor, compiled, context);
  checkAttested(cursor, compiled, context);
  checkAttributes(cursor, context);
  if (flags !== undefined && client !== undefined) {
    const message = '"flags" picks the client; "client" names another';
    reportAtKey(at(cursor, 'client'), context, { code: 'bad-value', message });
  }
  if (context.row !== undefined) checkRowIsUsed(cursor, context.row, context);
}

/** A denial proves nothing unless a control was accepted: the same request, correct in the property under test. */
function checkControl(cursor: Cursor, { steps }: Case, context: CaseLintContext): void {
  if (items(at(cursor, 'steps')).some((step) => at(step, 'control').value === true)) return;
  for (const { outcome, rules, position } of steps.flatMap(({ expectations }) => expectations)) {
    if (outcome === undefined || !needsControl(outcome)) continue;
    if (!rules.some((ref) => referenceLevel(ref, context) !== 'informational')) continue;
    const message = `"${outcome}" proves nothing: no step of this case has control: true`;
    const hint = 'add the same request, right in the one property under test, with control: true';
    context.report(cursor.document.problem({ code: 'no-control', message, position, hint }));
    return;
  }
}

const attributeWord = 'attribute:';

/** Reports unknown attributes; a case that requires one would be not applicable everywhere. */
function checkAttributes(cursor: Cursor, context: CaseLintContext): void {
  const { attributes } = context.known;
  if (attributes === undefined) return;
  for (const item of items(at(cursor, 'requires'))) {
    const need = cursorText(item) ?? '';
    const name = need.slice(attributeWord.length);
    if (!need.startsWith(attributeWord) || hasAttribute(attributes, name)) continue;
    const hint = suggestKnown(name, attributes);
    reportAt(item, context, { code: 'unknown-name', message: `there is no attribute "${name}"`, hint });
  }
}

/** Finds the places below a cursor where this key has this value, alone or in a list. */
function findNamePlaces(cursor: Cursor, key: string, name: string): readonly Cursor[] {
  const inside = (one: Cursor): readonly Cursor[] => findNamePlaces(one, key, name);
  const ofMembers = entries(cursor).flatMap(([written, member]) => [
    ...(written === key ? [member, ...items(member)].filter((one) => cursorText(one) === name) : []),
    ...inside(member),
  ]);
  return [...ofMembers, ...items(cursor).flatMap(inside)];
}

const partyKeys = ['client', 'subscriber', 'requires'] as const;
const partyDescriptions = { client: 'client', subscriber: 'tag of subscribers', requires: 'capability' } as const;

/** Reports unknown names: with one, a case would never run, or run without its condition. Templates report their own. */
export function checkParties(cursor: Cursor, cases: readonly Case[], context: CompileContext): void {
  const { parties } = context.known;
  if (parties === undefined) return;
  for (const need of new Set(cases.flatMap(({ requires }) => requires))) {
    const [, word = 'requires:', value = ''] = /^(client:|subscriber:)?([^:]+)$/.exec(need) ?? [];
    const key = partyKeys.find((one) => word === `${one}:`);
    if (key === undefined || value === '') continue;
    if (parties[key].has(value)) continue;
    const message = `there is no ${partyDescriptions[key]} "${value}"`;
    const hint = suggestKnown(value, parties[key]) ?? 'if it is in your target file, name that file with --target';
    for (const place of findNamePlaces(cursor, key, value))
      reportAt(place, context, { code: 'unknown-name', message, hint });
  }
}

/** Reports cases that judge an attested rule without requiring what that rule names. */
function checkAttested(cursor: Cursor, { rules, requires }: Case, context: CaseLintContext): void {
  for (const { rule } of rules) {
    const wanted = context.known.rules?.get(rule)?.requires;
    if (wanted === undefined || requires.includes(wanted)) continue;
    const message = `${rule} is judged by cases that require ${wanted}, and this one does not`;
    reportAtKey(at(cursor, 'rule'), context, { code: 'rule-not-judged-so', message });
  }
}

function referenceLevel({ rule, aspect }: RuleRef, { known }: CompileContext): Level | undefined {
  const found = known.rules?.get(rule);
  if (found === undefined) return 'informational';
  return aspect === undefined ? found.level : found.aspects.find(({ id }) => id === aspect)?.level;
}

function checkRowIsUsed(cursor: Cursor, row: Cursor, context: CaseLintContext): void {
  const taken = items(at(cursor, 'steps')).some((step) => entries(step).some(([, { value }]) => value === 'each'));
  const differs = Object.keys(typeof row.value === 'object' && row.value !== null ? row.value : {});
  if (taken || differs.every((key) => key === 'with' || key === 'receiver')) return;
  const message = 'no step takes this row';
  reportAtKey(row, context, { code: 'bad-value', message, hint: 'a step with authorize: each takes it' });
}
