import { at, type Cursor, entries, items, place, cursorText, type Parse } from '../../suite/yaml/document.ts';
import { variants } from '../catalogue.ts';
import { parseVariants } from '../../carrier/options.ts';
import { refusingNames } from '../../carrier/seams/refusal-codes.ts';
import { strictCarrier } from '../../carrier/strict-carrier.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { coveringArray, type CoveringArray, type CoverOptions } from '../../lib/covering/covering-array.ts';
import type { Exclusion, Factor, CoverRow } from '../../lib/covering/domain.ts';
import { seededRandom } from '../../lib/covering/random.ts';
import { errorMessage } from '../../lib/errors.ts';
import { suggestKnown } from '../../lib/suggestion.ts';
import { CarrierspecError, type Problem } from '../../model/problem.ts';
import { packageRoot, preparedFreedoms } from '../../setup/paths.ts';
import { openPrepared } from '../../suite/prepared-files.ts';
import { readChecked } from '../../suite/suite-files.ts';
import type { Suites } from '../../suite/suites.ts';
import { createProblems } from '../../suite/yaml/problems.ts';
import { type Freedom, convertFreedom, freedomsGrammar, type ParsedFreedom, choiceName } from './freedoms-grammar.ts';

export type { FreedomChoice as Choice, Freedom } from './freedoms-grammar.ts';

export const freedomsFile = `${packageRoot}/fixtures/space/freedoms.yaml`;

/** Reads what the interface leaves open; throws CarrierspecError with every mistake in the file. */
export function readFreedoms(file: string = freedomsFile): readonly Freedom[] {
  const { freedoms, problems } = loadFreedoms(file, openPrepared(preparedFreedoms).parse);
  if (problems.length === 0) return freedoms;
  const count = problems.length === 1 ? '1 mistake' : `${problems.length} mistakes`;
  throw new CarrierspecError(`the file of freedoms has ${count}`, { code: 'freedoms-broken', problems });
}

interface LoadedFreedoms {
  readonly freedoms: readonly Freedom[];
  readonly problems: readonly Problem[];
}

export function loadFreedoms(file: string, parse: Parse): LoadedFreedoms {
  const problems = createProblems();
  const { document, read } = readChecked(
    { path: file, label: file.replace(`${packageRoot}/`, '') },
    { kind: 'freedoms', shape: freedomsGrammar },
    { report: problems.report, parse },
  );
  const given = read?.freedoms ?? [];
  const freedoms = given.map((one) => convertFreedom(one));
  const complain = (cursor: Cursor, message: string): void =>
    problems.report(document.problem({ code: 'bad-value', message, position: place(cursor) }));
  checkFreedoms(given, { complain, ...collectKnownNames(freedoms) });
  return { freedoms, problems: problems.sorted() };
}

interface FreedomsReading {
  readonly complain: (cursor: Cursor, message: string) => void;
  readonly variants: ReadonlySet<string>;
  readonly checks: ReadonlySet<string>;
  readonly clauses: ReadonlySet<string>;
  /** `freedom/choice` of every choice, and `freedom` of every freedom. */
  readonly choices: ReadonlySet<string>;
}

function collectKnownNames(freedoms: readonly Freedom[]): Omit<FreedomsReading, 'complain'> {
  const names = freedoms.flatMap(({ id, choices }) => [id, ...choices.map(({ name }) => choiceName(id, name))]);
  return {
    variants: new Set(variants.map(({ name }) => name)),
    checks: refusingNames(strictCarrier),
    clauses: new Set(serverInitiated.clauses.map(([number]) => number)),
    choices: new Set(names),
  };
}

function checkFreedoms(given: readonly ParsedFreedom[], reading: FreedomsReading): void {
  const seen = new Set<string>();
  for (const one of given) {
    const { id = '', clause = '', cursor } = one;
    if (seen.has(id)) reading.complain(at(cursor, 'id'), `there is a freedom ${id} already`);
    seen.add(id);
    if (!reading.clauses.has(clause)) reading.complain(at(cursor, 'clause'), `the interface has no clause ${clause}`);
    checkChoices(at(cursor, 'choices'), reading);
  }
}

function checkChoices(cursor: Cursor, reading: FreedomsReading): void {
  const [plain, ...others] = entries(cursor).map(([, choice]) => choice);
  if (others.length === 0) reading.complain(cursor, 'a freedom has two choices or more');
  if (plain !== undefined && entries(plain).length > 0) {
    reading.complain(plain, 'the first choice is the plain carrier: {}');
  }
  for (const choice of others) checkChoice(choice, reading);
}

/** Checks names that other modules define: variants, policy values and other choices. */
function checkChoice(choice: Cursor, reading: FreedomsReading): void {
  if (entries(choice).every(([part]) => part === 'excludes')) {
    reading.complain(choice, 'a choice beside the plain one says how the carrier differs');
  }
  for (const one of items(at(choice, 'variants'))) checkVariant(one, reading);
  for (const [, value] of entries(at(choice, 'policy'))) checkPolicy(value, reading);
  for (const [name, refusal] of entries(at(at(choice, 'policy'), 'refusals'))) {
    if (!reading.checks.has(name)) reading.complain(refusal, `no check or reader is called ${name}`);
  }
  for (const [name, reason] of entries(at(choice, 'excludes'))) {
    if (!reading.choices.has(name)) reading.complain(reason, `there is no freedom and no choice ${name}`);
  }
}

