import { caseRuleIds, type Case, type Invariant, type Suites } from '../../suite/suites.ts';
import { memoizeByObject } from '../../lib/lists.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { type Level, levels } from '../../model/rule.ts';

export interface Selection {
  /** Ids or globs of rules, cases, suites or areas, as typed; empty selects everything. */
  readonly what: readonly string[];
  /** Lowest level selected; default: every level. */
  readonly level?: Level;
}

export interface SelectedSuites {
  /** With those that are left out. */
  readonly cases: readonly Case[];
  readonly leftOut?: ReadonlyMap<Case, string>;
  readonly invariants: readonly Invariant[];
  /** Ids of the rules that the run judges. */
  readonly rules: ReadonlySet<string>;
  /** Ids of unselected invariants, which also judge the messages of the cases: they count if they find or leave something open. */
  readonly beside?: ReadonlySet<string>;
}

/** Compiles a glob of the command line: `*` any characters, `?` one; case-insensitive by default. */
export const compileGlob = (pattern: string, flags: '' | 'i' = 'i'): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    flags,
  );

const fileName = (path: string): string =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\.suite\.yaml$/, '') ?? path;

const itemNames = memoizeByObject(({ id, suite, area, position }: Case | Invariant): readonly string[] => {
  const [matrix = id] = id.split('/');
  return [id, matrix, suite, area, fileName(position.file), `${area}/${fileName(position.file)}`];
});

// A glob or a suggestion must not depend on the folder of the suites: a path is a name as a whole only.
const isInFile = ({ position }: Case | Invariant, what: readonly string[]): boolean => what.includes(position.file);

export const invariantRules = ({ expectations }: Invariant): Set<string> =>
  new Set(expectations.flatMap(({ rules }) => rules.map(({ rule }) => rule)));

const selectableNames = memoizeByObject(({ rules, cases, invariants }: Suites): readonly string[] => [
  ...new Set([...rules.map(({ id }) => id), ...[...cases, ...invariants].flatMap(itemNames)]),
]);

/** Whether a name, glob or path of a suite file selects anything. */
export const isSelectable = (pattern: string, suites: Suites): boolean => {
  const test = compileGlob(pattern);
  const { cases, invariants } = suites;
  return (
    selectableNames(suites).some((name) => test.test(name)) ||
    [...cases, ...invariants].some((one) => isInFile(one, [pattern]))
  );
};

function requireMatch(
  pattern: string,
  suites: Suites,
  suggest: (wrong: string, names: readonly string[]) => string[],
): void {
  if (isSelectable(pattern, suites)) return;
  const near = suggest(pattern, selectableNames(suites));
  const hint = near.length === 0 ? 'see carrierspec list' : `did you mean ${near.join(' or ')}?`;
  throw new CarrierspecError(`nothing is called ${pattern}; ${hint}`, { code: 'nothing-selected' });
}

type NameTest = (names: Iterable<string>) => boolean;
type ItemTest = (item: Case | Invariant) => boolean;

/** Rules of the cases and invariants that are named themselves. */
function namedRules({ cases, invariants }: Omit<SelectedSuites, 'rules'>, isNamed: ItemTest): string[] {
  return [
    ...cases.filter(isNamed).flatMap((given) => [...caseRuleIds(given)]),
    ...invariants.filter(isNamed).flatMap((one) => [...invariantRules(one)]),
  ];
}

/** Leaves the rules of left-out cases without a verdict, because a rule passes only if all its cases have run. */
function withoutLeftOut(
  selected: SelectedSuites,
  { leftOut }: Pick<Suites, 'leftOut'>,
  what: readonly string[],
): SelectedSuites {
  const out = selected.cases.filter((given) => leftOut?.has(given) === true);
  const [first] = out;
  if (leftOut === undefined || first === undefined) return selected;
  if (what.length > 0 && out.length === selected.cases.length) {
    const message = `nothing of ${what.join(', ')} would run: ${first.id} is ${leftOut.get(first) ?? ''}`;
    throw new CarrierspecError(message, { code: 'nothing-selected' });
  }
  const unjudged = new Set(out.flatMap((given) => [...caseRuleIds(given)]));
  return { ...selected, leftOut, rules: new Set([...selected.rules].filter((id) => !unjudged.has(id))) };
}

/** Selects for `run [what…]` and `list --level`. Throws if a pattern matches nothing, or the level leaves nothing. */
export function selectSuites(
  suites: Suites,
  { what, level = 'informational' }: Selection,
  suggest: (wrong: string, names: readonly string[]) => string[],
): SelectedSuites {
  for (const pattern of what) requireMatch(pattern, suites, suggest);
  const tests = what.map((pattern) => compileGlob(pattern));
  const all = what.length === 0;
  const named: NameTest = (names) => [...names].some((name) => tests.some((test) => test.test(name)));
  const isNamed: ItemTest = (item) => named(itemNames(item)) || isInFile(item, what);
  const within = suites.rules.filter((rule) => levels.indexOf(rule.level) <= levels.indexOf(level));
  const inLevel = new Set(within.map(({ id }) => id));
  const wanted = new Set([...inLevel].filter((id) => all || named([id])));

  const levelHas = (invariant: Invariant): boolean => [...invariantRules(invariant)].some((id) => inLevel.has(id));
  const isWanted = (one: Invariant): boolean => [...invariantRules(one)].some((id) => wanted.has(id));
  const own = suites.invariants.filter((one) => levelHas(one) && (isWanted(one) || isNamed(one)));
  const namesCases = !all && suites.cases.some(({ id }) => named([id, id.split('/')[0] ?? id]));
  // An invariant named together with cases judges those; one over several cases also needs the cases that show it.
  const isShown = (one: Invariant): boolean => one.on === 'run' || isWanted(one) || !(namesCases && named([one.id]));
  const shownBy = new Set(all ? [] : own.filter(isShown).flatMap(({ seenIn }) => seenIn));
  const cases = suites.cases.filter((given) => {
    if (shownBy.has(given.id) || shownBy.has(given.id.split('/')[0] ?? '')) return true;
    const rules = [...caseRuleIds(given)].filter((id) => inLevel.has(id));
    return rules.length > 0 && (all || rules.some((id) => wanted.has(id)) || isNamed(given));
  });
  const rulesNamed = namedRules({ cases, invariants: own }, isNamed).filter((id) => inLevel.has(id));
  const rules = new Set([...wanted, ...rulesNamed]);
  // However the cases were named, every invariant judges their messages (P20).
  const others = all ? [] : suites.invariants.filter((one) => levelHas(one) && !own.includes(one));
  if (rules.size > 0) {
    const beside = others.length === 0 ? {} : { beside: new Set(others.map(({ id }) => id)) };
    return withoutLeftOut({ cases, invariants: [...own, ...others], rules, ...beside }, suites, what);
  }
  const message = `nothing of ${what.join(', ')} has the level ${level} or a stricter one`;
  throw new CarrierspecError(message, { code: 'nothing-selected' });
}
