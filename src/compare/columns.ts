import { defined } from '../lib/optional.ts';
import type { ResultFooter, ResultHeader, RuleResult } from '../model/result.ts';
import type { Column } from './comparison.ts';

/** A result as it goes into a comparison. */
export interface Entry {
  readonly file: string;
  readonly header: ResultHeader;
  readonly footer?: ResultFooter;
  readonly rules: readonly RuleResult[];
}

/** `A` to `Z`, then `AA`. */
export function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

/** Whether all results are of one carrier, by its name: the address of a test build and its target file change. */
export function isOverTime(entries: readonly Entry[]): boolean {
  return new Set(entries.map(({ header }) => header.target.name)).size === 1;
}

const dayOf = ({ header }: Entry): string => header.startedAt.slice(0, 10);
const momentOf = ({ header }: Entry): string => header.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

const areApart = (titles: readonly string[]): boolean => new Set(titles).size === titles.length;

/** The shortest titles that tell the results apart, else those that tell most. */
function titlesOf(entries: readonly Entry[]): readonly string[] {
  const name = ({ header }: Entry): string => header.target.name;
  const ways = isOverTime(entries)
    ? [dayOf, momentOf]
    : [name, (one: Entry) => `${name(one)}, ${dayOf(one)}`, (one: Entry) => `${name(one)}, ${momentOf(one)}`];
  const titles = ways.map((way) => entries.map(way));
  return titles.find(areApart) ?? titles.at(-1) ?? [];
}

/** The columns of a comparison, in the order given. */
export function columnsOf(entries: readonly Entry[]): readonly Column[] {
  const titles = titlesOf(entries);
  return entries.map(({ file, header, footer }, index) =>
    defined({ letter: letterOf(index), title: titles[index] ?? file, file, header, footer }),
  );
}
