/**
 * @import { Term } from './query.js'
 * @import { Facts, Units } from './units.js'
 * @typedef {Uint8Array} Flags
 * @typedef {{ rules: Flags, cases: Flags, deep: Flags | undefined }} Hits
 */

/** Terms of which it is remembered where they are: a longer one is looked for only there. */
const mostRemembered = 24;
/** @type {Map<string, Hits>} */
const remembered = new Map();

/**
 * Marks which texts have the word, among those that had a part of it.
 * @param {readonly string[]} texts
 * @param {string} word
 * @param {Flags | undefined} among
 */
function find(texts, word, among) {
  const flags = new Uint8Array(texts.length);
  for (const [at, text] of texts.entries()) {
    if (among?.[at] !== 0 && text.includes(word)) flags[at] = 1;
  }
  return flags;
}

/**
 * @param {readonly string[] | undefined} values
 * @param {readonly string[]} beginnings
 */
const begins = (values, beginnings) =>
  values?.some((value) => beginnings.some((one) => value.startsWith(one))) ?? false;

/**
 * @param {readonly { facts: Facts }[]} units
 * @param {string} field
 * @param {readonly string[]} beginnings
 */
const findFacts = (units, field, beginnings) =>
  Uint8Array.from(units, ({ facts }) => (begins(facts[field], beginnings) ? 1 : 0));

/**
 * The texts of the units, once: they do not change.
 * @type {WeakMap<Units, { rules: readonly string[], cases: readonly string[] }>}
 */
const textsOf = new WeakMap();

/** @param {Units} units */
function textsIn(units) {
  const texts = textsOf.get(units) ?? {
    rules: units.rules.map(({ text }) => text),
    cases: units.cases.map(({ text }) => text),
  };
  textsOf.set(units, texts);
  return texts;
}

/**
 * Where the longest part of the word was that is remembered.
 * @param {string} word
 */
function partOf(word) {
  const parts = [...remembered.keys()].filter((one) => word.includes(one));
  const longest = parts.reduce((best, one) => (one.length > best.length ? one : best), '');
  return remembered.get(longest);
}

/**
 * @param {string} word
 * @param {Hits} hits
 */
function remember(word, hits) {
  remembered.delete(word);
  remembered.set(word, hits);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}

/**
 * @param {string} word
 * @param {Units} units
 * @param {readonly string[] | undefined} deep
 * @returns {Hits}
 */
function hitsOfWord(word, units, deep) {
  const known = remembered.get(word);
  const part = partOf(word);
  const texts = textsIn(units);
  const hits = {
    rules: known?.rules ?? find(texts.rules, word, part?.rules),
    cases: known?.cases ?? find(texts.cases, word, part?.cases),
    deep: known?.deep ?? (deep === undefined ? undefined : find(deep, word, part?.deep)),
  };
  remember(word, hits);
  return hits;
}

/**
 * Where a term is: in rules, in cases, and, where these are searched, in the exchanges of cases.
 * @param {Term} term
 * @param {Units} units
 * @param {readonly string[] | undefined} deep
 * @returns {Hits}
 */
export function hitsOf({ field, values }, units, deep) {
  if (field === undefined) return hitsOfWord(values[0] ?? '', units, deep);
  return {
    rules: findFacts(units.rules, field, values),
    cases: findFacts(units.cases, field, values),
    deep: undefined,
  };
}
