import type { Limits } from '../../../model/limit.ts';
import type { Rule } from '../../../model/rule.ts';
import type { Freedom } from '../../../prove/space/freedoms.ts';
import type { Page } from '../../../report/shared/layout.ts';
import { forTerminal } from '../../../report/shared/sanitize.ts';
import type { CarrierPositions } from '../../../setup/carrier-positions.ts';
import type { Case, Suites } from '../../../suite/suites.ts';

/** What names are looked up in; what takes time to read is read when a kind asks for it. */
export interface World {
  readonly suites: Suites;
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
  /** The page of `explain`. */
  readonly render: (page: Page) => readonly string[];
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
export const headOf =
  (page: Page) =>
  (name: string, what: string, description?: string): readonly string[] => [
    `${page.paint.bold(forTerminal(name))}  ${forTerminal(what)}`,
    ...page.paragraph(description),
  ];

/** A list of ids below a label; nothing where there are none. */
export const idsFact = (page: Page, label: string, ids: Iterable<string>): readonly string[] => {
  const all = [...new Set(ids)];
  return all.length === 0 ? [] : page.fact(label, all.join(', '));
};

/** Rules with their sentences, an entry each. */
export const rulesFact =
  (page: Page) =>
  (label: string, ids: Iterable<string>, { rules }: Suites): readonly string[] => {
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    return [...new Set(ids)].flatMap((id) => {
      const rule = byId.get(id);
      return page.fact(label, rule === undefined ? id : `${id} (${rule.level}): ${rule.description}`);
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
