import { cover, type Cover, type Drawing } from '../../lib/covering/cover.ts';
import type { Exclusion, Factor, Row } from '../../lib/covering/domain.ts';
import type { Freedom } from './freedoms.ts';
import { randomOf } from '../../lib/covering/random.ts';
import type { Suites } from '../../suite/suites.ts';

const factorsOf = (freedoms: readonly Freedom[]): readonly Factor[] =>
  freedoms.map(({ id, choices }) => ({ id, choices: choices.map(({ name }) => name) }));

/** The choices that a word of `excludes` means: `freedom/choice`, or all of a freedom but the plain one. */
function meantBy(word: string, freedoms: readonly Freedom[]): readonly (readonly [string, string])[] {
  const [id = '', choice] = word.split('/');
  const names = freedoms.find((one) => one.id === id)?.choices.map(({ name }) => name) ?? [];
  return (choice === undefined ? names.slice(1) : names.filter((name) => name === choice)).map((name) => [id, name]);
}

function exclusionsOf(freedoms: readonly Freedom[]): readonly Exclusion[] {
  return freedoms.flatMap(({ id, choices }) =>
    choices.flatMap(({ name, excludes }) =>
      Object.keys(excludes).flatMap((word) => meantBy(word, freedoms).map((other): Exclusion => [[id, name], other])),
    ),
  );
}

/** Draws carriers: every pair of choices that go together is in one of the first, as far as `count` goes. */
export function drawRows(freedoms: readonly Freedom[], { seed, count }: Omit<Drawing, 'exclusions'>): Cover {
  const exclusions = exclusionsOf(freedoms);
  return cover(factorsOf(freedoms), { seed, exclusions, ...(count === undefined ? {} : { count }) });
}

/** The choices of a row in which it is not the plain carrier. */
export function choicesOf(row: Row, freedoms: readonly Freedom[]): Row {
  const chosen = freedoms.map(({ id, choices: [plain] }) => [id, row[id] ?? '', plain?.name] as const);
  return Object.fromEntries(chosen.flatMap(([id, name, plain]) => (name === plain || name === '' ? [] : [[id, name]])));
}

/** A row of no plain choices, and of none of `avoid` where there is another; exclusions leave a freedom as it is. */
function farthest(freedoms: readonly Freedom[], seed: string, avoid: Row): Row {
  const random = randomOf(seed);
  const exclusions = new Set(
    exclusionsOf(freedoms).flatMap(([a, b]) => [`${a.join('/')} ${b.join('/')}`, `${b.join('/')} ${a.join('/')}`]),
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

/** Two carriers that are in all they may other than the plain one, and than each other where there are choices enough. */
export function oppositeRows(freedoms: readonly Freedom[], seed: string): readonly [Row, Row] {
  const first = farthest(freedoms, `${seed} a`, {});
  return [first, farthest(freedoms, `${seed} b`, first)];
}

/** One case in so many runs with each carrier. */
const casesOf = 8;

/** Ids of the cases that run with one drawn carrier, other ones with each. */
export function sampleCases({ cases }: Suites, seed: string): readonly string[] {
  const ids = cases.map(({ id }) => id);
  const chosen = new Set(
    randomOf(seed)
      .shuffled(ids)
      .slice(0, Math.ceil(ids.length / casesOf)),
  );
  return ids.filter((id) => chosen.has(id));
}
