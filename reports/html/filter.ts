import type { AddressState } from './address.ts';
import { deepRead, readDeepOnce, readUnitsOnce, type RuleUnit, ruleElements, type Units, unitsRead } from './units.ts';
import { all, need } from './dom.ts';
import { type Hits, termHits, parseSearch, type Term } from './search.ts';

type SearchHits = { isNegated: boolean; hits: Hits };

const sections = all(document, 'details.clause:has(details.rule)', HTMLDetailsElement).map((section) => ({
  section,
  own: all(section, 'details.rule', HTMLElement),
}));

/** Sections opened by a search, which are closed again after it. */
const openedSections = new Set();

/** Matching cases by the anchor of each shown rule; undefined without a search. */
let fittingAnchors: Map<string, ReadonlySet<string>> | undefined;

/** Hides or shows an element; writes only changes, because writing is slow. */
function setHidden(element: HTMLElement, isHidden: boolean) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

/** Cases of a rule that match, each together with the rule's own text; undefined if none does. */
function fittingCases({ rule, at }: { rule: RuleUnit; at: number }, sought: readonly SearchHits[]) {
  const fits = (ordinal: number, isOwn: boolean) =>
    sought.every(({ isNegated, hits }) => {
      const isHere = hits.rules[at] === 1 || hits.cases[ordinal] === 1 || (isOwn && hits.deep?.[ordinal] === 1);
      return isHere !== isNegated;
    });
  if (rule.cases.length === 0) return fits(-1, false) ? [] : undefined;
  const found = rule.cases.filter(({ ordinal, isOwn }) => fits(ordinal, isOwn));
  return found.length === 0 ? undefined : found;
}

function sayShown(rules: number, cases: number | undefined) {
  const whole = ruleElements.length;
  const noun = whole === 1 ? 'rule' : 'rules';
  const words = rules === whole ? `${rules} ${noun}` : `${rules} of ${whole} ${noun}`;
  const counted = cases === undefined ? '' : `, ${cases} ${cases === 1 ? 'case' : 'cases'}`;
  need('shown', HTMLOutputElement).textContent = `${words}${counted}`;
  setHidden(need('no-match', HTMLElement), rules > 0);
}

function openMatching(section: HTMLDetailsElement, isNarrowed: boolean) {
  if (isNarrowed && !section.hidden && !section.open) {
    section.open = true;
    openedSections.add(section);
  } else if (!isNarrowed && openedSections.delete(section)) section.open = false;
}

function showRules(shown: ReadonlySet<HTMLElement>) {
  for (const rule of ruleElements) setHidden(rule, !shown.has(rule));
  for (const { section, own } of sections) {
    setHidden(
      section,
      own.every((rule) => rule.hidden),
    );
    openMatching(section, shown.size < ruleElements.length);
  }
}

function showAll() {
  fittingAnchors = undefined;
  for (const rule of ruleElements) delete rule.dataset['found'];
  showRules(new Set(ruleElements));
  sayShown(ruleElements.length, undefined);
}

function sayFound({ element, cases }: RuleUnit, count: number) {
  const words = count === cases.length ? undefined : `${count} of ${cases.length} cases match`;
  if (element.dataset['found'] === words) return;
  if (words === undefined) delete element.dataset['found'];
  else element.dataset['found'] = words;
}

function showFitting(state: AddressState, terms: readonly Term[], units: Units) {
  const deep = state.in === 'exchanges' ? deepRead?.texts : undefined;
  const sought = terms
    .filter(({ values }) => values.length > 0)
    .map((term) => ({ isNegated: term.isNegated, hits: termHits(term, units, deep) }));
  const shown: Set<HTMLElement> = new Set();
  const cases: Set<number> = new Set();
  fittingAnchors = new Map();
  for (const [at, rule] of units.rules.entries()) {
    const found = fittingCases({ rule, at }, sought);
    if (found === undefined) continue;
    shown.add(rule.element);
    for (const { ordinal } of found) cases.add(ordinal);
    fittingAnchors.set(rule.element.id, new Set(found.map(({ ordinal }) => units.cases[ordinal]?.row.anchor ?? '')));
    sayFound(rule, found.length);
  }
  showRules(shown);
  sayShown(shown.size, cases.size);
}

export function markCases(rule: HTMLDetailsElement) {
  const anchors = rule.dataset['found'] === undefined ? undefined : fittingAnchors?.get(rule.id);
  for (const one of all(rule, 'details.case, .elsewhere', HTMLElement)) {
    const anchor = one.id === '' ? (one.querySelector('a')?.getAttribute('href')?.slice(1) ?? '') : one.id;
    one.classList.toggle('match', anchors?.has(anchor) ?? false);
  }
}

let searches = 0;

/** Reads everything that a search needs; undefined if it has been read already. */
function readFor({ in: where }: AddressState) {
  const shown = need('shown', HTMLOutputElement);
  if (where === 'exchanges' && deepRead === undefined) {
    shown.textContent = 'Searching …';
    const tell = (share: number) => {
      if (deepRead === undefined) shown.textContent = `Searching … ${Math.round(share * 100)} %`;
    };
    return Promise.all([readUnitsOnce(), readDeepOnce(tell)]);
  }
  return unitsRead === undefined ? readUnitsOnce() : undefined;
}

/** Shows the matching rules and their number. Returns false for a search that a later one overtook. */
export async function applyFilter(state: AddressState) {
  searches += 1;
  const own = searches;
  const query = parseSearch(state.q);
  const isSearch = query.terms.some(({ values }) => values.length > 0);
  const reading = isSearch ? readFor(state) : undefined;
  if (reading !== undefined) await reading;
  if (own !== searches) return false;
  if (isSearch && unitsRead !== undefined) showFitting(state, query.terms, unitsRead);
  else showAll();
  for (const rule of ruleElements) if (rule.open && !rule.hidden) markCases(rule);
  return true;
}

/** Shows a rule that the filters hide, because a link leads to it. */
export function reveal(element: Element) {
  for (const hidden of [element.closest('details.rule'), element.closest('details.clause')]) {
    if (hidden instanceof HTMLElement) hidden.hidden = false;
  }
}

export const shownRules = () => ruleElements.filter((rule) => !rule.hidden);
