import type { FoundRow } from '../../src/report/html/shared-elements.ts';
import type { CaseRow, CaseRows } from '../../src/report/html/case-rows.ts';

export const canUnpack = typeof DecompressionStream === 'function';

function decodeBase64(base64: string) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Unpacks the base64 deflate stream in an element; empty if there is none or it cannot be unpacked. */
export async function unpack(id: string) {
  const packed = document.getElementById(id)?.textContent;
  if (!canUnpack || !packed) return '';
  try {
    const stream = new Blob([decodeBase64(packed)]).stream().pipeThrough(new DecompressionStream('deflate'));
    return await new Response(stream).text();
  } catch {
    return '';
  }
}

/** Lines of each unpacked block, or a promise of them while it is being unpacked. */
const blocks: Map<number, readonly string[] | Promise<readonly string[]>> = new Map();

async function readBlock(block: number) {
  const lines = (await unpack(`block-${block}`)).split('\n');
  blocks.set(block, lines);
  return lines;
}

/** Lines of a block if it is unpacked, or else a promise of them, so that callers need not wait for unpacked blocks. */
export function blockLines(block: number) {
  const lines = blocks.get(block) ?? readBlock(block);
  if (!blocks.has(block)) blocks.set(block, lines);
  return lines;
}

/** Cases in result order, by anchor, and by the anchor of each rule that lists them. */
export type PageRows = {
  inOrder: readonly CaseRow[];
  byAnchor: ReadonlyMap<string, CaseRow>;
  listed: ReadonlyMap<string, readonly CaseRow[]>;
} & Pick<CaseRows, 'valid' | 'sendFlags'>;

/** The report itself wrote the rows: this check only guards against another version. */
const areRows = (value: unknown): value is CaseRows =>
  typeof value === 'object' && value !== null && 'cases' in value && 'rules' in value;

function indexRows({ cases, rules, valid, sendFlags }: CaseRows): PageRows {
  const listed = new Map(rules.map(([anchor, places]) => [anchor, places.flatMap((at) => cases[at] ?? [])] as const));
  const byAnchor = new Map(cases.map((row) => [row.anchor, row]));
  return { inOrder: cases, byAnchor, listed, valid, sendFlags };
}

const noRows: CaseRows = { cases: [], rules: [], valid: [], sendFlags: '' };

async function readRows() {
  const value: unknown = JSON.parse(await unpack('cases-data'));
  return indexRows(areRows(value) ? value : noRows);
}

/** Cases once they are unpacked, not as a promise, because printing cannot wait. */
export let rowsRead: PageRows | undefined;
export const rowsReading: Promise<PageRows> = readRows()
  .catch(() => indexRows(noRows))
  .then((rows) => {
    rowsRead = rows;
    return rows;
  });

export const hasCase = (anchor: string) => rowsRead?.byAnchor.has(anchor) ?? false;

/** Findings of a case that are about one message. */
export const foundAt = (anchor: string, at: string): readonly FoundRow[] =>
  rowsRead?.byAnchor.get(anchor)?.found?.rows.filter((one) => one.at === at) ?? [];
