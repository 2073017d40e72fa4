import type { Problem } from '../model/problem.ts';
import { checkSchema, validatorOf } from './grammar/check-schema.ts';
import type { Grammar, ReadContext } from './grammar/grammar.ts';
import { rootOf } from './yaml/cursor.ts';
import { type Parse, readYaml, type YamlDocument } from './yaml/document.ts';

/** A file, and how problems and positions name it. */
export interface FileToRead {
  readonly path: string;
  readonly label: string;
}

/** Kind of a file, and its shape. */
export interface FileKind<Value> {
  readonly kind: string;
  readonly shape: Grammar<Value>;
  /** Reads the templates of the file, where it has any outside cases and invariants. */
  readonly context?: ReadContext;
}

export interface Reports {
  readonly report: (problem: Problem) => void;
  readonly parse: Parse;
}

/** Reads a file and holds it against its schema. */
export function readChecked<Value>(
  { path, label }: FileToRead,
  { kind, shape, context }: FileKind<Value>,
  { report, parse }: Reports,
): { readonly document: YamlDocument; readonly read: Value | undefined } {
  const document = readYaml(path, label, (text, file) => parse(text, file, kind));
  for (const problem of document.problems) report(problem);
  if (document.readable && document.isChecked !== true)
    for (const problem of checkSchema(document, validatorOf(shape))) report(problem);
  return { document, read: shape.read(rootOf(document), context) };
}
