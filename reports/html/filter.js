import { chunkOf } from './cases.js';
import { all, need } from './dom.js';

/** @import { State } from './address.js' */

const rules = all(document, 'details.rule', HTMLDetailsElement);
const sections = all(document, 'section.clause', HTMLElement);

/** What is searched in: what stands in the page of a rule, and what its cases exchanged. */
/** @type {Map<HTMLElement, string>} */
const texts = new Map();
/** @type {Map<HTMLElement, string>} */
const exchanges = new Map();

/**
 * @param {Map<HTMLElement, string>} known
 * @param {HTMLElement} rule
 * @param {() => string} read
 */
function readOnce(known, rule, read) {
  const text = known.get(rule) ?? read().toLowerCase();
  known.set(rule, text);
  return text;
}

/**
 * Bodies are JSON within JSON: without the backslashes what was sent is found as it was sent.
 * @param {HTMLElement} rule
 */
function readExchanges(rule) {
  const chunks = all(rule, '.exchanges', HTMLElement).map((place) => chunkOf(place) ?? '');
  return chunks.join('\n').replaceAll('\\', '');
}

/**
 * @param {readonly string[]} list
 * @param {string | undefined} value
 */
const holds = (list, value = '') => list.length === 0 || list.includes(value);

/**
 * @param {HTMLElement} rule
 * @param {State} state
 * @param {readonly string[]} terms
 */
function matches(rule, state, terms) {
  const { dataset } = rule;
  if (!holds(state.verdict, dataset['verdict']) || !holds(state.level, dataset['level'])) return false;
  if (!holds(state.area, dataset['area'])) return false;
  if (terms.length === 0) return true;
  const own = readOnce(texts, rule, () => rule.textContent ?? '');
  const text = state.in === 'exchanges' ? own + readOnce(exchanges, rule, () => readExchanges(rule)) : own;
  return terms.every((term) => text.includes(term));
}

/** @param {HTMLElement} section */
function hideEmpty(section) {
  const own = all(section, 'details.rule', HTMLElement);
  section.hidden = own.length > 0 && own.every((rule) => rule.hidden);
  const link = document.querySelector(`.contents a[href="#${CSS.escape(section.id)}"]`);
  const entry = link?.closest('li');
  if (entry) entry.hidden = section.hidden;
}

/**
 * Shows the rules that fit, hides sections without any, and shows how many there are.
 * @param {State} state
 */
export function applyFilter(state) {
  const terms = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  for (const rule of rules) rule.hidden = !matches(rule, state, terms);
  for (const section of sections) hideEmpty(section);
  const shown = rules.filter((rule) => !rule.hidden).length;
  const words = shown === rules.length ? `${shown} rules` : `${shown} of ${rules.length} rules`;
  need('shown', HTMLOutputElement).textContent = words;
  need('no-match', HTMLElement).hidden = shown > 0;
}

/**
 * A link leads to a rule even where the filters hide it.
 * @param {Element} element
 */
export function reveal(element) {
  for (const hidden of [element.closest('details.rule'), element.closest('section.clause')]) {
    if (hidden instanceof HTMLElement) hidden.hidden = false;
  }
}

export function shownRules() {
  return rules.filter((rule) => !rule.hidden);
}