function checkVariant(cursor: Cursor, { complain, variants: known }: FreedomsReading): void {
  const name = cursorText(cursor) ?? '';
  if (known.has(name)) return;
  const hint = suggestKnown(name, known);
  complain(cursor, `there is no variant ${name}${hint === undefined ? '' : `; ${hint}`}`);
}

function checkPolicy(cursor: Cursor, { complain }: FreedomsReading): void {
  const name = String(cursor.path.at(-1));
  try {
    parseVariants({ [name]: cursor.value ?? null });
  } catch (error) {
    complain(cursor, errorMessage(error));
  }
}

let shippedFreedoms: readonly Freedom[] | undefined;

/** Rules that warn of these choices by a decision: the carrier conforms, but another way is better. */
export function warningRules(choices: CoverRow): ReadonlySet<string> {
  shippedFreedoms ??= readFreedoms();
  const chosen = shippedFreedoms.flatMap(({ id, choices: all }) => all.filter(({ name }) => choices[id] === name));
  return new Set(chosen.flatMap(({ warns }) => Object.keys(warns)));
}

const freedomFactors = (freedoms: readonly Freedom[]): readonly Factor[] =>
  freedoms.map(({ id, choices }) => ({ id, choices: choices.map(({ name }) => name) }));

/** Choices that a word of `excludes` means: `freedom/choice`, or all of a freedom but the plain one. */
function excludedChoices(word: string, freedoms: readonly Freedom[]): readonly (readonly [string, string])[] {
  const [id = '', choice] = word.split('/');
  const names = freedoms.find((one) => one.id === id)?.choices.map(({ name }) => name) ?? [];
  return (choice === undefined ? names.slice(1) : names.filter((name) => name === choice)).map((name) => [id, name]);
}

function freedomExclusions(freedoms: readonly Freedom[]): readonly Exclusion[] {
  return freedoms.flatMap(({ id, choices }) =>
    choices.flatMap(({ name, excludes }) =>
      Object.keys(excludes).flatMap((word) =>
        excludedChoices(word, freedoms).map((other): Exclusion => [[id, name], other]),
      ),
    ),
  );
}

/** Draws carriers; the first ones cover every compatible pair of choices, as far as `count` goes. */
export function drawRows(
  freedoms: readonly Freedom[],
  { seed, count }: Omit<CoverOptions, 'exclusions'>,
): CoveringArray {
  const exclusions = freedomExclusions(freedoms);
  return coveringArray(freedomFactors(freedoms), { seed, exclusions, ...(count === undefined ? {} : { count }) });
}

/** Choices of a row that differ from the plain carrier. */
export function differingChoices(row: CoverRow, freedoms: readonly Freedom[]): CoverRow {
  const chosen = freedoms.map(({ id, choices: [plain] }) => [id, row[id] ?? '', plain?.name] as const);
  return Object.fromEntries(chosen.flatMap(([id, name, plain]) => (name === plain || name === '' ? [] : [[id, name]])));
}

/** Row without plain choices, and without those of `avoid` if possible; exclusions leave a freedom out. */
function drawFarthest(freedoms: readonly Freedom[], seed: string, avoid: CoverRow): CoverRow {
  const random = seededRandom(seed);
  const exclusions = new Set(
    freedomExclusions(freedoms).flatMap(([a, b]) => [`${a.join('/')} ${b.join('/')}`, `${b.join('/')} ${a.join('/')}`]),
  );
  const row = new Map<string, string>();
  for (const { id, choices } of random.shuffled(freedoms)) {
    const others = random.shuffled(choices.slice(1).map(({ name }) => name));
    const apart = others.toSorted((a, b) => Number(a === avoid[id]) - Number(b === avoid[id]));
    const fits = (name: string): boolean =>
      [...row].every(([other, chosen]) => !exclusions.has(`${id}/${name} ${other}/${chosen}`));
    const found = apart.find(fits);
    if (found !== undefined) row.set(id, found);
  }
  return Object.fromEntries(freedoms.flatMap(({ id }) => (row.has(id) ? [[id, row.get(id) ?? '']] : [])));
}

/** Two carriers that differ as much as they may from the plain one and from each other. */
export function oppositeRows(freedoms: readonly Freedom[], seed: string): readonly [CoverRow, CoverRow] {
  const first = drawFarthest(freedoms, `${seed} a`, {});
  return [first, drawFarthest(freedoms, `${seed} b`, first)];
}

/** Each carrier runs one case in this many. */
const sampleInterval = 8;

/** Ids of the cases that run with one drawn carrier; each seed chooses others. */
export function sampleCases({ cases }: Suites, seed: string): readonly string[] {
  const ids = cases.map(({ id }) => id);
  const chosen = new Set(
    seededRandom(seed)
      .shuffled(ids)
      .slice(0, Math.ceil(ids.length / sampleInterval)),
  );
  return ids.filter((id) => chosen.has(id));
}
