import { isThere } from '../../files/look.ts';
import { readText } from '../../files/read.ts';
import { appendText } from '../../files/write.ts';
import { isJsonObject, type Json, type JsonObject, parseOwnJson, listStrings, omitUndefined } from '../../lib/json.ts';
import { type Verdict, verdictOrder } from '../../model/rule.ts';
import { isRedVerdict, type Proof, proofStatuses } from './catalogue.ts';

/** Proof of a fault or variant without the parts that depend on the size of the suites. */
export type ProofMatrixRow = Pick<Proof, 'kind' | 'status' | 'turned' | 'red' | 'follows' | 'sampled'>;

/** Rows by fault name. */
export type MatrixRows = ReadonlyMap<string, ProofMatrixRow>;

export interface ProofMatrix {
  readonly format: 'carrierspec-matrix';
  readonly version: 1;
  readonly rows: Readonly<Record<string, ProofMatrixRow>>;
}

const sortRecord = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Rows of proofs by name, with sorted rules and cases. */
export const matrixRows = (proofs: readonly Proof[]): MatrixRows =>
  new Map(
    proofs.map(({ name, kind, status, turned, red, follows, sampled, whole }) => {
      const rules = Object.entries(turned).filter(([, verdict]) => whole !== true || isRedVerdict(verdict));
      const cases = whole === true ? { red: [] } : { red: red.toSorted(), ...omitUndefined({ follows, sampled }) };
      return [name, { kind, status, turned: sortRecord(Object.fromEntries(rules)), ...cases }];
    }),
  );

export function renderProofMatrix(rows: MatrixRows): string {
  const matrix: ProofMatrix = { format: 'carrierspec-matrix', version: 1, rows: sortRecord(Object.fromEntries(rows)) };
  return `${JSON.stringify(matrix, null, 1)}\n`;
}

export interface RowDifference {
  readonly name: string;
  readonly words: readonly string[];
}

/** Rules that turn differently in the other row, or not at all: `REQ-015 warn`. */
const missingTurns = (
  other: ProofMatrixRow,
  { turned }: ProofMatrixRow,
  counts: (verdict: Verdict) => boolean,
): readonly string[] =>
  Object.entries(turned).flatMap(([rule, verdict]) =>
    other.turned[rule] === verdict || !counts(verdict) ? [] : [`${rule} ${verdict}`],
  );

function compareMatrixRow(here: ProofMatrixRow, golden: ProofMatrixRow): readonly string[] {
  const { sampled } = here;
  // Cases that did not run may be red, and give further rules no verdict, or another than informational.
  const more = [
    ...missingTurns(golden, here, (verdict) => sampled === undefined || verdict !== 'informational'),
    ...here.red.filter((name) => !golden.red.includes(name)),
  ];
  const fewer = [
    ...missingTurns(here, golden, (verdict) => sampled === undefined || isRedVerdict(verdict)),
    ...golden.red.filter((name) => !here.red.includes(name) && sampled?.includes(name) !== false),
  ];
  return [
    ...(here.status === golden.status ? [] : [`${here.status} here, ${golden.status} in the matrix`]),
    ...(more.length > 0 ? [`here, and not in the matrix: ${more.join(', ')}`] : []),
    ...(fewer.length > 0 ? [`in the matrix, and not here: ${fewer.join(', ')}`] : []),
  ];
}

/** Rows that differ from a golden matrix; after a sample, red cases may be missing. */
export const compareRows = (rows: MatrixRows, golden: MatrixRows): readonly RowDifference[] =>
  [...rows].flatMap(([name, row]) => {
    const known = golden.get(name);
    const words = known === undefined ? ['the matrix has no such row'] : compareMatrixRow(row, known);
    return words.length === 0 ? [] : [{ name, words }];
  });

/** Golden matrix with these rows. A sample without a difference keeps the old row. */
export function updateRows(golden: MatrixRows, rows: MatrixRows): MatrixRows {
  const different = new Set(compareRows(rows, golden).map(({ name }) => name));
  const isNews = ([name, { sampled }]: readonly [string, ProofMatrixRow]): boolean =>
    different.has(name) || sampled === undefined;
  return new Map([...golden, ...[...rows].filter(isNews)]);
}

const readNumber = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

const readVerdict = (value: Json): Verdict | undefined => verdictOrder.find((one) => one === value);

function parseRow({ kind, status, turned, red, follows, sampled }: JsonObject): ProofMatrixRow | undefined {
  const known = proofStatuses.find((one) => one === status);
  if ((kind !== 'fault' && kind !== 'variant') || known === undefined || !isJsonObject(turned)) return undefined;
  const verdicts = Object.entries(turned).flatMap(([rule, one]) => {
    const verdict = readVerdict(one);
    return verdict === undefined ? [] : [[rule, verdict] as const];
  });
  const row: ProofMatrixRow = { kind, status: known, turned: Object.fromEntries(verdicts), red: listStrings(red) };
  const more = {
    follows: follows === undefined ? undefined : listStrings(follows),
    sampled: sampled === undefined ? undefined : listStrings(sampled),
  };
  return { ...row, ...omitUndefined(more) };
}

function parseProof(value: Json | undefined): Proof | undefined {
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return undefined;
  const row = parseRow(value);
  const { name, critical, wrong, ran, of } = value;
  const broken = {
    ...(critical === undefined ? {} : { critical: listStrings(critical) }),
    ...(value['whole'] === true ? { whole: true as const } : {}),
  };
  return row && { ...row, name, ...broken, wrong: listStrings(wrong), ran: readNumber(ran), of: readNumber(of) };
}

/** Rows by fault name, from a matrix that `prove` has written. */
export function parseProofMatrix(text: string): MatrixRows {
  const matrix = parseOwnJson(text);
  const rows = isJsonObject(matrix) && isJsonObject(matrix['rows']) ? Object.entries(matrix['rows']) : [];
  return new Map(
    rows.flatMap(([name, value]) => {
      const row = isJsonObject(value) ? parseRow(value) : undefined;
      return row === undefined ? [] : [[name, row] as const];
    }),
  );
}

/** Proofs that earlier runs of the same program and suites left in a file, by name. */
export function readProofs(file: string, key: string): ReadonlyMap<string, Proof> {
  if (!isThere(file)) return new Map();
  const proofs = readText(file, 'result')
    .split('\n')
    .flatMap((line) => {
      const kept = parseLine(line);
      return kept?.key === key ? [kept.proof] : [];
    });
  return new Map(proofs.map((proof) => [proof.name, proof]));
}

/** Undefined for a line that was cut off when the program ended. */
function parseLine(line: string): { readonly key: string; readonly proof: Proof } | undefined {
  const value = parseOwnJson(line);
  if (!isJsonObject(value) || typeof value['key'] !== 'string') return undefined;
  const proof = parseProof(value['proof']);
  return proof && { key: value['key'], proof };
}

/** Adds a proof to the file, so that the next run can reuse it. */
export const keepProof = (file: string, key: string, proof: Proof): void =>
  appendText(file, `${JSON.stringify({ key, proof })}\n`);
