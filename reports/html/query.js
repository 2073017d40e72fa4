/**
 * One term of a search: a word, or a field with beginnings of its value, of which one has to fit.
 * @typedef {{ field: FieldName | undefined, values: readonly string[], isNegated: boolean }} Term
 * @typedef {'is' | 'area' | 'level' | 'rule' | 'case' | 'kind' | 'endpoint' | 'status'} FieldName
 * @typedef {{ terms: readonly Term[], strange: readonly string[] }} Query
 */

/** @type {readonly (readonly [name: FieldName, words: string, example: string])[]} */
export const fieldWords = [
  ['is', 'the verdict of the rule', 'is:fail,warn'],
  ['level', 'the level of the rule', 'level:required'],
  ['area', 'the area of the rule', 'area:events'],
  ['rule', 'the id of the rule', 'rule:EVT-0'],
  ['case', 'the name of a case that judges it', 'case:jti-'],
  ['kind', 'what such a case sent, or what came in', 'kind:event'],
  ['endpoint', 'the path of what it sent, or of what came in', 'endpoint:/bc-authorize'],
  ['status', 'the HTTP status of a response', 'status:4'],
];

/** Terms of one search, and units of its text, that are looked at. */
const mostTerms = 20;
const longestSearch = 1000;

/**
 * A quote at the beginning of a word, or of the value of a field, holds what follows together, up to a quote at the end
 * of a word; until that is written, up to the end. Quotes within a word stand for themselves.
 */
const termPattern = /\s*(-?)(?:([a-z]+):(?!\/\/))?(?:"(.*?)(?:"(?=\s|$)|$)|([^\s"]\S*)|(?=\s|$))/giy;

/**
 * @param {string} name
 * @returns {FieldName | undefined}
 */
const fieldNamed = (name) => fieldWords.find(([field]) => field === name)?.[0];

/**
 * A term of what the pattern found; what looks like a field and is none is a word.
 * @param {RegExpExecArray} found
 * @returns {{ term: Term, strange: string | undefined }}
 */
function termOf([, minus, name, quoted, plain = '']) {
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

/**
 * The terms of a search in lower case, all of which have to fit, and the fields in it that do not exist.
 * @param {string} text
 * @returns {Query}
 */
export function parseSearch(text) {
  termPattern.lastIndex = 0;
  const search = text.slice(0, longestSearch).trim().toLowerCase();
  /** @type {Term[]} */
  const terms = [];
  /** @type {string[]} */
  const strange = [];
  while (termPattern.lastIndex < search.length && terms.length < mostTerms) {
    const found = termPattern.exec(search);
    if (found === null || found[0] === '') break;
    const { term, strange: name } = termOf(found);
    if (term.field !== undefined || term.values.length > 0) terms.push(term);
    if (name !== undefined) strange.push(name);
  }
  return { terms, strange };
}
