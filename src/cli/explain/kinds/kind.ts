import type { Limits } from '../../../model/limit.ts';
import type { Rule } from '../../../model/rule.ts';
import type { Freedom } from '../../../prove/space/freedoms-grammar.ts';
import type { CarrierPositions } from '../../../setup/carrier-positions.ts';
import type { Case, Suites } from '../../../suite/suites.ts';
import { type Block, fact, head, nameOf, namesOf, paragraph } from '../blocks.ts';

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

/** One thing that has a name. */
export interface Entry {
  readonly name: string;
  /** One sentence, as `list` shows it. */
  readonly description: string;
  /** Other names of the same. */
  readonly aliases?: readonly string[];
  /** Columns of `list` between name and description, and members of its JSON. */
  readonly facts?: Readonly<Record<string, string>>;
  /** Words that are found too, and not shown. */
  readonly more?: string;
  /** What `explain` says of it. */
  readonly blocks: () => readonly Block[];
}

/** Things of one kind, such as faults. */
export interface Kind {
  /** `fault`, as `list --kind` takes it. */
  readonly name: string;
  /** `faults`, as messages say it. */
  readonly many: string;
  readonly entries: (world: World) => readonly Entry[];
}

export const defineKind = (kind: Kind): Kind => kind;

/** The first lines of a page: the name, what it is, and a sentence. */
export const headOf = (name: string, what: string, description?: string): readonly Block[] => [
  head(name, what),
  ...paragraph(description),
];

/** Names of a kind behind a label; nothing where there are none. */
export const idsFact = (label: string, kind: string, ids: Iterable<string>): readonly Block[] => {
  const all = [...new Set(ids)];
  return all.length === 0 ? [] : fact(label, [namesOf(kind, all)]);
};

/** Words behind a label; nothing where there are none. */
export const listFact = (label: string, words: readonly string[]): readonly Block[] =>
  words.length === 0 ? [] : fact(label, words.join(', '));

/** Rules with their sentences, an entry each. */
export const rulesFact = (label: string, ids: Iterable<string>, { rules }: Suites): readonly Block[] => {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return [...new Set(ids)].flatMap((id) => {
    const rule = byId.get(id);
    return fact(label, [nameOf('rule', id), rule === undefined ? '' : ` (${rule.level}): ${rule.description}`]);
  });
};

/** Names of cases without their rows. */
export const caseNames = (cases: readonly Case[]): readonly string[] => [
  ...new Set(cases.map(({ id }) => id.split('/')[0] ?? id)),
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds the name as a word of its own: `jti` is not in `jti_x`. */
const wordPattern = (name: string): RegExp => new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`);

export const hasWord = (text: string, name: string): boolean => text.includes(name) && wordPattern(name).test(text);

/** Rules whose text or clause has the name as a word. */
export const rulesThatName = (name: string, rules: readonly Rule[]): readonly Rule[] =>
  rules.filter(({ description, interpretation = '', clause, aspects }) =>
    [description, interpretation, clause, ...aspects.map((aspect) => aspect.description)].some((text) =>
      hasWord(text, name),
    ),
  );
