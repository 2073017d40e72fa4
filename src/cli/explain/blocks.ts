import type { Json } from '../../lib/json.ts';
import type { Page, Tone } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';

/** Names of one kind, which a page can link; `shown` has as many of them as a terminal shows. */
export interface Names {
  /** As in `list --kind`. */
  readonly kind: string;
  readonly names: readonly string[];
  readonly shown: string;
}

/** A text, or parts of one that stand behind each other. */
export type Words = string | readonly (string | Names)[];

interface Text {
  readonly words: Words;
  /** Cells before it; deeper ones belong to what stands before them. */
  readonly indent: number;
  /** It is copied, so it stays on one line. */
  readonly whole?: boolean;
}

/**
 * What `explain` says, before it is set as lines or as JSON: the head, paragraphs, labels with their
 * texts, headings of sections with how many there are, and steps of a case.
 */
export type Block =
  | { readonly is: 'head'; readonly name: string; readonly about: readonly string[] }
  | ({ readonly is: 'paragraph'; readonly tone?: 'strong' | 'faint' } & Text)
  | ({ readonly is: 'fact'; readonly label: string } & Text)
  | { readonly is: 'heading'; readonly title: string; readonly count: string }
  | { readonly is: 'step'; readonly number: number; readonly name: string; readonly control: boolean }
  | { readonly is: 'gap' };

type Blocks = readonly Block[];
type Setting = Partial<Omit<Text, 'words'>>;

export const head = (name: string, ...about: readonly string[]): Block => ({ is: 'head', name, about });
export const heading = (title: string, count: string): Block => ({ is: 'heading', title, count });
export const gap: Block = { is: 'gap' };

/** A paragraph; nothing where there is no text. */
export function paragraph(
  words: Words | undefined,
  setting: Setting & { readonly tone?: 'strong' | 'faint' } = {},
): Blocks {
  return words === undefined ? [] : [{ is: 'paragraph', words, indent: 2, ...setting }];
}

/** A label and its text; nothing where there is no text. */
export function fact(label: string, words: Words | undefined, setting: Setting = {}): Blocks {
  return words === undefined ? [] : [{ is: 'fact', label, words, indent: 2, ...setting }];
}

/** Names of a kind as a part of a text. */
export const namesOf = (kind: string, names: readonly string[], shown = names.join(', ')): Names => ({
  kind,
  names,
  shown,
});

/** One name as a part of a text. */
export const nameOf = (kind: string, name: string, shown = name): Names => namesOf(kind, [name], shown);

const textOf = (words: Words): string =>
  typeof words === 'string' ? words : words.map((part) => (typeof part === 'string' ? part : part.shown)).join('');

const plain: Tone = (line) => line;

function setText(page: Page, block: Block & { readonly is: 'paragraph' }): readonly string[] {
  const { words, indent, tone, whole } = block;
  const painted = { strong: page.paint.bold, faint: page.paint.dim };
  const paint = tone === undefined ? plain : painted[tone];
  const text = textOf(words);
  return whole === true
    ? [' '.repeat(indent) + paint(forTerminal(text))]
    : page.paragraph(text, { indent, tone: paint });
}

function setBlock(page: Page, block: Block): readonly string[] {
  switch (block.is) {
    case 'head':
      return [[page.paint.bold(forTerminal(block.name)), ...block.about.map((one) => forTerminal(one))].join('  ')];
    case 'paragraph':
      return setText(page, block);
    case 'fact':
      return page.fact(block.label, textOf(block.words), {
        indent: block.indent,
        ...(block.whole === true ? { whole: true } : {}),
      });
    case 'heading':
      return page.heading(block.title, block.count);
    case 'step': {
      const control = block.control ? page.paint.yellow('  control') : '';
      return [`${String(block.number).padStart(2)}. ${forTerminal(block.name)}${control}`];
    }
    case 'gap':
      return [''];
  }
}

/** Blocks as lines of a terminal. */
export const setBlocks = (page: Page, blocks: Blocks): readonly string[] =>
  blocks.flatMap((block) => setBlock(page, block));

const jsonOfWords = (words: Words): Json =>
  typeof words === 'string' ? words : words.map((part) => (typeof part === 'string' ? part : { ...part }));

/** A block as `explain --json` has it. */
export const jsonOfBlock = (block: Block): Json =>
  'words' in block
    ? { ...block, words: jsonOfWords(block.words) }
    : block.is === 'head'
      ? { ...block, about: [...block.about] }
      : { ...block };
