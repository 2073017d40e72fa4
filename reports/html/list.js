import { all, make } from './dom.js';
import { rowsRead, rowsReading } from './rows.js';
import { canUnpack } from './unpack.js';

/** @import { CaseRow } from '../../src/report/html/case-rows.ts' */

/** What is said in the place of what cannot be unpacked. */
export const sayWhy = () =>
  canUnpack
    ? 'What belongs here cannot be unpacked; result.json has it.'
    : 'This browser cannot unpack what belongs here: it has no DecompressionStream. result.json has it.';

/** @param {string} verdict */
const verdictMark = (verdict) => make('span', { class: `v v-${verdict}` }, verdict);

/** @param {NonNullable<CaseRow['recorded']>} recorded */
function renderRecorded(recorded) {
  const rows = recorded.map(([name, value]) =>
    make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, make('code', {}, value))),
  );
  return make('table', { class: 'recorded' }, make('caption', {}, 'Recorded'), make('tbody', {}, rows));
}

/** @param {CaseRow} row */
function renderInside({ because, recorded, judges, position, again }) {
  const links = judges.map(([anchor, name], at) => [at === 0 ? '' : ', ', make('a', { href: `#${anchor}` }, name)]);
  return [
    because && make('p', { class: 'because' }, make('strong', {}, `${because[0]}:`), ` ${because[1]}`),
    recorded && renderRecorded(recorded),
    make('p', { class: 'meta' }, 'Judges ', links, ` · ${position}`),
    make('p', { class: 'again' }, make('code', { class: 'command' }, again)),
  ];
}

/**
 * A case, closed, as those in the markup of the page.
 * @param {CaseRow} row
 */
function renderCase(row) {
  const { anchor, id, title, verdict, traffic } = row;
  const parts = [
    make('span', { class: 'id' }, id),
    make('span', { class: 'title' }, title),
    make('span', { class: 'quiet' }, traffic),
  ];
  const summary = make(
    'summary',
    {},
    verdictMark(verdict),
    parts.map((part) => [' ', part]),
  );
  return make('details', { class: 'case', id: anchor }, summary, make('div', { class: 'inside' }, renderInside(row)));
}

/**
 * A case that is shown under another rule: a line that leads there.
 * @param {CaseRow} row
 */
function renderLink({ anchor, id, title, verdict, home }) {
  const under = home === undefined ? undefined : [' ', make('span', { class: 'quiet' }, `under ${home[1]}`)];
  const link = make('a', { href: `#${anchor}` }, id);
  return make(
    'p',
    { class: 'elsewhere' },
    verdictMark(verdict),
    ' ',
    link,
    ' ',
    make('span', { class: 'title' }, title),
    under,
  );
}

/** Where the cases of a rule are listed, instead of what stands there for a reader without JavaScript. */
export function clearPlaces() {
  for (const names of all(document, '.rule noscript', HTMLElement)) names.replaceWith(make('div', { class: 'listed' }));
}

/**
 * Lists the cases of a rule that is opened for the first time.
 * @param {HTMLDetailsElement} rule
 */
export async function fillRule(rule) {
  const [place] = all(rule, ':scope > .inside > .listed', HTMLElement);
  if (place === undefined) return;
  const { listed } = rowsRead ?? (await rowsReading);
  if (place.childElementCount > 0) return;
  const own = listed.get(rule.id) ?? [];
  const drawn = own.map((row) => (row.home?.[0] === rule.id ? renderCase(row) : renderLink(row)));
  place.append(...(drawn.length > 0 ? drawn : [make('p', { class: 'note' }, sayWhy())]));
}

/**
 * The case of that anchor, once the rule that shows it lists it.
 * @param {string} anchor
 */
export async function drawCase(anchor) {
  const { byAnchor } = rowsRead ?? (await rowsReading);
  const rule = document.getElementById(byAnchor.get(anchor)?.home?.[0] ?? '');
  if (rule instanceof HTMLDetailsElement) await fillRule(rule);
  return document.getElementById(anchor);
}
