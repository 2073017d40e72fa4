import type { Facts, Units } from './units.ts';

/** One term of a search: a word, or a field with prefixes of its value; one of them must match. */
export interface Term {
  readonly field: FieldName | undefined;
  readonly values: readonly string[];
  readonly isNegated: boolean;
}

export type FieldName = 'is' | 'area' | 'level' | 'rule' | 'case' | 'kind' | 'endpoint' | 'status';

export const fieldWords: readonly (readonly [name: FieldName, words: string, example: string])[] = [
  ['is', 'the verdict of the rule', 'is:fail,warn'],
  ['level', 'the level of the rule', 'level:required'],
  ['area', 'the area of the rule', 'area:events'],
  ['rule', 'the id of the rule', 'rule:EVT-0'],
  ['case', 'the name of a case that judges it', 'case:jti-'],
  ['kind', 'what such a case sent, or what came in', 'kind:event'],
  ['endpoint', 'the path of what it sent, or of what came in', 'endpoint:/bc-authorize'],
  ['status', 'the HTTP status of a response', 'status:4'],
];

const maxTerms = 20;
const maxSearchLength = 1000;

/** A quotation mark at the start of a word or value holds the text together up to the closing one. */
const termPattern = /\s*(-?)(?:([a-z]+):(?!\/\/))?(?:"(.*?)(?:"(?=\s|$)|$)|([^\s"]\S*)|(?=\s|$))/giy;

const fieldNamed = (name: string): FieldName | undefined => fieldWords.find(([field]) => field === name)?.[0];

/** Makes a term from a match; an unknown field becomes a word. */
function makeTerm([, minus, name, quoted, plain = '']: RegExpExecArray): { term: Term; strange: string | undefined } {
  const isNegated = minus === '-';
  const field = name === undefined ? undefined : fieldNamed(name);
  const value = (quoted ?? plain).toLowerCase();
  if (field === undefined) {
    const word = name === undefined ? value : `${name}:${value}`;
    return { term: { field, values: word === '' ? [] : [word], isNegated }, strange: name };
  }
  const values = quoted === undefined ? value.split(',') : [value];
  return { term: { field, values: values.filter(Boolean), isNegated }, strange: undefined };
}

/** Parses a search into terms in lower case, which must all match, and unknown fields. */
export function parseSearch(text: string): { terms: readonly Term[]; strange: readonly string[] } {
  termPattern.lastIndex = 0;
  const search = text.slice(0, maxSearchLength).trim().toLowerCase();
  const terms: Term[] = [];
  const strange: string[] = [];
  while (termPattern.lastIndex < search.length && terms.length < maxTerms) {
    const found = termPattern.exec(search);
    if (found === null || found[0] === '') break;
    const { term, strange: name } = makeTerm(found);
    if (term.field !== undefined || term.values.length > 0) terms.push(term);
    if (name !== undefined) strange.push(name);
  }
  return { terms, strange };
}

const valuesOf = (word: string | undefined): readonly string[] =>
  word === undefined
    ? []
    : word
        .slice(word.indexOf(':') + 1)
        .split(',')
        .filter(Boolean);

/** The search with a value of a field added, or without it if it has it; `has` tells which. */
export function toggleValue(search: string, field: string, value: string) {
  const words = search.split(' ').filter(Boolean);
  const found = words.find((word) => word.startsWith(`${field}:`));
  const before = valuesOf(found);
  const has = before.includes(value);
  const after = has ? before.filter((one) => one !== value) : [...before, value];
  const term = `${field}:${after.join(',')}`;
  const others = found === undefined ? [...words, term] : words.map((word) => (word === found ? term : word));
  return { has, search: others.filter((word) => word !== `${field}:`).join(' ') };
}

type HitFlags = Uint8Array;

export type Hits = { rules: HitFlags; cases: HitFlags; deep: HitFlags | undefined };

/** Maximum number of words with remembered hits; a word that contains one of them is searched only there. */
const maxRemembered = 24;
const remembered: Map<string, Hits> = new Map();

/** Flags the texts that contain the word, among those that contain a part of it. */
function flagTexts(texts: readonly string[], word: string, among: HitFlags | undefined) {
  const flags = new Uint8Array(texts.length);
  for (const [at, text] of texts.entries()) {
    if (among?.[at] !== 0 && text.includes(word)) flags[at] = 1;
  }
  return flags;
}

/** Flags the units with a value of the field that begins like one of these. */
const flagFacts = (units: readonly { facts: Facts }[], field: string, beginnings: readonly string[]) =>
  Uint8Array.from(units, ({ facts }) =>
    facts[field]?.some((value) => beginnings.some((one) => value.startsWith(one))) === true ? 1 : 0,
  );

const unitTexts = (units: readonly { text: string }[]) => units.map(({ text }) => text);

function wordHits(word: string, { rules, cases }: Units, deep: readonly string[] | undefined): Hits {
  const known = remembered.get(word);
  const parts = [...remembered.keys()].filter((one) => word.includes(one));
  const part = remembered.get(parts.reduce((best, one) => (one.length > best.length ? one : best), ''));
  const hits = {
    rules: known?.rules ?? flagTexts(unitTexts(rules), word, part?.rules),
    cases: known?.cases ?? flagTexts(unitTexts(cases), word, part?.cases),
    deep: known?.deep ?? (deep === undefined ? undefined : flagTexts(deep, word, part?.deep)),
  };
  remembered.delete(word);
  remembered.set(word, hits);
  const [oldest] = remembered.keys();
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
  return hits;
}

/** Hits of a term in rules, cases and, if they are searched, exchanges. */
export function termHits({ field, values }: Term, units: Units, deep: readonly string[] | undefined): Hits {
  if (field === undefined) return wordHits(values[0] ?? '', units, deep);
  return {
    rules: flagFacts(units.rules, field, values),
    cases: flagFacts(units.cases, field, values),
    deep: undefined,
  };
}
