/** Most texts are shorter; a longer one has a place of its own. */
const usual = new Uint16Array(1 << 16);
const bytes = Buffer.from(usual.buffer);

/**
 * The UTF-16 units of a text, until those of the next are lent: looking at each of them in a string takes several times as long.
 */
export function lendUnits(text: string): Uint16Array {
  const { length } = text;
  if (length <= usual.length) {
    bytes.write(text, 'utf16le');
    return usual.subarray(0, length);
  }
  const units = new Uint16Array(length);
  Buffer.from(units.buffer).write(text, 'utf16le');
  return units;
}
