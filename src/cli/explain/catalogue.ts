import { readPackageText } from '../../lib/package-file.ts';
import { readOnce } from '../../lib/lists.ts';
import { quoteWord } from '../../lib/shell.ts';
import type { Limits } from '../../model/limit.ts';
import type { Rule } from '../../model/rule.ts';
import type { Page } from '../../report/shared/layout.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { type CarrierPositions, readPositions } from '../../setup/carrier-positions.ts';
import { packageRoot } from '../../setup/paths.ts';
import { readLimits } from '../../setup/read-files.ts';
import type { Suites, Case } from '../../suite/suites.ts';
import { type Laboratory, type LabFreedom, type LabMatrix, openLaboratory } from '../shared/laboratory.ts';

/** Data in which names are looked up; the slow parts are read on demand. */
export interface NameCatalogue {
  readonly suites: Suites;
  readonly lab: Laboratory;
  /** End of printed commands, so that they find these suites: ` --suites my-suites`; empty for the shipped ones. */
  readonly flags: string;
  readonly limits: () => Limits;
  readonly freedoms: () => readonly LabFreedom[];
  readonly positions: () => CarrierPositions;
  /** The golden matrix: rules that each fault turns, and the rows and invariants that show them. */
  readonly matrix: () => LabMatrix;
  /** Names of the faults that turn a case, with its row, or an invariant red, by its id. */
  readonly detected: () => ReadonlyMap<string, readonly string[]>;
  /** Sentences of suites/decisions.md, by id. */
  readonly decisions: () => ReadonlyMap<string, string>;
}

/** Reads the tables of suites/decisions.md: the first cell is the id, the last the sentence. */
function readDecisions(): ReadonlyMap<string, string> {
  const text = readPackageText(`${packageRoot}/suites/decisions.md`);
  const rows = text.matchAll(/^\| ([PC]\d+(?:\.\d+)?) \|(?:.*\|)? ([^|]+) \|$/gm);
  return new Map([...rows].map(([, id = '', sentence = '']) => [id, sentence.replaceAll('`', '')] as const));
}

/** Builds the catalogue of these suites (`folders`: the additional ones) and the shipped data. */
export async function openCatalogue(suites: Suites, folders: readonly string[] = []): Promise<NameCatalogue> {
  const lab = await openLaboratory();
  const matrix = readOnce(() => lab.readGoldenMatrix().rows);
  return {
    suites,
    lab,
    flags: folders.map((folder) => ` --suites ${quoteWord(folder)}`).join(''),
    limits: readOnce(() => readLimits()),
    freedoms: readOnce(() => lab.readFreedoms()),
    positions: readOnce(() => readPositions(packageRoot)),
    matrix,
    detected: readOnce(() => lab.faultsByJudge(matrix())),
    decisions: readOnce(readDecisions),
  };
}

/** A label with a text or names; not shown if empty. */
export type EntryFact = readonly [label: string, value: string | readonly string[] | undefined];

export type EntrySection = (page: Page) => readonly string[];

/** A named thing: a row in `list`, a page in `explain`, a name in completion. */
export interface CatalogueEntry {
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  readonly aliases?: readonly string[];
  /** Columns of `list` between name and description, and members of its JSON. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Searchable words that lists do not show. */
  readonly more?: string;
  /** Follows the name in the first line of the page: `an error code of carrierspec`. */
  readonly is: string;
  /** Replaces the name at the start of the page. */
  readonly title?: string;
  /** Longer text for the page, replacing the description. */
  readonly text?: string;
  readonly facts?: () => readonly EntryFact[];
  readonly below?: EntrySection;
}

export type EntryKind = (catalogue: NameCatalogue) => readonly CatalogueEntry[];

/** Facts to copy: they are never wrapped. */
const unwrappedLabels: ReadonlySet<string> = new Set([
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

/** Length of a list of names, in characters; the names beyond it are counted. */
const mostNames = 1000;

function joinNames(names: readonly string[]): string {
  let length = 0;
  const shown = names.filter((name) => {
    length += name.length + 2;
    return length <= mostNames;
  });
  const left = names.length - shown.length;
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join(', ');
}

export const renderFacts = (page: Page, facts: readonly EntryFact[], indent = 2): readonly string[] =>
  facts.flatMap(([label, value]) => {
    if (typeof value !== 'string' && value !== undefined) {
      return value.length === 0 ? [] : page.fact(label, joinNames(value), { indent });
    }
    return page.fact(label, value, unwrappedLabels.has(label) ? { indent, whole: true } : { indent });
  });

/** Renders an entry; omits the description if the first line or a fact repeats it. */
export function renderEntry(
  page: Page,
  { name, title = name, is, description, text = description, facts, below }: CatalogueEntry,
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

export const rulesFacts = (label: string, ids: Iterable<string>, { rules }: Suites): readonly EntryFact[] =>
  [...new Set(ids)].map((id) => {
    const rule = rules.find((one) => one.id === id);
    return [label, rule === undefined ? id : `${id} (${rule.level}): ${rule.description}`];
  });

/** Case id without its row: `jti-kept` for `jti-kept/2m`. */
export const matrixId = (id: string): string => id.split('/')[0] ?? id;

export const matrixIds = (cases: readonly Case[]): readonly string[] => [
  ...new Set(cases.map(({ id }) => matrixId(id))),
];

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** True if the text contains the whole word: `jti` is not in `jti_x`. */
export const hasWord = (text: string, name: string): boolean =>
  text.includes(name) && new RegExp(`(?<![\\w-])${escapePattern(name)}(?![\\w-])`).test(text);

/** Ids of the rules whose text or clause contains the name as a whole word. */
export const rulesNaming = (name: string, rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(({ id, description, interpretation = '', clause, aspects }) => {
    const texts = [description, interpretation, clause, ...aspects.map((aspect) => aspect.description)];
    return texts.some((text) => hasWord(text, name)) ? [id] : [];
  });
