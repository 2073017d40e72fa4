import { appendFileSync, existsSync } from 'node:fs';
import { isJsonObject, type Json, type JsonObject, parseOwnJson } from '../lib/json.ts';
import { readTextOf } from '../lib/read-file.ts';
import { type Verdict, severity } from '../model/verdict.ts';
import { type MatrixRow, type Proof, statuses } from './catalogue.ts';

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const textsOf = (value: Json | undefined): readonly string[] =>
  isList(value) ? value.filter((one) => typeof one === 'string') : [];
const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

const verdictOf = (value: Json): Verdict | undefined => severity.find((one) => one === value);

/** A row of a matrix; undefined where it is none. */
function parseRow({ kind, status, turned, red, follows }: JsonObject): MatrixRow | undefined {
  const known = statuses.find((one) => one === status);
  if ((kind !== 'fault' && kind !== 'variant') || known === undefined || !isJsonObject(turned)) return undefined;
  const verdicts = Object.entries(turned).flatMap(([rule, one]) => {
    const verdict = verdictOf(one);
    return verdict === undefined ? [] : [[rule, verdict] as const];
  });
  const row: MatrixRow = { kind, status: known, turned: Object.fromEntries(verdicts), red: textsOf(red) };
  return follows === undefined ? row : { ...row, follows: textsOf(follows) };
}

function parseProof(value: Json | undefined): Proof | undefined {
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return undefined;
  const row = parseRow(value);
  const { name, critical, wrong, ran, of } = value;
  const broken = critical === undefined ? {} : { critical: textsOf(critical) };
  return row && { ...row, name, ...broken, wrong: textsOf(wrong), ran: numberOf(ran), of: numberOf(of) };
}

/** Rows by the names of their faults, of a matrix that `prove` has written. */
export function parseMatrix(text: string): ReadonlyMap<string, MatrixRow> {
  const matrix = parseOwnJson(text);
  const rows = isJsonObject(matrix) && isJsonObject(matrix['rows']) ? Object.entries(matrix['rows']) : [];
  return new Map(
    rows.flatMap(([name, value]) => {
      const row = isJsonObject(value) ? parseRow(value) : undefined;
      return row === undefined ? [] : [[name, row] as const];
    }),
  );
}

/** The proofs that earlier starts of the very same program and suites have left in a file, by name. */
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

/** A line that was cut off as the program ended is none. */
function parseLine(line: string): { readonly key: string; readonly proof: Proof } | undefined {
  const value = parseOwnJson(line);
  if (!isJsonObject(value) || typeof value['key'] !== 'string') return undefined;
  const proof = parseProof(value['proof']);
  return proof && { key: value['key'], proof };
}

/** Adds a proof to the file, so that the next start need not make it again. */
export const keepProof = (file: string, key: string, proof: Proof): void =>
  appendFileSync(file, `${JSON.stringify({ key, proof })}\n`);
