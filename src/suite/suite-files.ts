import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isFile, listBelow } from '../files/look.ts';
import { refuseFile } from '../files/read.ts';
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

/** Files beside the suites of a folder, which may stand there alone. */
const sharedFile = /^(?:base-[\w-]+|limits|near-misses|steps)\.yaml$/;

/** Finds files in the order of the areas; other areas follow by name. For the path of a suite, returns only that file. */
export async function findFiles(dir: string, areas: readonly Area[]): Promise<readonly SuiteFile[]> {
  if (isFile(dir)) {
    const only = toSuiteFile(dirname(dir), basename(dir));
    if (only !== undefined) return [only];
    throw refuseFile(dir, 'yaml', 'it is neither a folder nor a file of cases, such as x.suite.yaml');
  }
  const found = await listBelow(dir);
  const files = found.flatMap((name) => toSuiteFile(dir, name) ?? []);
  const [unread] = found.filter((name) => /\.ya?ml$/.test(name) && !sharedFile.test(name));
  if (files.length === 0 && unread !== undefined)
    throw refuseFile(dir, 'yaml', `${unread} is not read, and nothing is: cases stand in a file such as x.suite.yaml`);
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
