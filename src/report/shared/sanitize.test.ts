import { forJson } from '../../lib/json.ts';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { codePointsOf, dangersIn } from '../../testing/carriers/hostile.ts';
import { cutText, forTerminal, forXml, makeVisible } from './sanitize.ts';

/** Any sequence of UTF-16 units, including lone surrogates, controls and noncharacters. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map((units) => String.fromCharCode(...units));
const anyText = fc.oneof(anyUnits, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme' }));

describe('forTerminal', () => {
  it.each([
    ['ESC', '\u001b[2J', '\\u{1b}[2J'],
    ['the C1 form of ESC [', '\u009b2J', '\\u{9b}2J'],
    ['a bidi override', 'a\u202eb', 'a\\u{202e}b'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['a line feed and a tab', 'a\r\n\tb', 'a\\u{d}\\u{a}\\u{9}b'],
    ['a lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
    ['a tag character outside the BMP', '\u{e0041}', '\\u{e0041}'],
    ['a no-break space', 'a\u00a0b', 'a\\u{a0}b'],
  ])('shows %s', (_, text, shown) => {
    expect(forTerminal(text)).toBe(shown);
  });

  it('leaves letters, signs and emoji alone', () => {
    expect(forTerminal('Zahle 25 € 😀 日本 "\\"')).toBe('Zahle 25 € 😀 日本 "\\"');
  });

  it('lets no dangerous character through', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(forTerminal(text)).not.toContain('\n');
        expect(dangersIn(forTerminal(text))).toEqual([]);
      }),
    );
  });

  it('changes no printable ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 2000 }), (text) => forTerminal(text) === text),
    );
  });

  it('is bounded, and says how much it left out', () => {
    expect(forTerminal('x'.repeat(1_000_000))).toBe(`${'x'.repeat(2000)}… (998000 more characters)`);
    expect(forTerminal('abcdef', 3)).toBe('abc… (3 more characters)');
  });
});

describe('cutText', () => {
  it('never cuts a character in half', () => {
    expect(cutText('ab😀', 3)).toBe('ab… (2 more characters)');
    expect(cutText('ab😀', 4)).toBe('ab😀');
  });
});

describe('makeVisible', () => {
  it('says nothing new the second time', () => {
    fc.assert(fc.property(anyText, (text) => makeVisible(makeVisible(text)) === makeVisible(text)));
  });
});

describe('forXml', () => {
  it('drops what XML 1.0 does not allow and escapes the rest', () => {
    expect(forXml('\u0000\u001b\ud800\ufffe]]>&<"\'\r\n\t😀')).toBe(']]&gt;&amp;&lt;&quot;&apos;&#13;\n\t😀');
  });

  it('lets no illegal character and no markup through', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const written = forXml(text);
        expect(written).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|apos|#13);)/);
        const points = codePointsOf(written);
        expect(points.filter((point) => point < 0x20 && ![9, 10, 13].includes(point))).toEqual([]);
        expect(
          points.filter((point) => (point >= 0xd800 && point <= 0xdfff) || point === 0xfffe || point === 0xffff),
        ).toEqual([]);
      }),
    );
  });

  it('comes back from a parser as it was', () => {
    const parser = new XMLParser({
      ignoreAttributes: false,
      parseTagValue: false,
      parseAttributeValue: false,
      trimValues: false,
    });
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '<', '>', '&', '"', "'", ']]>', '&amp;', '😀', ' '), maxLength: 20 }),
        (text) => {
          const read: unknown = parser.parse(`<r a="${forXml(text)}">x${forXml(text)}</r>`);
          expect(read).toEqual({ r: { '#text': `x${text}`, '@_a': text } });
        },
      ),
    );
  });
});

describe('forJson', () => {
  it('shows what a reader could not see as its units', () => {
    expect(forJson({ 'a\u202e': 'b\u009b\u{e0041}\n' })).toBe('{"a\\u202e":"b\\u009b\\udb40\\udc41\\n"}');
    expect(forJson(undefined)).toBe('null');
  });

  it('is the same value to a parser, in characters that are safe', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const written = forJson([text]);
        expect(JSON.parse(written)).toEqual([text]);
        expect(dangersIn(written)).toEqual([]);
      }),
    );
  });
});
