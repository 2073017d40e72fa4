import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxBodyBytes } from './collect-body.ts';
import { createBodyReader, readBody } from './read-body.ts';

const json = 'application/json';

function read(type: string, bytes: Buffer | string, { coding, whole }: { coding?: string; whole?: number } = {}) {
  const came = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
  const headers = { 'content-type': type, ...(coding === undefined ? {} : { 'content-encoding': coding }) };
  return readBody({ headers, bytes: came, whole: whole ?? came.length });
}

const latin1 = Buffer.from('{"name":"Jos\u00e9"}', 'latin1');
const utf16 = Buffer.from('\u{FEFF}{"a":1}', 'utf16le');
const withMark = '\u{FEFF}{"a":1}';
const long = JSON.stringify({ a: 'b'.repeat(2 * maxBodyBytes) });

test.each<[string, ReturnType<typeof read>]>([
  ['JSON', read(json, '{"a":"\u00e9\u{1F600}"}')],
  ['JSON with parameters', read('Application/JSON; Charset="UTF-8"', '{}')],
  ['JSON of a suffix', read('application/problem+json', '[]')],
  ['JSON that is no object', read(json, 'null')],
  ['U+FFFD that the sender wrote', read(json, '{"a":"\u{FFFD}"}')],
  ['half a character in an escape', read(json, String.raw`{"a":"\ud800"}`)],
  ['100 levels', read(json, '['.repeat(100) + ']'.repeat(100))],
  ['an empty body', read(json, '')],
  ['an empty body that says gzip', read(json, '', { coding: 'gzip' })],
  ['a page', read('text/html', '<p>')],
  ['a page in another charset', read('text/html; charset=iso-8859-1', latin1)],
  ['a page that names no charset', read('text/html', latin1)],
  ['no type', read('', latin1)],
  ['JSON by its text only', read('text/plain', '{"a":')],
  ['a long page', read('text/html', Buffer.alloc(maxBodyBytes, 'a'), { whole: maxBodyBytes + 1 })],
  ['a long page, cut within a character', read('text/html; charset=utf-8', Buffer.alloc(5, 0xc3), { whole: 6 })],
  ['a long page in gzip', read('text/html', gzipSync(long), { coding: 'gzip' })],
  [
    'the start of a long page in gzip',
    read('text/html', gzipSync(long).subarray(0, 99), { coding: 'gzip', whole: 999 }),
  ],
  ['gzip', read(json, gzipSync('{"a":1}'), { coding: 'gzip' })],
])('nothing is wrong: %s', (_, { unreadable, text }) => {
  expect(unreadable).toBeUndefined();
  expect(text.isWellFormed()).toBe(true);
});

describe('what is wrong is one finding', () => {
  const utf8 = (actual: string) => ({ path: 'body', expected: 'text in UTF-8', actual });
  const marked = {
    path: 'body',
    expected: 'JSON without a byte order mark',
    actual: 'a byte order mark (U+FEFF) first',
  };
  const none = { path: 'body', expected: 'JSON, at most 100 levels deep', actual: 'none' };

  test.each<[string, ReturnType<typeof read>, unknown]>([
    ['ISO 8859-1', read(json, latin1), utf8('byte 0xe9 at offset 12')],
    ['ISO 8859-1 that is declared', read(`${json}; charset=iso-8859-1`, latin1), utf8('byte 0xe9 at offset 12')],
    ['UTF-16', read(json, utf16), utf8('byte 0xff at offset 0')],
    ['a page that says UTF-8', read('text/html; charset=utf-8', latin1), utf8('byte 0xe9 at offset 12')],
    [
      'a wrong byte after U+FFFD',
      read(json, Buffer.concat([Buffer.from('"\u{FFFD}\u{FFFD}'), Buffer.from([0xc0])])),
      utf8('byte 0xc0 at offset 7'),
    ],
    ['half a character at the end', read(json, Buffer.from([0x22, 0xe2, 0x82])), utf8('byte 0xe2 at offset 1')],
    ['a surrogate in UTF-8', read(json, Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), utf8('byte 0xed at offset 1')],
    ['a byte order mark', read(json, withMark), marked],
    ['a byte order mark before a page', read(json, '\u{FEFF}<html>'), none],
    ['no JSON', read(json, '<html>'), none],
    ['JSON that ends early', read(json, '{"a":'), none],
    ['a blank', read(json, ' '), none],
    [
      '101 levels',
      read(json, '['.repeat(101) + ']'.repeat(101)),
      { ...none, actual: 'more levels, which carrierspec does not read' },
    ],
    ['100 levels that end early', read(json, '['.repeat(100)), none],
    [
      'JSON that is longer than what is kept',
      read(json, long.slice(0, maxBodyBytes), { whole: long.length }),
      { path: 'body', expected: 'at most 262144 bytes', actual: `${long.length} bytes` },
    ],
    [
      'JSON that is longer when gzip is undone',
      read(json, gzipSync(long), { coding: 'gzip' }),
      { path: 'content-encoding', expected: 'at most 262144 bytes when gzip is undone', actual: 'more' },
    ],
    [
      'a coding that is none',
      read(json, '{}', { coding: 'gzip' }),
      { path: 'content-encoding', expected: 'a body in gzip', actual: 'one that is not' },
    ],
    ['no JSON in gzip', read(json, gzipSync('{'), { coding: 'gzip' }), none],
  ])('%s', (_, { unreadable, text }, expected) => {
    expect(unreadable).toEqual([expected]);
    expect(text.isWellFormed()).toBe(true);
  });
});

