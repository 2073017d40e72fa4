import { forJson } from '../../lib/json.ts';
import { compileGlob, selectSuites, isSelectable } from '../../engine/plan/select.ts';
import { listIds } from '../../lib/lists.ts';
import { findNearNames, suggestionHint } from '../../lib/suggestion.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { levels, type Rule } from '../../model/rule.ts';
import type { Page, Tone } from '../../report/shared/layout.ts';
import { renderClause } from '../../report/shared/prose.ts';
import { readSuites } from '../../setup/read-files.ts';
import { caseRuleIds, type Suites, type Case } from '../../suite/suites.ts';
import type { listDefinition } from '../definitions/desk.ts';
import { listKinds } from '../definitions/list-kinds.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CatalogueEntry, openCatalogue } from '../explain/catalogue.ts';
import { entryKinds, suggestAll } from '../explain/kinds.ts';
import { ruleFamily, joinJudges, type RuleJudges, suggestNames } from '../shared/choose.ts';
import { renderColumns } from '../shared/columns.ts';
import { type CommandInputs, type Invocation, wantsWholeRows } from '../shared/command.ts';
import { usageError } from '../shared/inputs.ts';
import { createTerminalPage } from '../shared/page.ts';

type ListFlags = CommandInputs<typeof listDefinition>;

/** Table rows, and the same data for `--json`. */
interface List {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly json: readonly unknown[];
}

/** True if every word occurs in a text, ignoring case; a glob must match the whole name, which is the first text. */
function hasAllWords(texts: readonly string[], words: readonly string[]): boolean {
  const [name = ''] = texts;
  const all = texts.join('\n').toLowerCase();
  return words.every((word) => (/[*?]/.test(word) ? compileGlob(word).test(name) : all.includes(word.toLowerCase())));
}

const ruleTexts = ({ id, description, interpretation = '', clause, area, aspects }: Rule): readonly string[] => [
  id,
  description,
  interpretation,
  clause,
  area,
  ...aspects.map((aspect) => aspect.description),
];

/** Selects rules and cases by names and globs; if a word is not a name, searches for all words. */
export function searchSelected(
  suites: Suites,
  { what, level }: Pick<ListFlags, 'what' | 'level'>,
): Pick<Suites, 'rules' | 'cases'> {
  const isName = (word: string): boolean => isSelectable(word, suites);
  const chosenBy = (names: readonly string[]): ReadonlySet<Case | string> => {
    const { rules, cases } = selectSuites(suites, { what: names, level }, () => []);
    return new Set([...rules, ...cases]);
  };
  const isSearch = !what.every(isName);
  const all = chosenBy(isSearch ? [] : what);
  const tests = (isSearch ? what : []).map((word) => ({ word, chosen: isName(word) ? chosenBy([word]) : undefined }));
  const isWanted = (one: Case | string, texts: readonly string[]): boolean =>
    all.has(one) && tests.every(({ word, chosen }) => chosen?.has(one) === true || hasAllWords(texts, [word]));
  return {
    rules: suites.rules.filter((rule) => isWanted(rule.id, ruleTexts(rule))),
    cases: suites.cases.filter((one) => isWanted(one, [one.id, one.title, one.area])),
  };
}

/** Most characters of the names in a cell; JSON and `explain` have all of them. */
const maxNamesLength = 20;

/** Keeps the names that fit of `a, b, c`, at least one, then tells how many there are more. */
function shortenNames(text: string): string {
  const names = text.split(', ');
  const fitting = names.findLastIndex((_, at) => names.slice(0, at + 1).join(', ').length <= maxNamesLength);
  return listIds(names, Math.max(fitting + 1, 1));
}

const listRules = (rules: readonly Rule[]): List => ({
  columns: ['rule', 'level', 'clause', 'judged by', 'description'],
  rows: rules.map(({ id, level, clause, judged, description }) => [
    id,
    level,
    renderClause(clause),
    judged,
    description,
  ]),
  json: rules,
});

const listCases = (cases: readonly Case[]): List => ({
  columns: ['case', 'rules', 'title'],
  rows: cases.map((one) => [one.id, shortenNames([...caseRuleIds(one)].join(', ')), one.title]),
  json: cases.map(({ id, title, area, suite, position, rules }) => ({ id, title, area, suite, position, rules })),
});

/** Lists entries of another kind: every word must occur in the row, or be a glob of the name. */
function listEntries(kind: string, entries: readonly CatalogueEntry[], what: readonly string[]): List {
  const found = entries.filter(({ name, description, columns = {}, more = '' }) =>
    hasAllWords([name, description, ...Object.values(columns), more], what),
  );
  const between = Object.keys(entries[0]?.columns ?? {});
  return {
    columns: [kind, ...between, 'description'],
    rows: found.map(({ name, columns = {}, description }) => [
      name,
      ...between.map((column) => shortenNames(columns[column] ?? '')),
      description,
    ]),
    json: found.map(({ name, description, columns }) => ({ name, description, ...columns })),
  };
}

