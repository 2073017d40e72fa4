import { Composer, type CST, Lexer, Parser } from 'yaml';
import { deepest, type TreeMistake } from './yaml-tree.ts';

/** What a YAML file is made of: names, values, signs, blanks and line ends. A suite of 5 MB has 1.7 million of them. */
const mostParts = 2_000_000;

/** Where there are too many, the first of them may show a plainer mistake. */
const beginning = 10_000;

/** Mistakes of syntax after which the rest of a file is not looked at: each costs more than what it is about. */
const mostMistakes = 100;

interface Composed {
  /** The root of the tree; undefined where there are mistakes. */
  readonly contents: unknown;
  readonly mistakes: readonly TreeMistake[];
}

/** Ends the reading of a file whose size is not what it costs. */
class Enough extends Error {}

interface Mistakes {
  readonly found: TreeMistake[];
  /** Notes a mistake. Throws where there are enough of them. */
  readonly note: (message: string, offset: number) => void;
  /** Notes a mistake, and throws. */
  readonly stop: (message: string, offset: number) => never;
}

function createMistakes(): Mistakes {
  const found: TreeMistake[] = [];
  const note: Mistakes['note'] = (message, offset) => {
    found.push({ code: 'yaml-syntax', message, offset });
    if (found.length >= mostMistakes) throw new Enough();
  };
  const stop: Mistakes['stop'] = (message, offset) => {
    found.push({ code: 'yaml-syntax', message, offset });
    throw new Enough();
  };
  return { found, note, stop };
}

/**
 * Composes the tree of one YAML document. Whatever the text is, that takes some seconds at most: it stops at the place where
 * there is more than a file of ours can need.
 */
export function compose(text: string): Composed {
  const mistakes = createMistakes();
  let contents: unknown = null;
  try {
    contents = composeOne(tokensOf(partsOf(text, mistakes), mistakes), mistakes);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return mistakes.found.length > 0 ? { contents: undefined, mistakes: mistakes.found } : { contents, mistakes: [] };
}

function partsOf(text: string, mistakes: Mistakes): readonly string[] {
  const parts: string[] = [];
  let offset = 0;
  for (const part of new Lexer().lex(text)) {
    if (parts.length === mostParts) {
      tokensOf(parts.slice(0, beginning), mistakes);
      mistakes.stop(`more than ${mostParts} names, values, signs and blanks`, offset);
    }
    parts.push(part);
    // Marks of the beginning and of the end of a scalar have no place in the text.
    if (!isMark(part)) offset += part.length;
  }
  return parts;
}

/** What the lexer puts between parts of the text. */
const isMark = (part: string): boolean => part === '\u0002' || part === '\u0018' || part === '\u001f';

/** The tokens of the text; collections that are nested too deep, and a second document, stop it. */
function tokensOf(parts: readonly string[], { note, stop }: Mistakes): readonly CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let isOver = false;
  let others = 0;
  const take = (token: CST.Token): void => {
    if (token.type === 'error') note(sentence(token.message), token.offset);
    else tokens.push(token);
    isOver ||= token.type === 'document';
    if (token.type === 'directive' || token.type === 'doc-end') others += 1;
    if (others > mostMistakes) stop('more directives and ends than one document can need', token.offset);
  };
  for (const part of parts) {
    for (const token of parser.next(part)) take(token);
    const { stack } = parser;
    if (isOver && stack[0]?.type === 'document') stop('a file holds one YAML document', stack[0].offset);
    // Found without recursion: composing them would end the process.
    const deep = stack[deepest + 1];
    if (deep !== undefined && 'items' in deep) stop(`nested more than ${deepest} levels deep`, deep.offset);
  }
  for (const token of parser.end()) take(token);
  return tokens;
}

/** What an error of the package is about. */
type Source = number | readonly number[] | { readonly offset: number };

/** Where that begins. */
function offsetOf(source: Source): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : (source[0] ?? 0);
}

function composeOne(tokens: readonly CST.Token[], { note }: Mistakes): unknown {
  // Duplicate keys are found while the tree is read: the package's own search takes quadratic time.
  const composer = new Composer({ uniqueKeys: false });
  // It keeps every error with its stack otherwise, and there may be millions.
  composer['onError'] = (source: Source, _: string, message: string) => note(sentence(message), offsetOf(source));
  let contents: unknown = null;
  for (const { contents: found, errors, warnings } of composer.compose(tokens)) {
    contents = found;
    for (const { message, pos } of [...errors, ...warnings]) note(sentence(message), pos[0]);
  }
  return contents;
}

function sentence(message: string): string {
  const [line = message] = message.split('\n');
  return line.length > 0 ? `${line.charAt(0).toLowerCase()}${line.slice(1)}` : line;
}