test('what cannot be read is read as far as it goes', () => {
  expect(read(json, latin1)).toMatchObject({ text: '{"name":"Jos\u{FFFD}"}', body: { name: 'Jos\u{FFFD}' } });
  expect(read(json, '{"a":1}', { coding: 'gzip' })).toMatchObject({ text: '{"a":1}', body: { a: 1 } });
  expect(read(json, withMark)).toMatchObject({ text: withMark, body: { a: 1 } });
  expect(read(json, String.raw`{"\ud800":"\ud83d\ude00"}`).body).toEqual({ '\u{FFFD}': '\u{1F600}' });
  expect(read(json, '{"a":null,"b":[null]}').body).toEqual({ b: [null] });
});

test('any bytes under any header fields give a well-formed text, and nothing is thrown', () => {
  const codings = fc.constantFrom('', 'gzip', 'deflate', 'br', 'identity', 'x', 'gzip, br');
  const types = fc.constantFrom('', json, 'text/html', `${json}; charset=utf-16`, ';;;=', 'text/html; charset=utf-8');
  fc.assert(
    fc.property(types, codings, fc.uint8Array({ maxLength: 200 }), (type, coding, bytes) => {
      const { text, unreadable = [] } = read(type, Buffer.from(bytes), { coding });
      expect(text.isWellFormed()).toBe(true);
      expect(unreadable.length).toBeLessThanOrEqual(1);
    }),
  );
});

/** Checks RFC 8259 §8.1 with another reader. */
function isReadable(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return bytes.length === 0;
  }
}

test('JSON is readable exactly where it is JSON in UTF-8', () => {
  const whole = fc.json().map((text) => Uint8Array.from(Buffer.from(text)));
  const spoilt = fc.tuple(whole, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([bytes, at, byte]) => {
    bytes[at % bytes.length] = byte;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(whole, spoilt), (bytes) => {
      expect(read(json, Buffer.from(bytes)).unreadable === undefined).toBe(isReadable(bytes));
    }),
  );
});

test('over the budget of a run a large body is unknown, not too long, and a small one is still read', () => {
  const reader = createBodyReader(undefined, 40_000);
  const received = (text: string) => ({
    headers: { 'content-type': json },
    bytes: Buffer.from(text),
    whole: text.length,
  });
  const large = (letter: string): string => JSON.stringify({ pad: letter.repeat(30_000) });
  expect(reader.read(received(large('a'))).body).toEqual({ pad: 'a'.repeat(30_000) });
  expect(reader.read(received(large('b'))).body).toEqual({ pad: 'b'.repeat(30_000) });
  const { whole, ...third } = reader.read(received(large('c')));
  expect(third).toEqual({ text: whole, overBudget: true });
  expect(whole.length).toBeLessThan(20_000);
  expect(reader.read(received('{"a":1}')).body).toEqual({ a: 1 });
});
