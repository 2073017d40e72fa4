import { rowsReading } from './rows.js';
import { unpack } from './unpack.js';

/**
 * What is searched in exchanges: the texts by the ordinals of the cases, once they are read.
 * @import { CaseRow } from '../../src/report/html/case-rows.ts'
 * @typedef {{ texts: readonly string[], left: number }} Deep
 */

/** Characters of exchanges that are kept for a search; cases beyond them are left out, and it is said. */
const mostKept = 64_000_000;
/** Milliseconds of work after which the page may draw and take keys. */
const slice = 8;

/** Lets the page draw and take keys. */
const pause = () => new Promise((done) => setTimeout(done));

/** A clock that says when a slice of work is over, and begins the next one. */
function startSlices() {
  let begun = performance.now();
  return {
    isOver: () => performance.now() - begun > slice,
    next: async () => {
      await pause();
      begun = performance.now();
    },
  };
}

/**
 * The ordinals of the cases and the lines of their exchanges, by block.
 * @param {readonly CaseRow[]} rows
 */
function placesByBlock(rows) {
  /** @type {Map<number, (readonly [ordinal: number, line: number])[]>} */
  const blocks = new Map();
  for (const [ordinal, { place }] of rows.entries()) {
    if (!place) continue;
    const own = blocks.get(place[0]) ?? [];
    blocks.set(place[0], own);
    own.push([ordinal, place[1]]);
  }
  return blocks;
}

/**
 * Bodies are JSON within JSON: without the backslashes what was sent is found as it was sent.
 * @param {string} line
 */
const searched = (line) => line.replaceAll('\\', '').toLowerCase();

/**
 * Reads the exchanges block by block, in slices; `tell` hears how far that is.
 * @param {(share: number) => void} tell
 * @returns {Promise<Deep>}
 */
async function readDeep(tell) {
  const { inOrder } = await rowsReading;
  const blocks = placesByBlock(inOrder);
  const texts = inOrder.map(() => '');
  const slices = startSlices();
  let kept = 0;
  let left = 0;
  let done = 0;
  for (const [block, places] of blocks) {
    const lines = kept < mostKept ? (await unpack(`block-${block}`)).split('\n') : [];
    for (const [ordinal, line] of places) {
      const text = lines[line] ?? '';
      kept += text.length;
      if (text === '') left += 1;
      else texts[ordinal] = searched(text);
      if (slices.isOver()) await slices.next();
    }
    done += 1;
    tell(done / blocks.size);
  }
  return { texts, left };
}

/** @type {Deep | undefined} */
export let deepRead;
/** @type {Promise<Deep> | undefined} */
let deepReading;
/** @type {(share: number) => void} */
let hear = () => {};

/**
 * Reads the exchanges when they are searched for the first time; the last who asks hears how far that is.
 * @param {(share: number) => void} tell
 */
export function readingDeep(tell) {
  hear = tell;
  deepReading ??= readDeep((share) => hear(share)).then((deep) => {
    deepRead = deep;
    return deep;
  });
  return deepReading;
}
