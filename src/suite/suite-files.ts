import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isFile, listBelow } from '../files/look.ts';
import { refuseFile } from '../files/read.ts';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import type { Area } from '../model/interface.ts';
import type { Problem } from '../model/problem.ts';
import { checkSchema, grammarValidator } from './grammar/check-schema.ts';
import type { Grammar, ReadContext } from './grammar/grammar.ts';
import { documentRoot, type Parse, readYaml, type YamlDocument } from './yaml/document.ts';

export interface SuiteFile {
  readonly path: string;
  /** Name in problems and positions: relative to the working directory if below it. */
  readonly label: string;
  /** Relative to its suites folder, with slashes on every platform. */
  readonly name: string;
  /** Name of its folder. */
  readonly area: string;
  readonly kind: 'rules' | 'suite';
}

/** Finds files in the order of the areas; other areas follow by name. For the path of a suite, returns only that file. */
export async function findFiles(dir: string, areas: readonly Area[]): Promise<readonly SuiteFile[]> {
  if (isFile(dir)) {
    const only = toSuiteFile(dirname(dir), basename(dir));
    if (only !== undefined) return [only];
    throw refuseFile(dir, 'yaml', 'it is neither a folder nor a file of cases, such as x.suite.yaml');
  }
  const found = await listBelow(dir);
  const files = found.flatMap((name) => toSuiteFile(dir, name) ?? []);
  const rank = ({ area }: SuiteFile): number => {
    const found = areas.findIndex(({ name }) => name === area);
    return found === -1 ? areas.length : found;
  };
  return files.sort((left, right) => rank(left) - rank(right) || (left.name < right.name ? -1 : 1));
}

function toSuiteFile(dir: string, found: string): SuiteFile | undefined {
  const kind = basename(found) === 'rules.yaml' ? 'rules' : found.endsWith('.suite.yaml') ? 'suite' : undefined;
  if (kind === undefined) return undefined;
  const path = join(dir, found);
  return { path, label: pathLabel(path), name: found.split(sep).join('/'), area: basename(dirname(path)), kind };
}

export function pathLabel(path: string): string {
  const near = relative('', path);
  return near.startsWith('..') || isAbsolute(near) ? path : near.split(sep).join('/');
}

export interface FileToRead {
  readonly path: string;
  readonly label: string;
}

interface CheckedKind<Value> {
  readonly kind: string;
  readonly shape: Grammar<Value>;
  /** Context for templates outside cases and invariants, if the file has any. */
  readonly context?: ReadContext;
  /** Rewrites the tree before its schema is checked. */
  readonly rewrite?: (document: YamlDocument) => YamlDocument;
}

export interface ReadingServices {
  readonly report: (problem: Problem) => void;
  readonly parse: Parse;
}

export function readChecked<Value>(
  { path, label }: FileToRead,
  { kind, shape, context, rewrite }: CheckedKind<Value>,
  { report, parse }: ReadingServices,
): { readonly document: YamlDocument; readonly read: Value | undefined } {
  const written = readYaml(path, label, (text, file) => parse(text, file, kind));
  for (const problem of written.problems) report(problem);
  const document = rewrite === undefined || !written.readable ? written : rewrite(written);
  if (document.readable && document.isChecked !== true)
    for (const problem of checkSchema(document, grammarValidator(shape))) report(problem);
  return { document, read: shape.read(documentRoot(document), context) };
}

/** Case as written in its file; for a matrix, one row. */
export interface WrittenCase {
  readonly id: string;
  readonly json: JsonObject;
  readonly steps: readonly JsonObject[];
}

export interface WrittenSuites {
  readonly cases: readonly WrittenCase[];
}

type MatrixRowJson = JsonObject;

const wholeEachPattern = /^\{\{ ?each\.([\w-]+) ?\}\}$/;
const eachUses = /\beach\.([A-Za-z][\w-]*)/g;
const singleTemplatePattern = /^\{\{([^{}]*)\}\}$/;

/** Expression for a value; undefined if there is none. */
function toExpression(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  const expression = singleTemplatePattern.exec(value)?.[1]?.trim();
  if (expression !== undefined) return expression;
  return value.includes('{{') ? undefined : `'${value.replaceAll("'", "''")}'`;
}

class UnwritableCase extends Error {}

/** Replaces `each.…` in a step by the row's values. Throws UnwritableCase if that cannot be written. */
function applyRow(value: Json, free: JsonObject): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => applyRow(item, free));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, applyRow(member, free)]));
  }
  if (typeof value !== 'string' || !value.includes('each.')) return value;
  const whole = wholeEachPattern.exec(value)?.[1];
  if (whole !== undefined && free[whole] !== undefined) return free[whole];
  return value.replaceAll(eachUses, (_, name: string) => {
    const expression = toExpression(free[name]);
    if (expression === undefined) throw new UnwritableCase();
    return expression;
  });
}

/** Combines a step with a row: `authorize: each` takes the row, templates take its free values. */
function applyRowToStep(step: JsonObject, row: MatrixRowJson): JsonObject {
  const { with: given, receiver: _receiver, ...difference } = row;
  const free = isJsonObject(given) ? given : {};
  const taken = Object.entries(step).map(([key, value]) => [key, value === 'each' ? difference : value] as const);
  const written = applyRow(Object.fromEntries(taken), free);
  return isJsonObject(written) ? written : step;
}

function listRows(each: Json | undefined): readonly (readonly [name: string, row: MatrixRowJson])[] {
  if (!isJsonObject(each)) return [['', {}]];
  return Object.entries(each).flatMap(([name, row]) => (isJsonObject(row) ? [[name, row] as const] : []));
}

function writeCase(json: JsonObject, [name, row]: readonly [string, MatrixRowJson]): WrittenCase | undefined {
  const { id, steps, each: _each, ...others } = json;
  if (typeof id !== 'string' || !Array.isArray(steps)) return undefined;
  const own = (steps as readonly Json[]).filter(isJsonObject);
  // A step with `near` stands for many steps that the file does not contain.
  if (own.some((step) => 'near' in step)) return undefined;
  try {
    const written = own.map((step) => (name === '' ? step : applyRowToStep(step, row)));
    const { receiver = others['receiver'] } = row;
    const around = receiver === undefined ? others : { ...others, receiver };
    return { id: name === '' ? id : `${id}/${name}`, json: around, steps: written };
  } catch (error) {
    if (error instanceof UnwritableCase) return undefined;
    throw error;
  }
}

/** Lists the cases of a suite file, each row of a matrix separately. Leaves out cases that cannot stand alone. */
export function listWrittenCases(document: Json): readonly WrittenCase[] {
  const cases = isJsonObject(document) ? document['cases'] : undefined;
  if (!Array.isArray(cases)) return [];
  return (cases as readonly Json[])
    .filter(isJsonObject)
    .flatMap((json) => listRows(json['each']).flatMap((row) => writeCase(json, row) ?? []));
}
