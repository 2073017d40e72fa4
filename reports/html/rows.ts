import type { CaseRow } from '../../src/report/html/case-element.ts';
import type { CaseRows } from '../../src/report/html/case-rows.ts';

/**
 * What the page carries packed: base64 of a deflate stream. Only what the report wrote is in it, and what comes out is
 * shown as text alone.
 */

/** Whether this browser can unpack anything at all. */
export const canUnpack = typeof DecompressionStream === 'function';

function bytesOf(base64: string) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The text that is packed in the element of that id; empty where there is none, or none that can be unpacked. */
export async function unpack(id: string) {
  const packed = document.getElementById(id)?.textContent;
  if (!canUnpack || !packed) return '';
  try {
    const stream = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream('deflate'));
    return await new Response(stream).text();
  } catch {
    return '';
  }
}

/** Lines of the blocks that are unpacked, and of those that are about to be. */
const unpacked: Map<number, readonly string[]> = new Map();
const unpacking: Map<number, Promise<readonly string[]>> = new Map();

async function readBlock(block: number) {
  const lines = (await unpack(`block-${block}`)).split('\n');
  unpacked.set(block, lines);
  return lines;
}

/** The lines of a block if they are there, or else the promise of them: nothing has to wait for what is unpacked. */
export function linesOf(block: number) {
  const known = unpacked.get(block) ?? unpacking.get(block);
  if (known !== undefined) return known;
  const lines = readBlock(block);
  unpacking.set(block, lines);
  return lines;
}

/**
 * Cases in the order of the result, and by their anchors; by the anchor of each rule those that are listed under it, and those
 * that are shown there.
 */
export type Rows = {
  inOrder: readonly CaseRow[];
  byAnchor: Map<string, CaseRow>;
  listed: Map<string, CaseRow[]>;
  shown: Map<string, CaseRow[]>;
} & Pick<CaseRows, 'valid' | 'sendFlags'>;

/** The rows are what the report wrote itself: the look at their shape only guards against another version of it. */
function areRows(value: unknown): value is CaseRows {
  return typeof value === 'object' && value !== null && 'cases' in value && 'rules' in value;
}

function rowsOf({ cases, rules, valid, sendFlags }: CaseRows): Rows {
  const shown: Rows['shown'] = new Map();
  for (const row of cases) {
    const [home = ''] = row.home ?? [];
    const own = shown.get(home) ?? [];
    shown.set(home, own);
    own.push(row);
  }
  const listed: Rows['listed'] = new Map();
  for (const [anchor, places] of rules) {
    listed.set(
      anchor,
      places.flatMap((at) => cases[at] ?? []),
    );
  }
  const byAnchor = new Map(cases.map((row) => [row.anchor, row]));
  return { inOrder: cases, byAnchor, listed, shown, valid, sendFlags };
}

const noRows: CaseRows = { cases: [], rules: [], valid: [], sendFlags: '' };

async function readRows() {
  const value: unknown = JSON.parse(await unpack('cases-data'));
  return rowsOf(areRows(value) ? value : noRows);
}

/**
 * The cases, once they are unpacked: who shows them looks here first, since a page that is about to be printed waits for
 * nothing.
 */
export let rowsRead: Rows | undefined;
export const rowsReading: Promise<Rows> = readRows()
  .catch(() => rowsOf(noRows))
  .then((rows) => {
    rowsRead = rows;
    return rows;
  });

/** Whether the page has the case of that anchor, as far as it is unpacked. */
export const hasCase = (anchor: string) => rowsRead?.byAnchor.has(anchor) ?? false;
