/**
 * What the page carries packed: base64 of a deflate stream. Only what the report wrote is in it, and what comes out is
 * shown as text alone.
 */

/** Whether this browser can unpack anything at all. */
export const canUnpack = typeof DecompressionStream === 'function';

/** @param {string} base64 */
function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/**
 * The text that is packed in the element of that id; empty where there is none, or none that can be unpacked.
 * @param {string} id
 */
export async function unpack(id) {
  const packed = document.getElementById(id)?.textContent;
  if (!canUnpack || !packed) return '';
  try {
    const stream = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream('deflate'));
    return await new Response(stream).text();
  } catch {
    return '';
  }
}

/**
 * Lines of the blocks that are unpacked, and of those that are about to be.
 * @type {Map<number, readonly string[]>}
 */
const unpacked = new Map();
/** @type {Map<number, Promise<readonly string[]>>} */
const unpacking = new Map();

/** @param {number} block */
async function readBlock(block) {
  const lines = (await unpack(`block-${block}`)).split('\n');
  unpacked.set(block, lines);
  return lines;
}

/**
 * The lines of a block if they are there, or else the promise of them: nothing has to wait for what is unpacked.
 * @param {number} block
 */
export function linesOf(block) {
  const known = unpacked.get(block) ?? unpacking.get(block);
  if (known !== undefined) return known;
  const lines = readBlock(block);
  unpacking.set(block, lines);
  return lines;
}
