import fc from 'fast-check';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createPacker, packText } from './case-view.ts';

const unpack = (packed: string): string => inflateSync(Buffer.from(packed, 'base64')).toString();

describe('packText', () => {
  it('is the same text once it is unpacked, and has no character that could end or open an element', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const packed = packText(text);
        expect(packed).toMatch(/^[\w+/]+=*$/);
        expect(unpack(packed)).toBe(text);
      }),
    );
  });
});

describe('createPacker', () => {
  it('has each line at the place it gave, whatever kinds come in which order', () => {
    const line = fc.record({ kind: fc.constantFrom('a', 'b'), size: fc.integer({ min: 0, max: 200_000 }) });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const packer = createPacker<string>(Number.POSITIVE_INFINITY);
        const places = lines.map(({ kind, size }, at) => packer.add(kind, `${at}${kind.repeat(size)}`));
        const blocks = packer.end().blocks.map((block) => unpack(block).split('\n'));
        const found = places.map(([block, at]) => blocks[block]?.[at]);
        expect(found).toEqual(lines.map(({ kind, size }, at) => `${at}${kind.repeat(size)}`));
        expect(blocks.flat().length).toBe(lines.length);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps no block once they cost more than there is space, and still says what they cost', () => {
    const packer = createPacker<string>(1000);
    for (let at = 0; at < 10; at += 1) packer.add('a', 'x'.repeat(100_000));
    const { blocks, costOf } = packer.end();
    expect(blocks).toEqual([]);
    expect(costOf('a')).toBeGreaterThanOrEqual(Math.floor(1_000_000 / 6));
    expect(costOf('b')).toBe(0);
  });
});
