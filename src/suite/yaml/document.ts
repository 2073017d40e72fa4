import { Composer, type CST, Lexer, Parser, stringify } from 'yaml';
import { refusalReason } from '../../files/file-error.ts';
import { readText } from '../../files/read.ts';
import { followPath, isJsonObject, isList, type Json, omitUndefined } from '../../lib/json.ts';
import type { Problem, ProblemCode } from '../../model/problem.ts';
import type { Position } from '../../model/rule.ts';
import { indexLines, offsetInside } from './positions.ts';
import { plainSyntaxWords } from './syntax-words.ts';
import {
  findPlaces,
  maxYamlDepth,
  type Path,
  placeOffset,
  readTree,
  type TreeMistake,
  type ValuePlaces,
} from './yaml-tree.ts';

/** Maximum tokens in a YAML file: names, values, signs, spaces and line ends. A suite of 5 MB has 1.7 million. */
const maxTokens = 2_000_000;

/** Tokens to parse if there are too many, because they may show a simpler mistake. */
const headTokens = 10_000;

/** Maximum syntax mistakes before the rest of a file is skipped, because each is expensive to report. */
const maxSyntaxMistakes = 100;

interface ComposedTree {
  /** Root of the tree; undefined if there are mistakes. */
  readonly contents: unknown;
  readonly mistakes: readonly TreeMistake[];
}

/** Thrown to stop reading a file that would take too long. */
class StopReading extends Error {}

interface MistakeCollector {
  readonly found: TreeMistake[];
  /** Notes a mistake. Throws if the maximum is reached. */
  readonly note: (message: string, offset: number) => void;
  /** Notes a mistake, and throws. */
  readonly stop: (message: string, offset: number) => never;
}

function createMistakes(): MistakeCollector {
  const found: TreeMistake[] = [];
  const note: MistakeCollector['note'] = (message, offset) => {
    found.push({ code: 'yaml-syntax', message, offset });
    if (found.length >= maxSyntaxMistakes) throw new StopReading();
  };
  const stop: MistakeCollector['stop'] = (message, offset) => {
    found.push({ code: 'yaml-syntax', message, offset });
    throw new StopReading();
  };
  return { found, note, stop };
}

/** Composes the tree of one YAML document, in bounded time for any text. */
function composeTree(text: string): ComposedTree {
  const mistakes = createMistakes();
  let contents: unknown = null;
  try {
    contents = composeDocument(parseTokens(lexParts(text, mistakes), mistakes), mistakes);
  } catch (error) {
    if (!(error instanceof StopReading)) throw error;
  }
  if (mistakes.found.length === 0) return { contents, mistakes: [] };
  return { contents: undefined, mistakes: firstOfLines(text, mistakes.found) };
}

function lexParts(text: string, mistakes: MistakeCollector): readonly string[] {
  const parts: string[] = [];
  let offset = 0;
  for (const part of new Lexer().lex(text)) {
    if (parts.length === maxTokens) {
      parseTokens(parts.slice(0, headTokens), mistakes);
      mistakes.stop(`more than ${maxTokens} names, values, signs and blanks`, offset);
    }
    parts.push(part);
    // The lexer's marks are not part of the text.
    if (!isMark(part)) offset += part.length;
  }
  return parts;
}

/** Whether a part is a mark that the lexer inserted. */
const isMark = (part: string): boolean => part === '\u0002' || part === '\u0018' || part === '\u001f';

