import { select } from '../../engine/plan/select.ts';
import type { Page, Tone } from '../../report/shared/layout.ts';
import { clauseOf } from '../../report/shared/prose.ts';
import { forJson } from '../../report/shared/sanitize.ts';
import { readSuites } from '../../setup/read.ts';
import { rulesOf, type Suites } from '../../suite/suites.ts';
import type { listDefinition } from '../definitions/reading.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Entry, Kind } from '../explain/kinds/kind.ts';
import { kinds } from '../explain/kinds/table.ts';
import { worldOf } from '../explain/kinds/world.ts';
import { familiesOf, joinJudges, suggestNames } from '../shared/choose.ts';
import { renderColumns } from '../shared/columns.ts';
import type { Given } from '../shared/command.ts';
import { parseChoice, usageError } from '../shared/inputs.ts';
import { type Invocation, pageOf, wantsWholeRows } from '../shared/invocation.ts';
import { countCoverage, coverageRow, renderCoverage } from './coverage.ts';
import { hasAllWords, requireFound, searchSelected } from './search.ts';

type ListFlags = Given<typeof listDefinition>;

/** What is listed: rows of texts below the names of columns, and the same for `--json`. */
interface List {
  readonly kind: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly json: readonly unknown[];
}

const levelTones = ({ paint }: Page): ReadonlyMap<string, Tone> =>
  new Map([
    ['required', paint.bold],
    ['recommended', paint.yellow],
    ['informational', paint.dim],
  ]);

/** A required rule stands out; the others recede. */
const levelTone =
  (page: Page): Tone =>
  (text) =>
    levelTones(page).get(text.trimEnd())?.(text) ?? text;

const numeric = new Set(['rules', 'cases', 'exit code']);

function renderTable(page: Page, { columns, rows }: List, whole: boolean): readonly string[] {
  const isNumber = (at: number): boolean => rows.every((row) => /^\d+$/.test(row[at] ?? ''));
  return renderColumns(page, {
    columns: columns.map((name, at) => ({
      name,
      ...(at === 0 ? { tone: page.paint.bold } : {}),
      ...(name === 'level' ? { tone: levelTone(page) } : {}),
      ...(numeric.has(name) && isNumber(at) ? { align: 'right' as const } : {}),
    })),
    rows,
    whole,
  });
}

/** Rules or cases: where every word is a name or a glob they select as for `run`, else a row is selected by or has each of them. */
function listSelected(suites: Suites, { what, level }: ListFlags, isCases: boolean): List {
  const chosen = searchSelected(suites, { what, level });
  if (isCases) {
    const rows = chosen.cases.map((given) => [given.id, [...rulesOf(given)].join(', '), given.title]);
    const json = chosen.cases.map(({ id, title, area, suite, position, rules }) => ({
      id,
      title,
      area,
      suite,
      position,
      rules,
    }));
    return { kind: 'case', columns: ['case', 'rules', 'title'], rows, json };
  }
  const rows = chosen.rules.map(({ id, level: own, clause, judged, description }) => [
    id,
    own,
    clauseOf(clause),
    judged,
    description,
  ]);
  return { kind: 'rule', columns: ['rule', 'level', 'clause', 'judged by', 'description'], rows, json: chosen.rules };
}

/** Things of another kind: each word is in the row, or is a glob of the name. */
function listKind(kind: Kind, entries: readonly Entry[], what: readonly string[]): List {
  const found = entries.filter(({ name, description, facts = {}, more = '' }) =>
    hasAllWords([name, description, ...Object.values(facts), more], what),
  );
  const between = Object.keys(entries[0]?.facts ?? {});
  return {
    kind: kind.name,
    columns: [kind.name, ...between, 'description'],
    rows: found.map(({ name, facts = {}, description }) => [
      name,
      ...between.map((column) => facts[column] ?? ''),
      description,
    ]),
    json: found.map(({ name, description, facts = {} }) => ({ name, description, ...facts })),
  };
}

function listFamilies(suites: Suites, ids: ReadonlySet<string>): List {
  const families = familiesOf(suites.rules.filter(({ id }) => ids.has(id)));
  return {
    kind: 'family',
    columns: ['family', 'rules', 'area'],
    rows: families.map(({ name, areas, rules }) => [name, String(rules.length), areas.join(', ')]),
    json: families.map(({ name, areas, rules }) => ({ name, areas, rules: rules.length })),
  };
}

/** The kind that `--kind`, or a flag of its own, asks for. */
function kindOf(given: ListFlags): string {
  const own = { case: given.cases, fault: given.faults, freedom: given.freedoms, area: given.areas, code: given.codes };
  const flags = Object.entries({ ...own, family: given.families, coverage: given.coverage }).flatMap(([name, on]) =>
    on ? [name] : [],
  );
  const asked = given.kind === undefined ? flags : [...flags, given.kind];
  if (asked.length > 1) {
    throw usageError(
      '--cases, --coverage, --families, --faults, --freedoms, --areas, --codes and --kind are different lists',
    );
  }
  return asked[0] ?? 'rule';
}

function listOf(suites: Suites, given: ListFlags, name: string): List {
  if (name === 'rule' || name === 'case') return listSelected(suites, given, name === 'case');
  if (name === 'family') {
    return listFamilies(suites, select(suites, { what: given.what, level: given.level }, suggestNames).rules);
  }
  const known = kinds.map((kind) => kind.name);
  const kind = kinds.find((one) => one.name === parseChoice('--kind', name, { of: known }));
  if (kind === undefined) throw usageError(`--kind: "${name}" is none of ${known.join(', ')}`);
  return listKind(kind, kind.entries(worldOf(suites)), given.what);
}

function coverageOf(suites: Suites, { what, level }: ListFlags) {
  const selected = select(suites, { what, level }, suggestNames);
  const rules = suites.rules.filter(({ id }) => selected.rules.has(id));
  return countCoverage(rules, joinJudges(suites));
}

/** `carrierspec list [what…]`: the rules, the cases, the ledger, or whatever has a name, on stdout. */
export async function listCommand(given: ListFlags, invocation: Invocation): Promise<number> {
  const name = kindOf(given);
  const suites = await readSuites(given.suites);
  const page = pageOf(invocation);
  const write = (lines: readonly string[]): void => void invocation.stdout.write(`${lines.join('\n')}\n`);
  if (name === 'coverage') {
    const ledger = coverageOf(suites, given);
    write(given.json ? [forJson({ kind: name, rows: ledger.map(coverageRow) })] : renderCoverage(page, ledger));
    return exitCodes.conformant;
  }
  const list = listOf(suites, given, name);
  requireFound(list.rows, given.what, worldOf(suites));
  write(
    given.json ? [forJson({ kind: list.kind, rows: list.json })] : renderTable(page, list, wantsWholeRows(invocation)),
  );
  return exitCodes.conformant;
}
