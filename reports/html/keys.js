import { need } from './dom.js';
import { shownRules } from './filter.js';

const troubled = ['fail', 'warn', 'error', 'inconclusive'];

/**
 * A rule of a section that is closed is where its section is.
 * @param {HTMLElement} rule
 */
const placeOf = (rule) => rule.closest('details.clause:not([open])') ?? rule;

/**
 * The place of the rule that holds the focus, or else of the last one that begins above the window.
 * @param {readonly HTMLElement[]} rules
 */
function currentPlace(rules) {
  const focused = document.activeElement?.closest('details.rule');
  const place = focused instanceof HTMLElement ? rules.indexOf(focused) : -1;
  return place >= 0 ? place : rules.findLastIndex((rule) => placeOf(rule).getBoundingClientRect().top < 8);
}

/** @param {HTMLElement | undefined} rule */
function moveTo(rule) {
  const section = rule?.closest('details.clause');
  if (section instanceof HTMLDetailsElement) section.open = true;
  rule?.querySelector('summary')?.focus({ preventScroll: true });
  rule?.scrollIntoView({ block: 'start' });
}

/** @param {(rule: HTMLElement) => boolean} isWanted */
function moveOn(isWanted) {
  const rules = shownRules();
  const from = currentPlace(rules);
  moveTo(rules.find((rule, place) => place > from && isWanted(rule)));
}

function moveBack() {
  const rules = shownRules();
  moveTo(rules[Math.max(0, currentPlace(rules) - 1)]);
}

function openOrClose() {
  const rules = shownRules();
  const rule = rules[currentPlace(rules)];
  if (rule !== undefined) rule.open = !rule.open;
}

/** @type {ReadonlyMap<string, () => void>} */
const actions = new Map([
  ['/', () => need('q', HTMLInputElement).focus()],
  ['j', () => moveOn(() => true)],
  ['k', moveBack],
  ['n', () => moveOn(({ dataset }) => troubled.includes(dataset['verdict'] ?? ''))],
  ['o', openOrClose],
  ['c', () => need('clear', HTMLElement).click()],
  ['?', () => need('keys', HTMLDialogElement).showModal()],
]);

/**
 * Single keys, unless they are turned off or the reader writes into a field (WCAG 2.1.4).
 * @param {() => boolean} areOn
 */
export function listenToKeys(areOn) {
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    const isField = target instanceof HTMLInputElement && target.type !== 'checkbox';
    if (key === 'Escape' && isField) target.blur();
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actions.get(key);
    if (action === undefined || need('keys', HTMLDialogElement).open || !areOn()) return;
    event.preventDefault();
    action();
  });
}
