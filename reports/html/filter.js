import { lists } from './address.js';
import { deepRead, readingDeep } from './deep.js';
import { all, need } from './dom.js';
import { hitsOf } from './hits.js';
import { parseSearch } from './query.js';
import { readingUnits, ruleElements, unitsRead } from './units.js';

/**
 * @import { State } from './address.js'
 * @import { Hits } from './hits.js'
 * @import { Query } from './query.js'
 * @import { RuleUnit, Units } from './units.js'
 * @typedef {{ isNegated: boolean, hits: Hits }} Sought
 */

const sections = all(document, 'details.clause:has(details.rule)', HTMLDetailsElement).map((section) => ({
  section,
  entry: document.querySelector(`.contents a[href="#${CSS.escape(section.id)}"]`)?.closest('li'),
  own: all(section, 'details.rule', HTMLElement),
}));

/** Sections that a search opened: they are closed again when it is over. */
const opened = new Set();

/**
 * The cases that fit the search, by the anchors of the rules that are shown; undefined where nothing is searched.
 * @type {Map<string, ReadonlySet<string>> | undefined}
 */
let fitting;

/** Hides or shows an element, which costs something only where it changes. */
function setHidden(/** @type {HTMLElement} */ element, /** @type {boolean} */ isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

/** What the boxes ask of each rule, read once: to ask the page for it at each key takes time. */
const asked = new Map(
  ruleElements.map((rule) => {
    const { verdict = '', level = '', area = '' } = rule.dataset;
    return [rule, { verdict, level, area }];
  }),
);

/**
 * Whether the boxes that are checked let a rule through.
 * @param {HTMLDetailsElement} rule
 * @param {State} state
 */
const isChosen = (rule, state) =>
  lists.every((name) => state[name].length === 0 || state[name].includes(asked.get(rule)?.[name] ?? ''));

/**
 * The cases of a rule that fit, each together with what the rule says; undefined where nothing does.
 * @param {{ rule: RuleUnit, at: number }} place
 * @param {readonly Sought[]} sought
 */
function fittingCases({ rule, at }, sought) {
  const fits = (/** @type {number} */ ordinal, /** @type {boolean} */ isOwn) =>
    sought.every(({ isNegated, hits }) => {
      const isHere = hits.rules[at] === 1 || hits.cases[ordinal] === 1 || (isOwn && hits.deep?.[ordinal] === 1);
      return isHere !== isNegated;
    });
  if (rule.cases.length === 0) return fits(-1, false) ? [] : undefined;
  const found = rule.cases.filter(({ ordinal, isOwn }) => fits(ordinal, isOwn));
  return found.length === 0 ? undefined : found;
}

/**
 * @param {number} rules
 * @param {number | undefined} cases
 */
function sayShown(rules, cases) {
  const whole = ruleElements.length;
  const words = rules === whole ? `${rules} rules` : `${rules} of ${whole} rules`;
  const counted = cases === undefined ? '' : `, ${cases} ${cases === 1 ? 'case' : 'cases'}`;
  need('shown', HTMLOutputElement).textContent = `${words}${counted}`;
  setHidden(need('no-match', HTMLElement), rules > 0);
}

/**
 * @param {HTMLDetailsElement} section
 * @param {boolean} isNarrowed
 */
function openMatching(section, isNarrowed) {
  if (isNarrowed && !section.hidden && !section.open) {
    section.open = true;
    opened.add(section);
  } else if (!isNarrowed && opened.delete(section)) section.open = false;
}

/** @param {ReadonlySet<HTMLElement>} shown */
function showRules(shown) {
  for (const rule of ruleElements) setHidden(rule, !shown.has(rule));
  for (const { section, entry, own } of sections) {
    const isEmpty = own.every((rule) => rule.hidden);
    setHidden(section, isEmpty);
    if (entry instanceof HTMLElement) setHidden(entry, isEmpty);
    openMatching(section, shown.size < ruleElements.length);
  }
}

/** @param {State} state */
function showChosen(state) {
  fitting = undefined;
  const shown = new Set(ruleElements.filter((rule) => isChosen(rule, state)));
  for (const rule of ruleElements) delete rule.dataset['found'];
  showRules(shown);
  sayShown(shown.size, undefined);
}

/**
 * Says beside a rule how many of its cases fit, where that is not all of them.
 * @param {RuleUnit} rule
 * @param {number} count
 */
function sayFound({ element, cases }, count) {
  const words = count === cases.length ? undefined : `${count} of ${cases.length} cases match`;
  if (element.dataset['found'] === words) return;
  if (words === undefined) delete element.dataset['found'];
  else element.dataset['found'] = words;
}

/**
 * @param {State} state
 * @param {Query} query
 * @param {Units} units
 */
function showFitting(state, { terms }, units) {
  const deep = state.in === 'exchanges' ? deepRead?.texts : undefined;
  const sought = terms
    .filter(({ values }) => values.length > 0)
    .map((term) => ({ isNegated: term.isNegated, hits: hitsOf(term, units, deep) }));
  /** @type {Set<HTMLElement>} */
  const shown = new Set();
  /** @type {Set<number>} */
  const cases = new Set();
  fitting = new Map();
  for (const [at, rule] of units.rules.entries()) {
    const found = isChosen(rule.element, state) ? fittingCases({ rule, at }, sought) : undefined;
    if (found === undefined) continue;
    shown.add(rule.element);
    for (const { ordinal } of found) cases.add(ordinal);
    fitting.set(rule.element.id, new Set(found.map(({ ordinal }) => units.cases[ordinal]?.row.anchor ?? '')));
    sayFound(rule, found.length);
  }
  showRules(shown);
  sayShown(shown.size, cases.size);
}

/** Marks the cases of a rule that is open where they fit the search and others do not. */
export function markCases(/** @type {HTMLDetailsElement} */ rule) {
  const anchors = rule.dataset['found'] === undefined ? undefined : fitting?.get(rule.id);
  for (const one of all(rule, 'details.case, .elsewhere', HTMLElement)) {
    const anchor = one.id === '' ? (one.querySelector('a')?.getAttribute('href')?.slice(1) ?? '') : one.id;
    one.classList.toggle('match', anchors?.has(anchor) ?? false);
  }
}

let searches = 0;

/** What has to be read before a search; undefined where all of it is there. */
function readFor(/** @type {State} */ { in: where }) {
  const shown = need('shown', HTMLOutputElement);
  if (where === 'exchanges' && deepRead === undefined) {
    shown.textContent = 'Searching …';
    const tell = (/** @type {number} */ share) => {
      if (deepRead === undefined) shown.textContent = `Searching … ${Math.round(share * 100)} %`;
    };
    return Promise.all([readingUnits(), readingDeep(tell)]);
  }
  return unitsRead === undefined ? readingUnits() : undefined;
}

/**
 * Shows the rules that fit, hides sections without any, and shows how many there are. What is searched is read first; a
 * search that was overtaken shows nothing, and gives false.
 * @param {State} state
 */
export async function applyFilter(state) {
  searches += 1;
  const own = searches;
  const query = parseSearch(state.q);
  const isSearch = query.terms.some(({ values }) => values.length > 0);
  const reading = isSearch ? readFor(state) : undefined;
  if (reading !== undefined) await reading;
  if (own !== searches) return false;
  if (isSearch && unitsRead !== undefined) showFitting(state, query, unitsRead);
  else showChosen(state);
  for (const rule of ruleElements) if (rule.open && !rule.hidden) markCases(rule);
  return true;
}

/**
 * A link leads to a rule even where the filters hide it.
 * @param {Element} element
 */
export function reveal(element) {
  for (const hidden of [element.closest('details.rule'), element.closest('details.clause')]) {
    if (hidden instanceof HTMLElement) hidden.hidden = false;
  }
}

export function shownRules() {
  return ruleElements.filter((rule) => !rule.hidden);
}