/** Parses the lexer's parts into tokens; stops at nesting that is too deep and at a second document. */
function parseTokens(parts: readonly string[], { note, stop }: MistakeCollector): readonly CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let isOver = false;
  let others = 0;
  const take = (token: CST.Token): void => {
    if (token.type === 'error') note(plainSyntaxWords(token.message), token.offset);
    else tokens.push(token);
    isOver ||= token.type === 'document';
    if (token.type === 'directive' || token.type === 'doc-end') others += 1;
    if (others > maxSyntaxMistakes) stop('more directives and ends than one document can need', token.offset);
  };
  for (const part of parts) {
    for (const token of parser.next(part)) take(token);
    const { stack } = parser;
    if (isOver && stack[0]?.type === 'document') stop('a file holds one YAML document', stack[0].offset);
    // Checked here, because composing deep nesting recursively would crash the process.
    const deep = stack[maxYamlDepth + 1];
    if (deep !== undefined && 'items' in deep) stop(`nested more than ${maxYamlDepth} levels deep`, deep.offset);
  }
  for (const token of parser.end()) take(token);
  return tokens;
}

/** Position argument of a yaml error. */
type YamlErrorSource = number | readonly number[] | { readonly offset: number };

function sourceOffset(source: YamlErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : (source[0] ?? 0);
}

function composeDocument(tokens: readonly CST.Token[], { note }: MistakeCollector): unknown {
  // Duplicate keys are found while reading the tree, because the package's own search takes quadratic time.
  const composer = new Composer({ uniqueKeys: false });
  // It would otherwise keep every error with its stack, and there may be millions.
  composer['onError'] = (source: YamlErrorSource, _: string, message: string) =>
    note(plainSyntaxWords(message), sourceOffset(source));
  let contents: unknown = null;
  for (const { contents: found, errors, warnings } of composer.compose(tokens)) {
    contents = found;
    for (const { message, pos } of [...errors, ...warnings]) note(plainSyntaxWords(message), pos[0]);
  }
  return contents;
}

/** The first mistake of each line, because the others follow from it, and each tag; each at the text, if it is before that. */
function firstOfLines(text: string, mistakes: readonly TreeMistake[]): readonly TreeMistake[] {
  const kept: TreeMistake[] = [];
  const blanks = / */y;
  for (const one of mistakes.toSorted((left, right) => left.offset - right.offset)) {
    const before = kept.at(-1);
    const isAlone = before === undefined || one.message.startsWith('unresolved tag');
    if (!isAlone && !text.slice(before.offset, one.offset).includes('\n')) continue;
    blanks.lastIndex = one.offset;
    blanks.test(text);
    kept.push({ ...one, offset: blanks.lastIndex });
  }
  return kept;
}

/** Renders a JSON value as a YAML file for people. */
export function writeYaml(value: Json): string {
  return stringify(value, {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  });
}

/** Mistake with its position, before its source line is added. */
export interface Mistake {
  readonly code: ProblemCode;
  readonly message: string;
  readonly position: Position;
  readonly hint?: string | undefined;
}

/** YAML file as plain JSON, with the place of every key and value. */
export interface YamlDocument {
  readonly file: string;
  readonly json: Json;
  readonly problems: readonly Problem[];
  /** False if the text is not YAML; `json` is then not what the author wrote. */
  readonly readable: boolean;
  /** True if a build checked it against the schema of its kind. */
  readonly isChecked?: true;
  readonly places: ValuePlaces;
  /** Position of the value at a path, or of its nearest existing parent. */
  readonly position: (path: Path) => Position;
  /** Position of the key of a path, or of the value if it has no key. */
  readonly keyPosition: (path: Path) => Position;
  /** Position of one character of the string at a path. */
  readonly positionInside: (path: Path, index: number) => Position;
  readonly problem: (mistake: Mistake) => Problem;
  /** Position of an offset in the text. */
  readonly positionAt: (offset: number) => Position;
  /** The same text with a rewritten tree, whose places are offsets in it. */
  readonly rewritten: (tree: { readonly json: Json; readonly places: ValuePlaces }) => YamlDocument;
}

/** Parses a text; `kind` is the kind of file. */
export type Parse = (text: string, file: string, kind: string) => YamlDocument;

/** Reads a YAML file. Never throws: mistakes are in `problems`, which name the file `file`. */
export function readYaml(
  path: string,
  file: string = path,
  parse: (text: string, file: string) => YamlDocument = parseYaml,
): YamlDocument {
  try {
    return parse(readText(path, 'yaml'), file);
  } catch (error) {
    return unreadableDocument(file, refusalReason(error));
  }
}

