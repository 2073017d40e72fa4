import { readPacked } from '../../lib/package-file.ts';
import { quoteWord } from '../../lib/shell.ts';
import type { Limits } from '../../model/limit.ts';
import type { Rule } from '../../model/rule.ts';
import { type Freedom, readFreedoms } from '../../prove/space/freedoms.ts';
import type { Page } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { type CarrierPositions, readPositions } from '../../setup/carrier-positions.ts';
import { packageRoot, shownFaults } from '../../setup/paths.ts';
import { readLimits } from '../../setup/read.ts';
import type { Suites, Case } from '../../suite/suites.ts';
import { readFileSync } from 'node:fs';

/** What names are looked up in; what takes time to read is read when a kind asks for it. */
export interface World {
  readonly suites: Suites;
  /** What a printed command has to end with to find them: ` --suites my-suites`; empty for those that ship. */
  readonly flags: string;
  readonly limits: () => Limits;
  readonly freedoms: () => readonly Freedom[];
  readonly positions: () => CarrierPositions;
  /** Cases that turn red with a fault, by its name, as the last proof saw them. */
  readonly shown: () => ReadonlyMap<string, readonly string[]>;
  /** The sentences of docs/corrections.md, by their ids. */
  readonly decisions: () => ReadonlyMap<string, string>;
}

function lazily<T>(read: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: read() };
    return kept.value;
  };
}

/** The ids of the cases that turn red with each fault, as the build has read them in the golden matrix. */
function readRed(): ReadonlyMap<string, readonly string[]> {
  const packed = readPacked(shownFaults);
  const faults = typeof packed === 'object' && packed !== null ? Object.entries(packed) : [];
  return new Map(
    faults.map(([name, red]: readonly [string, unknown]) => [name, Array.isArray(red) ? red.map(String) : []] as const),
  );
}

/** The tables of docs/corrections.md: the id is the first cell, the sentence the last. */
function readDecisions(): ReadonlyMap<string, string> {
  const text = readFileSync(`${packageRoot}/docs/corrections.md`, 'utf8');
  const rows = text.matchAll(/^\| ([PC]\d+(?:\.\d+)?) \|(?:.*\|)? ([^|]+) \|$/gm);
  return new Map([...rows].map(([, id = '', sentence = '']) => [id, sentence.replaceAll('`', '')] as const));
}

/** What names are looked up in: these suites, read from further folders as well, and what ships. */
export const worldOf = (suites: Suites, folders: readonly string[] = []): World => ({
  suites,
  flags: folders.map((folder) => ` --suites ${quoteWord(folder)}`).join(''),
  limits: lazily(() => readLimits()),
  freedoms: lazily(() => readFreedoms()),
  positions: lazily(() => readPositions(packageRoot)),
  shown: lazily(readRed),
  decisions: lazily(readDecisions),
});

/** A label with a text, or with names; nothing is shown where there is no text and no name. */
export type Fact = readonly [label: string, value: string | readonly string[] | undefined];

export type Section = (page: Page) => readonly string[];

/** One thing that has a name: `list` shows a row of it, `explain` a page, and completion its name. */
export interface Entry {
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  readonly aliases?: readonly string[];
  /** Columns of `list` between name and description, and members of its JSON. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Words that a search finds and no list shows. */
  readonly more?: string;
  /** Words behind the name in the first line of its page: `an error code of carrierspec`. */
  readonly is: string;
  /** The first words of its page, where they are not the name. */
  readonly title?: string;
  /** More than the sentence, which its page has in its place. */
  readonly text?: string;
  readonly facts?: () => readonly Fact[];
  readonly below?: Section;
}

export type Kind = (world: World) => readonly Entry[];

/** Facts that a reader copies: they stay on one line. */
const copied: ReadonlySet<string> = new Set([
  'find it',
  'list',
  'more',
  'prove it',
  'run it',
  'see it fail',
  'see it hold',
  'send it',
  'try yours',
  'where',
]);

export const renderFacts = (page: Page, facts: readonly Fact[], indent = 2): readonly string[] =>
  facts.flatMap(([label, value]) => {
    if (typeof value !== 'string' && value !== undefined) {
      return value.length === 0 ? [] : page.fact(label, value.join(', '), { indent });
    }
    return page.fact(label, value, copied.has(label) ? { indent, whole: true } : { indent });
  });

/** The page of an entry; its description is left out where the first line or a fact has it. */
export function renderEntry(
  page: Page,
  { name, title = name, is, description, text = description, facts, below }: Entry,
): string {
  const all = facts?.() ?? [];
  const isSaid = is.startsWith(text) || all.some(([, value]) => value === text);
  const lines = [
    `${page.paint.bold(forTerminal(title))}  ${forTerminal(is)}`,
    ...(isSaid ? [] : [...page.paragraph(text), ...(all.length > 0 ? [''] : [])]),
    ...renderFacts(page, all),
    ...(below?.(page) ?? []),
  ];
  return lines.join('\n');
}

export const rulesFacts = (label: string, ids: Iterable<string>, { rules }: Suites): readonly Fact[] =>
  [...new Set(ids)].map((id) => {
    const rule = rules.find((one) => one.id === id);
    return [label, rule === undefined ? id : `${id} (${rule.level}): ${rule.description}`];
  });

/** `jti-kept` of `jti-kept/2m`: a case without its row. */
export const matrixOf = (id: string): string => id.split('/')[0] ?? id;

export const caseNames = (cases: readonly Case[]): readonly string[] => [
  ...new Set(cases.map(({ id }) => matrixOf(id))),
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a text has the name as a word: `jti` is not in `jti_x`. */
export const hasWord = (text: string, name: string): boolean =>
  text.includes(name) && new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`).test(text);

/** Ids of the rules whose text or clause has the name as a word. */
export const rulesThatName = (name: string, rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(({ id, description, interpretation = '', clause, aspects }) => {
    const texts = [description, interpretation, clause, ...aspects.map((aspect) => aspect.description)];
    return texts.some((text) => hasWord(text, name)) ? [id] : [];
  });
