import { all, need } from './dom.js';
import { rowsReading } from './rows.js';
import { linesOf } from './unpack.js';

/**
 * @import { CaseRow } from '../../src/report/html/case-rows.ts'
 * @import { State } from './address.js'
 */

const rules = all(document, 'details.rule', HTMLDetailsElement);
const sections = all(document, 'details.clause', HTMLDetailsElement);
/** Sections that a search opened: they are closed again when it is over. */
const opened = new Set();

/**
 * What is searched in, by rule: what stands in the page of it and of its cases, and what these exchanged.
 * @type {Map<HTMLElement, string>}
 */
const texts = new Map();
/** @type {Map<HTMLElement, string>} */
const exchanges = new Map();

/** @param {CaseRow} row */
const textOf = ({ id, title, verdict, home, traffic, because, recorded, judges, position, again }) =>
  [id, title, verdict, home, traffic, because, recorded, judges, position, again].flat(2).join(' ');

async function readTexts() {
  const { listed } = await rowsReading;
  for (const rule of rules) {
    if (texts.has(rule)) continue;
    const parts = [rule.textContent ?? '', ...(listed.get(rule.id) ?? []).map(textOf)];
    texts.set(rule, parts.join('\n').toLowerCase());
  }
}

/**
 * Bodies are JSON within JSON: without the backslashes what was sent is found as it was sent.
 * @param {readonly CaseRow[]} cases
 */
async function textOfExchanges(cases) {
  const lines = cases.map(async ({ place }) => (place ? ((await linesOf(place[0]))[place[1]] ?? '') : ''));
  return (await Promise.all(lines)).join('\n').replaceAll('\\', '').toLowerCase();
}

async function readExchanges() {
  const { shown } = await rowsReading;
  for (const rule of rules) {
    if (!exchanges.has(rule)) exchanges.set(rule, await textOfExchanges(shown.get(rule.id) ?? []));
  }
}

/**
 * Unpacks what is searched in; undefined where all of it is there.
 * @param {State} state
 */
function readFor({ q, in: where }) {
  if (q.trim() === '') return undefined;
  if (where === 'exchanges' && exchanges.size < rules.length) return Promise.all([readTexts(), readExchanges()]);
  return texts.size < rules.length ? readTexts() : undefined;
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
  const own = texts.get(rule) ?? '';
  const text = state.in === 'exchanges' ? `${own}\n${exchanges.get(rule) ?? ''}` : own;
  return terms.every((term) => text.includes(term));
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

/** @param {HTMLDetailsElement} section */
function hideEmpty(section) {
  const own = all(section, 'details.rule', HTMLElement);
  section.hidden = own.length > 0 && own.every((rule) => rule.hidden);
  const link = document.querySelector(`.contents a[href="#${CSS.escape(section.id)}"]`);
  const entry = link?.closest('li');
  if (entry) entry.hidden = section.hidden;
}

/** @param {State} state */
function showMatching(state) {
  const terms = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  for (const rule of rules) rule.hidden = !matches(rule, state, terms);
  const shown = rules.filter((rule) => !rule.hidden).length;
  for (const section of sections) {
    hideEmpty(section);
    openMatching(section, shown < rules.length);
  }
  const words = shown === rules.length ? `${shown} rules` : `${shown} of ${rules.length} rules`;
  need('shown', HTMLOutputElement).textContent = words;
  need('no-match', HTMLElement).hidden = shown > 0;
}

let searches = 0;

/**
 * Shows the rules that fit, hides sections without any, and shows how many there are. What is searched in is unpacked
 * first; a search that was overtaken shows nothing.
 * @param {State} state
 */
export async function applyFilter(state) {
  searches += 1;
  const own = searches;
  const reading = readFor(state);
  if (reading !== undefined) {
    need('shown', HTMLOutputElement).textContent = 'Searching …';
    await reading;
  }
  if (own === searches) showMatching(state);
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
  return rules.filter((rule) => !rule.hidden);
}
