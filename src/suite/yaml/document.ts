import { whyNot } from '../../lib/errors.ts';
import { isJsonObject, type Json, isList } from '../../lib/json.ts';
import { defined } from '../../lib/optional.ts';
import { readFileOf } from '../../lib/read-file.ts';
import type { Position } from '../../model/position.ts';
import type { Problem, ProblemCode } from '../../model/problem.ts';
import { compose } from './compose.ts';
import { linesOf, offsetInside } from './positions.ts';
import { offsetOf, type Path, readTree } from './yaml-tree.ts';
import { stringify } from 'yaml';

/** A JSON value as a YAML file that people read. */
export function writeYaml(value: Json): string {
  return stringify(value, {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  });
}

/** What is wrong at a position, before its source line is added. */
export interface Mistake {
  readonly code: ProblemCode;
  readonly message: string;
  readonly position: Position;
  readonly hint?: string | undefined;
}

/** A YAML file as plain JSON, with the place of every key and value. Drop it once the file is compiled: it holds the tree. */
export interface YamlDocument {
  readonly file: string;
  readonly json: Json;
  readonly problems: readonly Problem[];
  /** False where the text is no YAML: what `json` holds then is not what the author wrote. */
  readonly readable: boolean;
  /** True where a build held it against the schema of its kind. */
  readonly isChecked?: true;
  /** Offsets in the text, as `position` and `keyPosition` name them by line and column. */
  readonly offset: (path: Path) => number;
  readonly keyOffset: (path: Path) => number;
  /** Where the value at a path begins, or its nearest parent that exists. */
  readonly position: (path: Path) => Position;
  /** Where the key of a path stands; of the value where it has none. */
  readonly keyPosition: (path: Path) => Position;
  /** Where one character of the string at a path stands. */
  readonly positionInside: (path: Path, index: number) => Position;
  readonly problem: (mistake: Mistake) => Problem;
}

/** Makes a document of a text; `kind` is the kind of file. */
export type Parse = (text: string, file: string, kind: string) => YamlDocument;

/** Reads a YAML file; what is wrong with it is in `problems`, never thrown. `file` is how it is named in them. */
export function readYaml(
  path: string,
  file: string = path,
  parse: (text: string, file: string) => YamlDocument = parseYaml,
): YamlDocument {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileOf(path, 'yaml')), file);
  } catch (error) {
    return unreadable(file, reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'not UTF-8';
  return whyNot('read', error);
}

function unreadable(file: string, message: string): YamlDocument {
  const nowhere: Position = { file, line: 1, column: 1 };
  const problem: Problem = { code: 'file-unreadable', message, position: nowhere };
  return {
    file,
    json: null,
    problems: [problem],
    readable: false,
    offset: () => 0,
    keyOffset: () => 0,
    position: () => nowhere,
    keyPosition: () => nowhere,
    positionInside: () => nowhere,
    problem: ({ code, message: text }) => ({ code, message: text, position: nowhere }),
  };
}

export function parseYaml(text: string, file: string): YamlDocument {
  const lines = linesOf(text, file);
  const problem = ({ code, message, position, hint }: Mistake): Problem => ({
    code,
    message,
    position,
    ...defined({ hint }),
    sourceLine: lines.line(position.line),
  });
  const { contents, mistakes: syntax } = compose(text);
  const tree = readTree(contents);
  const mistakes = syntax.length > 0 ? syntax : tree.mistakes;
  const offset = (path: Path): number => offsetOf(tree.find(path).node);
  const keyOffset = (path: Path): number => {
    const { key, node } = tree.find(path);
    return offsetOf(key ?? node);
  };
  return {
    file,
    json: tree.json,
    problems: mistakes.map((one) => problem({ ...one, position: lines.position(one.offset) })),
    readable: !mistakes.some(({ code }) => code === 'yaml-syntax'),
    offset,
    keyOffset,
    position: (path) => lines.position(offset(path)),
    keyPosition: (path) => lines.position(keyOffset(path)),
    positionInside: (path, index) => lines.position(offsetInside(text, tree.find(path).node, index)),
    problem,
  };
}

/** A value of a YAML file together with its place; `value` is undefined where there is none. */
export interface Cursor {
  readonly document: YamlDocument;
  readonly path: Path;
  readonly value: Json | undefined;
}

export function rootOf(document: YamlDocument): Cursor {
  return { document, path: [], value: document.json };
}

export function at(cursor: Cursor, key: string): Cursor {
  const { value } = cursor;
  const found = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return { document: cursor.document, path: [...cursor.path, key], value: found };
}

/** The entries of a mapping; none where it is something else, which the schema has reported. */
export function entries(cursor: Cursor): readonly (readonly [string, Cursor])[] {
  return isJsonObject(cursor.value) ? Object.keys(cursor.value).map((key) => [key, at(cursor, key)] as const) : [];
}

/** The items of a list; none where it is something else. */
export function items(cursor: Cursor): readonly Cursor[] {
  const { document, path, value } = cursor;
  return isList(value) ? value.map((item, index) => ({ document, path: [...path, index], value: item })) : [];
}

/** A list, or the one value that stands for a list of it. */
export function oneOrMore(cursor: Cursor): readonly Cursor[] {
  if (cursor.value === undefined) return [];
  return isList(cursor.value) ? items(cursor) : [cursor];
}

export function text(cursor: Cursor): string | undefined {
  return typeof cursor.value === 'string' ? cursor.value : undefined;
}

export function place(cursor: Cursor): Position {
  return cursor.document.position(cursor.path);
}

export function keyPlace(cursor: Cursor): Position {
  return cursor.document.keyPosition(cursor.path);
}
