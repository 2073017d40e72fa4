import { all } from './dom.js';
import { rowsReading } from './rows.js';

/**
 * What is searched: a rule, and the cases that are listed under it.
 * @import { CaseRow } from '../../src/report/html/case-rows.ts'
 * @typedef {{ ordinal: number, isOwn: boolean }} Listed
 * @typedef {Readonly<Record<string, readonly string[] | undefined>>} Facts
 * @typedef {{ element: HTMLDetailsElement, text: string, facts: Facts, cases: readonly Listed[] }} RuleUnit
 * @typedef {{ row: CaseRow, text: string, facts: Facts }} CaseUnit
 * @typedef {{ rules: readonly RuleUnit[], cases: readonly CaseUnit[] }} Units
 */

export const ruleElements = all(document, 'details.rule', HTMLDetailsElement);

/** @param {readonly (string | undefined)[]} values */
const lowered = (values) => values.flatMap((value) => (value === undefined ? [] : [value.toLowerCase()]));

/**
 * What stands in the page of a rule itself: neither its cases nor what is there for a reader without JavaScript.
 * @param {HTMLDetailsElement} rule
 */
function ownText(rule) {
  const summary = rule.querySelector(':scope > summary')?.textContent ?? '';
  const inside = all(rule, ':scope > .inside > *', HTMLElement).filter(
    (element) => !element.matches('details.case:not(.invariant), .elsewhere, .listed, noscript'),
  );
  return [summary, ...inside.map((element) => element.textContent ?? '')].join('\n').toLowerCase();
}

/** @param {HTMLDetailsElement} rule */
function factsOfRule(rule) {
  const { verdict, level, area } = rule.dataset;
  const isExpected = rule.querySelector(':scope > summary .v-expected') !== null;
  return {
    is: lowered([verdict, isExpected ? 'expected' : undefined]),
    level: lowered([level]),
    area: lowered([area]),
    rule: lowered([rule.querySelector(':scope > summary .id')?.textContent ?? '']),
  };
}

/**
 * A case is named by its id, or by what stands in it after a slash.
 * @param {CaseRow} row
 * @returns {Facts}
 */
const factsOfCase = ({ id, kinds = [], endpoints = [], statuses = [] }) => ({
  case: lowered([id, ...id.split('/').slice(1)]),
  kind: lowered(kinds),
  endpoint: lowered(endpoints),
  status: statuses,
});

/**
 * What of a case can be read in the page: its row, and what was found in it where it stands in the markup.
 * @param {CaseRow} row
 */
function textOfCase({
  anchor,
  id,
  title,
  verdict,
  home,
  traffic,
  because,
  recorded,
  judges,
  position,
  again,
  isDrawn,
}) {
  const drawn = isDrawn ? document.getElementById(anchor) : null;
  const found = drawn === null ? [] : all(drawn, ':scope > .inside > .finding', HTMLElement);
  const row = [id, title, verdict, home, traffic, because, recorded, judges, position, again];
  return [row.flat(2).join(' '), ...found.map((finding) => finding.textContent ?? '')].join('\n').toLowerCase();
}

/** @returns {Promise<Units>} */
async function readUnits() {
  const { inOrder, listed, shown } = await rowsReading;
  const ordinals = new Map(inOrder.map((row, ordinal) => [row, ordinal]));
  const rules = ruleElements.map((element) => {
    const own = shown.get(element.id) ?? [];
    const under = [...new Set([...own, ...(listed.get(element.id) ?? [])])];
    const cases = under.map((row) => ({ ordinal: ordinals.get(row) ?? -1, isOwn: row.home?.[0] === element.id }));
    return { element, text: ownText(element), facts: factsOfRule(element), cases };
  });
  return { rules, cases: inOrder.map((row) => ({ row, text: textOfCase(row), facts: factsOfCase(row) })) };
}

/** @type {Units | undefined} */
export let unitsRead;
/** @type {Promise<Units> | undefined} */
let unitsReading;

/** Reads what is searched when it is needed for the first time. */
export function readingUnits() {
  unitsReading ??= readUnits().then((units) => {
    unitsRead = units;
    return units;
  });
  return unitsReading;
}
