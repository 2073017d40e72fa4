import { readPacked } from '../../lib/package-file.ts';
import { goldenMatrix } from '../../setup/paths.ts';
import { isJsonObject, type Json, parseOwnJson, listStrings } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import { type Verdict, verdictOrder } from '../../model/rule.ts';
import { isRedVerdict, type Proof } from './catalogue.ts';

/** Verdicts that a fault turns, and what showed it broken. */
export type ProofMatrixRow = Pick<Proof, 'turned' | 'shown'>;

/** Rows by fault name. */
export type MatrixRows = ReadonlyMap<string, ProofMatrixRow>;

const sortRecord = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Rows of proofs by name. */
export const matrixRows = (proofs: readonly Proof[]): MatrixRows =>
  new Map(proofs.map(({ name, turned, shown }) => [name, { turned, shown }]));

export function renderProofMatrix(rows: MatrixRows): string {
  const sorted = [...rows].map(([name, { turned, shown }]) => {
    const byRule = Object.entries(shown).map(([rule, ids]) => [rule, ids.toSorted()] as const);
    return [name, { turned: sortRecord(turned), shown: sortRecord(Object.fromEntries(byRule)) }] as const;
  });
  const matrix = { format: 'carrierspec-matrix', version: 2, rows: sortRecord(Object.fromEntries(sorted)) };
  return `${JSON.stringify(matrix, null, 1)}\n`;
}

export interface RowDifference {
  readonly name: string;
  readonly words: readonly string[];
}

/** Rules as they turned, and rows and invariants that showed it: `REQ-015 warn`, `REQ-015 by jti-kept/2m`. */
const rowFacts = ({ turned, shown }: ProofMatrixRow, counts: (verdict: Verdict) => boolean): readonly string[] => [
  ...Object.entries(turned).flatMap(([rule, verdict]) => (counts(verdict) ? [`${rule} ${verdict}`] : [])),
  ...Object.entries(shown).flatMap(([rule, ids]) => ids.map((id) => `${rule} by ${id}`)),
];

function compareMatrixRow(here: ProofMatrixRow, golden: ProofMatrixRow, whole: boolean): readonly string[] {
  // Rules that lose their verdict are known after every case only.
  const counts = (verdict: Verdict): boolean => whole || isRedVerdict(verdict);
  const [found, known] = [rowFacts(here, counts), rowFacts(golden, counts)];
  const more = found.filter((fact) => !known.includes(fact));
  const fewer = known.filter((fact) => !found.includes(fact));
  return [
    ...(more.length > 0 ? [`here, and not in the matrix: ${more.join(', ')}`] : []),
    ...(fewer.length > 0 ? [`in the matrix, and not here: ${fewer.join(', ')}`] : []),
  ];
}

/** Rows that differ from the golden matrix. `whole`: every case ran with each fault. */
export const compareRows = (rows: MatrixRows, golden: MatrixRows, whole: boolean): readonly RowDifference[] =>
  [...rows].flatMap(([name, row]) => {
    const known = golden.get(name);
    const words = known === undefined ? ['the matrix has no such row'] : compareMatrixRow(row, known, whole);
    return words.length === 0 ? [] : [{ name, words }];
  });

/** The golden matrix of these faults with these rows. Without every case, a row keeps the rules that lost their verdict. */
export function updateRows(golden: MatrixRows, rows: MatrixRows, whole: boolean): MatrixRows {
  const updated = [...rows].map(([name, row]) => {
    const lost = Object.entries(golden.get(name)?.turned ?? {}).filter(([, verdict]) => !isRedVerdict(verdict));
    const red = Object.entries(row.turned).filter(([, verdict]) => isRedVerdict(verdict));
    return [name, whole ? row : { ...row, turned: Object.fromEntries([...lost, ...red]) }] as const;
  });
  return new Map([...golden, ...updated]);
}

const readVerdict = (value: Json): Verdict | undefined => verdictOrder.find((one) => one === value);

function parseRow(value: Json): ProofMatrixRow {
  const { turned = null, shown = null } = isJsonObject(value) ? value : {};
  const verdicts = Object.entries(isJsonObject(turned) ? turned : {}).flatMap(([rule, one]) => {
    const verdict = readVerdict(one);
    return verdict === undefined ? [] : [[rule, verdict] as const];
  });
  const showing = Object.entries(isJsonObject(shown) ? shown : {}).map(
    ([rule, ids]) => [rule, listStrings(ids)] as const,
  );
  return { turned: Object.fromEntries(verdicts), shown: Object.fromEntries(showing) };
}

const parseRows = (value: Json | undefined): MatrixRows =>
  new Map(Object.entries(isJsonObject(value) ? value : {}).map(([name, row]) => [name, parseRow(row)] as const));

/** Rows by fault name, from a matrix that `prove` has written. */
export function parseProofMatrix(text: string): MatrixRows {
  const matrix = parseOwnJson(text);
  return parseRows(isJsonObject(matrix) ? matrix['rows'] : undefined);
}

interface GoldenMatrix {
  readonly rows: MatrixRows;
  /** Rows of cases that no fault turns yet. */
  readonly unturned: ReadonlySet<string>;
}

/** The matrix of fixtures/prove, which the build packs; without a build it is empty. */
export function readGoldenMatrix(): GoldenMatrix {
  const packed = readPacked(goldenMatrix);
  const { rows, unturned } = isJsonObject(packed) ? packed : {};
  return { rows: parseRows(rows), unturned: new Set(listStrings(unturned)) };
}

/** Ids of the cases, each with its row, and of the invariants that a fault turned red. */
export const redIds = ({ shown }: Pick<ProofMatrixRow, 'shown'>): readonly string[] => [
  ...new Set(Object.values(shown).flat()),
];

/** Names of the faults that turn a case or an invariant red, by its id. */
export function faultsByJudge(rows: MatrixRows): ReadonlyMap<string, readonly string[]> {
  const pairs = [...rows].flatMap(([name, row]) => redIds(row).map((id) => ({ id, name })));
  return new Map([...groupBy(pairs, ({ id }) => id)].map(([id, some]) => [id, some.map(({ name }) => name)]));
}
