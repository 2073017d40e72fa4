import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { CaseResult } from '../../model/result.ts';
import { buildCase, buildDelivery, buildExchange, buildFinding, startOfRun } from '../../testing/results/result.ts';
import { detailNote, packExchanges, listCaseSpans, createPacker, packText } from './case-view.ts';

/** 10,000 letters that do not compress. */
const noise = Array.from({ length: 250 }, (_, at) =>
  createHash('sha256').update(String(at)).digest('base64').slice(0, 40),
).join('');

const heavy = (id: string, verdict: 'pass' | 'fail', body = noise) =>
  buildCase({ id, verdict, messages: [buildExchange({ request: { headers: [], body, bytes: body.length } })] });

function pack(cases: readonly CaseResult[], space: number) {
  const packing = packExchanges(cases, space);
  for (const ended of cases) packing.take(ended);
  return packing.end();
}

const linesIn = (block: string): readonly string[] => inflateSync(Buffer.from(block, 'base64')).toString().split('\n');

describe('packExchanges', () => {
  const cases = [heavy('one', 'pass'), heavy('two', 'fail')];

  it('keeps everything where there is space', () => {
    const { details } = pack(cases, 100_000);
    expect([details.ordinary?.body, details.notable?.body]).toEqual([16_000, 16_000]);
    expect(detailNote(details)).toBe('');
  });

  it('says of each case where it stands, in blocks of one kind of case', () => {
    const { blocks, places } = pack(
      [...cases, buildCase({ id: 'none', messages: [] }), heavy('three', 'pass')],
      100_000,
    );
    expect(places).toEqual([[0, 0], [1, 0], undefined, [0, 1]]);
    expect(blocks.map((block) => linesIn(block).length)).toEqual([2, 1]);
    expect(parseJson(linesIn(blocks[0] ?? '')[1] ?? '')).toMatchObject({ messages: [{ sent: { body: noise } }] });
  });

  it('makes a block no larger than 256 KB and a case', () => {
    const { blocks, places } = pack(
      Array.from({ length: 60 }, (_, at) => heavy(`case-${at}`, 'pass')),
      1_000_000,
    );
    const sizes = blocks.map((block) => linesIn(block).join('\n').length);
    expect(sizes.length).toBe(3);
    expect(Math.max(...sizes)).toBeLessThan(256 * 1024 + 11_000);
    expect(new Set(places.map((place) => place?.[0]))).toEqual(new Set([0, 1, 2]));
  });

  it('shortens first what passed, then the rest, and notes it', () => {
    const first = pack(cases, 14_000).details;
    expect([first.ordinary?.body, first.notable?.body]).toEqual([2000, 16_000]);
    expect(detailNote(first)).toBe(
      'To keep this file small the exchanges of cases that passed or only recorded are shortened; result.json has them in full.',
    );
    const then = pack(cases, 3000).details;
    expect([then.ordinary?.body, then.notable?.body]).toEqual([600, 600]);
    expect(detailNote(then)).toBe(
      'To keep this file small the exchanges of all cases are shortened; result.json has them in full.',
    );
  });

  it('keeps what failed longest, and nothing where nothing fits', () => {
    const many = Array.from({ length: 9 }, (_, at) => heavy(`one-${at}`, 'pass', noise.slice(at)));
    const one = pack([heavy('two', 'fail'), ...many], 1300).details;
    expect([one.ordinary, one.notable?.body]).toEqual([undefined, 600]);
    expect(detailNote(one)).toBe(
      'To keep this file small the exchanges of cases that passed or only recorded are left out, those of the others shortened; result.json has them in full.',
    );
    const none = pack(cases, 100);
    expect(none).toMatchObject({ blocks: [], details: { notable: undefined, ordinary: undefined } });
    expect(detailNote(none.details)).toBe(
      'To keep this file small the exchanges of all cases are left out; result.json has them in full.',
    );
  });

  it('stays within the space it is given', () => {
    for (const room of [1000, 2000, 5000, 13_000, 25_000]) {
      expect(pack(cases, room).blocks.join('').length).toBeLessThanOrEqual(room);
    }
  });

  it('counts what would unpack to too much, however little it takes', () => {
    const bomb = Array.from({ length: 20 }, (_, at) => heavy(`case-${at}`, 'pass', 'x'.repeat(15_000)));
    const { blocks, details } = pack(bomb, 20_000);
    expect(details.ordinary?.body).toBe(2000);
    const unpacked = blocks.reduce((sum, block) => sum + linesIn(block).join('\n').length, 0);
    expect(unpacked).toBeLessThan(6 * 20_000);
    expect(isJsonObject(parseJson(linesIn(blocks[0] ?? '')[0] ?? ''))).toBe(true);
  });
});

describe('spansOf', () => {
  const late = buildDelivery({ id: 'c#d2', receivedAt: startOfRun + 90_000 });
  const spacing = {
    code: 'spacing',
    message: 'c#d2',
    expected: '60 s, at most 5 s early and 15 s late',
    actual: 90,
    window: { from: 55, to: 75 },
  } as const;

  it('has the window in which a delivery should have come, after the one before it', () => {
    const ended = buildCase({ messages: [late], findings: [buildFinding(spacing)] });
    expect(listCaseSpans(ended).windows).toEqual([[startOfRun + 55_000, startOfRun + 75_000, 'd2']]);
  });

  it('has no window of other findings', () => {
    const { window: _, ...other } = spacing;
    const findings = [buildFinding(other), buildFinding({ ...spacing, message: 'gone' })];
    expect(listCaseSpans(buildCase({ messages: [late], findings })).windows).toEqual([]);
  });

  it.each([
    ['{"expires_in":"300"}', [[startOfRun, startOfRun + 300_000, 'x1']]],
    ['{"expires_in":300}', [[startOfRun, startOfRun + 300_000, 'x1']]],
    ['{"expires_in":1e300}', []],
    ['{"expires_in":-1}', []],
    ['{"expires_in":{}}', []],
    ['[]', []],
    ['not JSON', []],
  ])('takes from %s how long a request stays open', (response, pending) => {
    const exchange = buildExchange({
      id: 'c#x1',
      purpose: 'request',
      sentAt: startOfRun,
      response: { status: 200, headers: [], body: response, bytes: response.length },
    });
    expect(listCaseSpans(buildCase({ messages: [exchange] })).pending).toEqual(pending);
  });
});

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