/** Ways of judging a rule. */
const judgingWays = ['cases', 'invariants', 'both', 'attested', 'untestable', 'unjudged'] as const;

function findJudgingWay({ judged }: Rule, { cases, invariants }: RuleJudges): (typeof judgingWays)[number] {
  if (judged === 'attested' || judged === 'untestable') return judged;
  if (cases.length > 0) return invariants.length > 0 ? 'both' : 'cases';
  return invariants.length > 0 ? 'invariants' : 'unjudged';
}

/** The ledger: a row per family and level that has rules, then per level, then the total. */
function listCoverage(suites: Suites, { what, level: lowest }: ListFlags): List {
  const judgesOf = joinJudges(suites);
  const selected = selectSuites(suites, { what, level: lowest }, suggestNames);
  const all = suites.rules.filter(({ id }) => selected.rules.has(id));
  const count = (family: string, level: string) => {
    const own = all.filter(
      (rule) => (family === 'all' || ruleFamily(rule) === family) && (level === 'all' || rule.level === level),
    );
    const found = own.map((rule) => findJudgingWay(rule, judgesOf(rule.id)));
    const judged = judgingWays.map((way) => [way, found.filter((one) => one === way).length] as const);
    return { family, level, rules: own.length, ...Object.fromEntries(judged) };
  };
  const families = [...new Set(all.map(ruleFamily)), 'all'];
  const lines = families.flatMap((family) => levels.map((level) => count(family, level)));
  const json = [...lines.filter(({ rules }) => rules > 0), count('all', 'all')];
  const rows = json.map((line, at) => {
    const [family = '', ...rest] = Object.values(line).map(String);
    // Show each family name only once.
    return [json[at - 1]?.family === family ? '' : family, ...rest, ''];
  });
  return { columns: ['family', 'level', 'rules', ...judgingWays, ''], rows, json };
}

function parseKind(given: string): (typeof listKinds)[number] {
  const kind = listKinds.find((one) => one === given);
  if (kind !== undefined) return kind;
  const hint = suggestionHint(findNearNames(given, listKinds)) ?? `the kinds are ${listKinds.join(', ')}`;
  throw usageError(`--kind: there is no kind "${given}"; ${hint}`);
}

async function buildList(suites: Suites, given: ListFlags, kind: (typeof listKinds)[number]): Promise<List> {
  if (kind === 'rule') return listRules(searchSelected(suites, given).rules);
  if (kind === 'case') return listCases(searchSelected(suites, given).cases);
  if (kind === 'coverage') return listCoverage(suites, given);
  return listEntries(kind, entryKinds[kind]?.(await openCatalogue(suites)) ?? [], given.what);
}

function levelCellTone({ paint }: Page): Tone {
  const tones = new Map<string, Tone>([
    ['required', paint.bold],
    ['recommended', paint.yellow],
    ['informational', paint.dim],
  ]);
  return (text) => tones.get(text.trimEnd())?.(text) ?? text;
}

function renderList(page: Page, { columns, rows }: List, whole: boolean): readonly string[] {
  const isNumber = (at: number): boolean => rows.every((row) => /^\d+$/.test(row[at] ?? ''));
  const named = columns.map((name, at) => ({
    name,
    ...(at === 0 ? { tone: page.paint.bold } : {}),
    ...(name === 'level' ? { tone: levelCellTone(page) } : {}),
    ...(isNumber(at) ? { align: 'right' as const } : {}),
  }));
  return renderColumns(page, { columns: named, rows, whole });
}

/** `carrierspec list [what…]`: lists rules, cases, the ledger or any named things. */
export async function listCommand(given: ListFlags, invocation: Invocation): Promise<number> {
  const { what } = given;
  const kind = parseKind(given.kind);
  const suites = await readSuites(given.suites);
  const list = await buildList(suites, given, kind);
  if (list.rows.length === 0) {
    const catalogue = await openCatalogue(suites);
    const hint =
      suggestionHint(what.flatMap((word) => suggestAll(word, catalogue)).slice(0, 3)) ?? 'see carrierspec list';
    const words = what.length > 1 ? `nothing has all of ${what.join(', ')}` : `nothing is called ${what.join('')}`;
    throw new CarrierspecError(`${words}; ${hint}`, { code: 'nothing-selected' });
  }
  const whole = kind === 'coverage' || wantsWholeRows(invocation);
  const lines = given.json
    ? [forJson({ kind, rows: list.json })]
    : renderList(createTerminalPage(invocation), list, whole);
  invocation.stdout.write(`${lines.join('\n')}\n`);
  return exitCodes.conformant;
}