function unreadableDocument(file: string, message: string): YamlDocument {
  const nowhere: Position = { file, line: 1, column: 1 };
  const problem: Problem = { code: 'file-unreadable', message, position: nowhere };
  return {
    file,
    json: null,
    problems: [problem],
    readable: false,
    places: 0,
    position: () => nowhere,
    keyPosition: () => nowhere,
    positionInside: () => nowhere,
    problem: ({ code, message: text }) => ({ code, message: text, position: nowhere }),
    positionAt: () => nowhere,
    rewritten: () => unreadableDocument(file, message),
  };
}

export function parseYaml(text: string, file: string): YamlDocument {
  const { contents, mistakes } = composeTree(text);
  const tree = readTree(contents);
  return makeDocument(text, file, mistakes.length > 0 ? { ...tree, mistakes } : tree);
}

/** Makes the document of a text that was parsed now or by a build. */
export function makeDocument(
  text: string,
  file: string,
  { json, places, mistakes }: ReturnType<typeof readTree>,
): YamlDocument {
  const lines = indexLines(text, file);
  const problem = ({ code, message, position, hint }: Mistake): Problem => ({
    code,
    message,
    position,
    ...omitUndefined({ hint }),
    sourceLine: lines.line(position.line),
  });
  const treeDocument = (
    tree: { readonly json: Json; readonly places: ValuePlaces },
    found: readonly TreeMistake[],
  ): YamlDocument => {
    const offset = (path: Path): number => placeOffset(findPlaces(tree.places, path).places);
    return {
      file,
      json: tree.json,
      places: tree.places,
      problems: found.map((one) => problem({ ...one, position: lines.position(one.offset) })),
      readable: !found.some(({ code }) => code === 'yaml-syntax'),
      position: (path) => lines.position(offset(path)),
      keyPosition: (path) => lines.position(Number(findPlaces(tree.places, path).key ?? offset(path))),
      positionInside: (path, index) => {
        const value = followPath(tree.json, path.map(String));
        return lines.position(offsetInside(text, { start: offset(path), value }, index));
      },
      problem,
      positionAt: (at) => lines.position(at),
      rewritten: (other) => treeDocument(other, []),
    };
  };
  return treeDocument({ json, places }, mistakes);
}

/** Value in a YAML file with its place; `value` is undefined if there is none. */
export interface Cursor {
  readonly document: YamlDocument;
  readonly path: Path;
  readonly value: Json | undefined;
}

export const documentRoot = (document: YamlDocument): Cursor => ({ document, path: [], value: document.json });

export function at(cursor: Cursor, key: string): Cursor {
  const { value } = cursor;
  const found = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return { document: cursor.document, path: [...cursor.path, key], value: found };
}

/** Entries of a mapping; empty for another type, which the schema has reported. */
export function entries(cursor: Cursor): readonly (readonly [string, Cursor])[] {
  return isJsonObject(cursor.value) ? Object.keys(cursor.value).map((key) => [key, at(cursor, key)] as const) : [];
}

/** Items of a list; empty for another type. */
export function items(cursor: Cursor): readonly Cursor[] {
  const { document, path, value } = cursor;
  return isList(value) ? value.map((item, index) => ({ document, path: [...path, index], value: item })) : [];
}

/** Items of a list, or a single value as a list of one. */
export function listOrSingle(cursor: Cursor): readonly Cursor[] {
  if (cursor.value === undefined) return [];
  return isList(cursor.value) ? items(cursor) : [cursor];
}

export const cursorText = (cursor: Cursor): string | undefined =>
  typeof cursor.value === 'string' ? cursor.value : undefined;

export const place = (cursor: Cursor): Position => cursor.document.position(cursor.path);

export const keyPlace = (cursor: Cursor): Position => cursor.document.keyPosition(cursor.path);
