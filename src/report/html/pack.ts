import { deflateSync } from 'node:zlib';

/** Where a text stands in the page: the number of its block, and its line there. */
export type Place = readonly [block: number, line: number];

/** UTF-16 units of a block before it is packed: what a reader unpacks to open one case. */
const blockSize = 256 * 1024;

/** How far a page may unpack: what is packed by more than this counts for its size divided by it. */
const mostPacked = 6;

/** A text as base64 of its deflate stream (RFC 1950), which a browser's DecompressionStream reads. */
export const packText = (text: string): string => deflateSync(text).toString('base64');

/** What a text costs of the page's budget: its bytes in the page, and for a reader's memory a part of what it unpacks to. */
const costOf = (text: string, packed: string): number => Math.max(packed.length, Math.ceil(text.length / mostPacked));

interface Open {
  readonly block: number;
  readonly lines: string[];
  size: number;
}

/**
 * Puts texts of one line each into blocks and packs these. Similar texts beside one another take little, and one of them
 * is read without the others' blocks. Each kind of text has blocks of its own; what costs more than `space` is only measured.
 */
export function createPacker<Kind extends string>(space: number) {
  let blocks: string[] = [];
  let numbered = 0;
  const open = new Map<Kind, Open>();
  const costs = new Map<Kind, number>();
  const total = (): number => [...costs.values()].reduce((sum, cost) => sum + cost, 0);

  function close(kind: Kind): void {
    const full = open.get(kind);
    if (full === undefined) return;
    const text = full.lines.join('\n');
    const packed = packText(text);
    open.delete(kind);
    costs.set(kind, (costs.get(kind) ?? 0) + costOf(text, packed));
    if (total() <= space) blocks[full.block] = packed;
    else blocks = [];
  }

  return {
    add: (kind: Kind, line: string): Place => {
      const block = open.get(kind) ?? { block: numbered++, lines: [], size: 0 };
      open.set(kind, block);
      block.lines.push(line);
      block.size += line.length;
      if (block.size >= blockSize) close(kind);
      return [block.block, block.lines.length - 1];
    },
    /** The blocks in the order of their numbers, and what those of each kind cost; no blocks where they cost too much. */
    end: (): { readonly blocks: readonly string[]; readonly costOf: (kind: Kind) => number } => {
      for (const kind of open.keys()) close(kind);
      return { blocks, costOf: (kind) => costs.get(kind) ?? 0 };
    },
  };
}
