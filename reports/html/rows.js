import { unpack } from './unpack.js';

/** @import { CaseRow, CaseRows } from '../../src/report/html/case-rows.ts' */

/**
 * Cases in the order of the result, and by their anchors; by the anchor of each rule those that are listed under it, and those that are shown there.
 * @typedef {{
 *   inOrder: readonly CaseRow[], byAnchor: Map<string, CaseRow>, listed: Map<string, CaseRow[]>, shown: Map<string, CaseRow[]>
 * } & Pick<CaseRows, 'valid' | 'sendFlags'>} Rows
 */

/**
 * The rows are what the report wrote itself: the look at their shape only guards against another version of it.
 * @param {unknown} value
 * @returns {value is CaseRows}
 */
function areRows(value) {
  return typeof value === 'object' && value !== null && 'cases' in value && 'rules' in value;
}

/**
 * @param {CaseRows} all
 * @returns {Rows}
 */
function rowsOf({ cases, rules, valid, sendFlags }) {
  /** @type {Rows['shown']} */
  const shown = new Map();
  for (const row of cases) {
    const [home = ''] = row.home ?? [];
    const own = shown.get(home) ?? [];
    shown.set(home, own);
    own.push(row);
  }
  /** @type {Rows['listed']} */
  const listed = new Map();
  for (const [anchor, places] of rules) {
    listed.set(
      anchor,
      places.flatMap((at) => cases[at] ?? []),
    );
  }
  const byAnchor = new Map(cases.map((row) => [row.anchor, row]));
  return { inOrder: cases, byAnchor, listed, shown, valid, sendFlags };
}

/** @type {CaseRows} */
const noRows = { cases: [], rules: [], valid: [], sendFlags: '' };

async function readRows() {
  /** @type {unknown} */
  const value = JSON.parse(await unpack('cases-data'));
  return rowsOf(areRows(value) ? value : noRows);
}

/**
 * The cases, once they are unpacked: who shows them looks here first, since a page that is about to be printed waits for nothing.
 * @type {Rows | undefined}
 */
export let rowsRead;
/** @type {Promise<Rows>} */
export const rowsReading = readRows()
  .catch(() => rowsOf(noRows))
  .then((rows) => {
    rowsRead = rows;
    return rows;
  });

/**
 * Whether the page has the case of that anchor, as far as it is unpacked.
 * @param {string} anchor
 */
export const hasCase = (anchor) => rowsRead?.byAnchor.has(anchor) ?? false;
