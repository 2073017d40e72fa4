import { appendFileSync, existsSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject, parseOwnJson, textsIn, defined } from '../lib/json.ts';
import { readTextOf } from '../lib/read-file.ts';
import { type Verdict, severity } from '../model/rule.ts';
import { isRed, type Proof, statuses } from './catalogue.ts';

/** Proof of a fault or variant without the parts that depend on the size of the suites. */
export type MatrixRow = Pick<Proof, 'kind' | 'status' | 'turned' | 'red' | 'follows' | 'sampled'>;

/** Rows by fault name. */
export type Rows = ReadonlyMap<string, MatrixRow>;

export interface Matrix {
  readonly format: 'carrierspec-matrix';
  readonly version: 1;
  readonly rows: Readonly<Record<string, MatrixRow>>;
}

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Rows of proofs by name, with sorted rules and cases. */
export const rowsOf = (proofs: readonly Proof[]): Rows =>
  new Map(
    proofs.map(({ name, kind, status, turned, red, follows, sampled, whole }) => {
      const rules = Object.entries(turned).filter(([, verdict]) => whole !== true || isRed(verdict));
      const cases = whole === true ? { red: [] } : { red: red.toSorted(), ...defined({ follows, sampled }) };
      return [name, { kind, status, turned: sorted(Object.fromEntries(rules)), ...cases }];
    }),
  );

export function renderMatrix(rows: Rows): string {
  const matrix: Matrix = { format: 'carrierspec-matrix', version: 1, rows: sorted(Object.fromEntries(rows)) };
  return `${JSON.stringify(matrix, null, 1)}\n`;
}

export interface DifferentRow {
  readonly name: string;
  readonly words: readonly string[];
}

/** Rules that turn differently in the other row, or not at all: `REQ-015 warn`. */
const lackedBy = (other: MatrixRow, { turned }: MatrixRow, counts: (verdict: Verdict) => boolean): readonly string[] =>
  Object.entries(turned).flatMap(([rule, verdict]) =>
    other.turned[rule] === verdict || !counts(verdict) ? [] : [`${rule} ${verdict}`],
  );

function compareRow(here: MatrixRow, golden: MatrixRow): readonly string[] {
  const { sampled } = here;
  // Cases that did not run may be red, and give further rules no verdict, or another than informational.
  const more = [
    ...lackedBy(golden, here, (verdict) => sampled === undefined || verdict !== 'informational'),
    ...here.red.filter((name) => !golden.red.includes(name)),
  ];
  const fewer = [
    ...lackedBy(here, golden, (verdict) => sampled === undefined || isRed(verdict)),
    ...golden.red.filter((name) => !here.red.includes(name) && sampled?.includes(name) !== false),
  ];
  return [
    ...(here.status === golden.status ? [] : [`${here.status} here, ${golden.status} in the matrix`]),
    ...(more.length > 0 ? [`here, and not in the matrix: ${more.join(', ')}`] : []),
    ...(fewer.length > 0 ? [`in the matrix, and not here: ${fewer.join(', ')}`] : []),
  ];
}

/** Rows that differ from a golden matrix; after a sample, red cases may be missing. */
export const differentRows = (rows: Rows, golden: Rows): readonly DifferentRow[] =>
  [...rows].flatMap(([name, row]) => {
    const known = golden.get(name);
    const words = known === undefined ? ['the matrix has no such row'] : compareRow(row, known);
    return words.length === 0 ? [] : [{ name, words }];
  });

/** Golden matrix with these rows. A sample without a difference keeps the old row. */
export function updateRows(golden: Rows, rows: Rows): Rows {
  const different = new Set(differentRows(rows, golden).map(({ name }) => name));
  const isNews = ([name, { sampled }]: readonly [string, MatrixRow]): boolean =>
    different.has(name) || sampled === undefined;
  return new Map([...golden, ...[...rows].filter(isNews)]);
}

const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

const verdictOf = (value: Json): Verdict | undefined => severity.find((one) => one === value);

function parseRow({ kind, status, turned, red, follows, sampled }: JsonObject): MatrixRow | undefined {
  const known = statuses.find((one) => one === status);
  if ((kind !== 'fault' && kind !== 'variant') || known === undefined || !isJsonObject(turned)) return undefined;
  const verdicts = Object.entries(turned).flatMap(([rule, one]) => {
    const verdict = verdictOf(one);
    return verdict === undefined ? [] : [[rule, verdict] as const];
  });
  const row: MatrixRow = { kind, status: known, turned: Object.fromEntries(verdicts), red: textsIn(red) };
  const more = {
    follows: follows === undefined ? undefined : textsIn(follows),
    sampled: sampled === undefined ? undefined : textsIn(sampled),
  };
  return { ...row, ...defined(more) };
}

function parseProof(value: Json | undefined): Proof | undefined {
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return undefined;
  const row = parseRow(value);
  const { name, critical, wrong, ran, of } = value;
  const broken = {
    ...(critical === undefined ? {} : { critical: textsIn(critical) }),
    ...(value['whole'] === true ? { whole: true as const } : {}),
  };
  return row && { ...row, name, ...broken, wrong: textsIn(wrong), ran: numberOf(ran), of: numberOf(of) };
}

/** Rows by fault name, from a matrix that `prove` has written. */
export function parseMatrix(text: string): Rows {
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
  if (!existsSync(file)) return new Map();
  const proofs = readTextOf(file, 'result')
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
  appendFileSync(file, `${JSON.stringify({ key, proof })}\n`);
