import type { Verdict } from '../model/verdict.ts';
import type { MatrixRow, Proof } from './catalogue.ts';

/** Describes the differences between a proof and a row of another matrix. */
export interface Differing {
  readonly name: string;
  readonly words: readonly string[];
}

type Turned = Readonly<Record<string, Verdict>>;

const listed = (turned: Turned, ids: readonly string[]): string =>
  ids.map((id) => `${id} ${turned[id] ?? ''}`).join(', ');

/** The rules that turn in one and not, or otherwise, in the other. */
const without = (one: Turned, other: Turned): readonly string[] =>
  Object.keys(one).filter((id) => one[id] !== other[id]);

function wordsOf({ turned, status }: Proof, row: MatrixRow): readonly string[] {
  const [more, fewer] = [without(turned, row.turned), without(row.turned, turned)];
  return [
    ...(status === row.status ? [] : [`${status} here, ${row.status} in the matrix`]),
    ...(more.length > 0 ? [`here, and not in the matrix: ${listed(turned, more)}`] : []),
    ...(fewer.length > 0 ? [`in the matrix, and not here: ${listed(row.turned, fewer)}`] : []),
  ];
}

/** The proofs that turn other rules than the rows of a matrix say. */
export const differingFrom = (rows: ReadonlyMap<string, MatrixRow>, proofs: readonly Proof[]): readonly Differing[] =>
  proofs.flatMap((proof) => {
    const row = rows.get(proof.name);
    const words = row === undefined ? ['the matrix has no such row'] : wordsOf(proof, row);
    return words.length === 0 ? [] : [{ name: proof.name, words }];
  });
