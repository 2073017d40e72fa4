import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { parseYaml, readYaml } from './document.ts';

const folder = mkdtempSync(join(tmpdir(), 'carrierspec-document-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Seconds that this process has computed, which do not depend on what else the machine does. */
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

const place = ({ line, column }: { line: number; column: number }) => `${line}:${column}`;

describe('positions', () => {
  const lines = [
    'a:',
    '  - one: "x"',
    '    two:',
    '\t',
    '  - {\t"three": [7, \'é\', "😀", {\tfour: 4}]}',
    'b: &x { c: d }',
    'e: *x',
  ];

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('keys and values have theirs, with %s', (_, end) => {
    const document = parseYaml(lines.join(end), 'x.yaml');
    expect(document.problems).toEqual([]);
    expect(document.json).toEqual({
      a: [{ one: 'x', two: null }, { three: [7, 'é', '😀', { four: 4 }] }],
      b: { c: 'd' },
      e: { c: 'd' },
    });
    expect(place(document.position(['a']))).toBe('2:3');
    expect(place(document.keyPosition(['a']))).toBe('1:1');
    expect(place(document.position(['a', 0, 'one']))).toBe('2:10');
    expect(place(document.keyPosition(['a', 0, 'one']))).toBe('2:5');
    expect(place(document.keyPosition(['a', 1, 'three']))).toBe('5:7');
    expect(place(document.position(['a', 1, 'three', 2]))).toBe('5:25');
    expect(place(document.keyPosition(['a', 1, 'three', 3, 'four']))).toBe('5:33');
    expect(document.problem({ code: 'bad-value', message: '', position: document.position(['b']) }).sourceLine).toBe(
      'b: &x { c: d }',
    );
  });

  test('a path that leads nowhere has the place of the nearest parent', () => {
    const document = parseYaml('a:\n  b: 1\n', 'x.yaml');
    expect(place(document.position(['a', 'c', 0]))).toBe('2:3');
    expect(place(document.keyPosition(['nothing']))).toBe('1:1');
  });

  test('inside an alias the place is where it was written', () => {
    const document = parseYaml(lines.join('\n'), 'x.yaml');
    expect(place(document.position(['e', 'c']))).toBe('6:12');
  });

  test('a byte order mark takes no column', () => {
    const file = join(folder, 'bom.yaml');
    writeFileSync(file, '\ufeffa: {{}}\n');
    expect(readYaml(file, 'bom.yaml').problems.map(({ message, position }) => [message, place(position)])).toEqual([
      ['a key must be a word', '1:5'],
    ]);
  });

  test.each([
    ['plain', 'v: ab{{ x }}', '1:8'],
    ['single quotes', "v: 'a''b{{ x }}'", '1:11'],
    ['double quotes', 'v: "\\u00e9\\n\\x41\\"{{ x }}"', '1:21'],
    ['an escape of 4 characters', 'v: "\\x41b{{ x }}"', '1:12'],
    ['an escape of 6 characters', 'v: "\\u00e9b{{ x }}"', '1:14'],
    ['an escape of 10 characters', 'v: "\\U00000041b{{ x }}"', '1:18'],
    ['literal', 'v: |-\n  first\n   second {{ x }}\n', '3:13'],
    ['folded', 'v: >-\n  first {\n  second {{ x }}\n', '3:12'],
    ['several lines', 'v: first\n  second {{ x }}\n', '2:12'],
    ['quotes over lines', 'v: "first\n\n  second {{ x }}"\n', '3:12'],
  ])('a character inside a string has its own: %s', (_, text, expected) => {
    const document = parseYaml(text, 'x.yaml');
    const { json } = document;
    const value = typeof json === 'object' && json !== null && 'v' in json ? json['v'] : undefined;
    const index = typeof value === 'string' ? value.indexOf('{{') + 2 : Number.NaN;
    expect(place(document.positionInside(['v'], index))).toBe(expected);
  });
});

describe('what is refused', () => {
  test.each([
    ['open brackets without end', '['.repeat(20_000), ['1:101 yaml-syntax']],
    ['dashes without end', '- '.repeat(20_000), ['1:201 yaml-syntax']],
    ['keys in keys without end', '{a: '.repeat(20_000), ['1:401 yaml-syntax']],
  ])('%s', (_, text, expected) => {
    const { problems } = parseYaml(text, 'x.yaml');
    expect(problems.map(({ code, position }) => `${place(position)} ${code}`).slice(0, 3)).toEqual(expected);
  });

  test.each([
    [
      'a: x\nb:\n  - c: 1\n   d: 2\n    e: 3\n',
      ['4:4 this line begins at a column that fits no list or mapping above it'],
    ],
    ['a:\n  - b: 1\n c: 2\n', ['3:2 this line begins at a column that fits no list or mapping above it']],
    ['a:\n    - b\n  - c\n', ['3:3 this line begins at a column that fits no list or mapping above it']],
    [
      'a: b: c\nd\n',
      [
        '1:4 this value goes on to another colon; put a text with a colon in quotes, or begin the next key at the column of this key',
        '2:1 this is no key; a key has a colon and a blank after it',
      ],
    ],
    ['a: x\nb:c\n', ['2:1 this is no key; a key has a colon and a blank after it']],
    ['a:\n\t- b\n', ['2:1 a tab cannot indent a line; indent with blanks']],
    ['a: - b\n', ['1:4 a list begins on the line after its key']],
    ['a: [b\nc: d\n', ['2:1 the list that begins with [ has no ] before this']],
    ['a: {b: c\nd: e\n', ['2:1 the mapping that begins with { has no } before this']],
    ['a: "b\n', ['2:1 a text that begins with a quotation mark has none at its end']],
    ['a: @b\n', ['1:4 a text that begins with this character needs quotes']],
    ['a: "b" c\n', ['1:8 the value has ended before this']],
  ])('%j is told in plain words, once a line', (text, expected) => {
    const { problems } = parseYaml(text, 'x.yaml');
    expect(problems.map(({ message, position }) => `${place(position)} ${message}`)).toEqual(expected);
  });

  test('an anchor may be used again after it was given anew', () =>
    expect(parseYaml('a: &x 1\nb: *x\nc: &x 2\nd: *x', 'x.yaml').json).toEqual({ a: 1, b: 1, c: 2, d: 2 }));

  test.each([
    [9999, []],
    [10_000, ['aliases repeat more than a suite can need']],
  ])('%i aliases: %j', (count, messages) => {
    const { problems } = parseYaml(`a: &x 1\nb: [${'*x, '.repeat(count)}]`, 'x.yaml');
    expect(problems.map(({ message }) => message)).toEqual(messages);
  });

  test('a bomb of aliases stops early', () => {
    const rows = Array.from(
      { length: 30 },
      (_, index) => `k${index + 1}: &k${index + 1} [${`*k${index}, `.repeat(9)}]`,
    );
    const before = cpuSeconds();
    const { problems, readable } = parseYaml(`k0: &k0 [x]\n${rows.join('\n')}`, 'x.yaml');
    expect(problems.map(({ message }) => message)).toEqual(['aliases repeat more than a suite can need']);
    expect(readable).toBe(false);
    expect(cpuSeconds() - before).toBeLessThan(2);
  });

  test('a mapping of 50,000 keys takes no quadratic time', () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `k${index}: 1`).join('\n');
    const before = cpuSeconds();
    expect(parseYaml(text, 'x.yaml').problems).toEqual([]);
    expect(cpuSeconds() - before).toBeLessThan(5);
  });

  test.each([
    [
      'names, values, signs and blanks',
      `[${'a, '.repeat(700_000)}]`,
      '1:1500000 more than 2000000 names, values, signs and blanks',
    ],
    ['open brackets', '['.repeat(2_000_000), '1:101 nested more than 100 levels deep'],
  ])('2 MB of %s end within seconds, with the place', (_, text, expected) => {
    const [first] = parseYaml(text, 'x.yaml').problems;
    expect(first && `${place(first.position)} ${first.message}`).toBe(expected);
  });

  test('a file that is no text, too large or not there', () => {
    const large = join(folder, 'large.yaml');
    writeFileSync(large, '');
    truncateSync(large, 8 * 1024 * 1024 + 1);
    const latin = join(folder, 'latin.yaml');
    writeFileSync(latin, Buffer.from([0x61, 0x3a, 0xe9]));
    const read = (file: string) => readYaml(file, 'it.yaml').problems;
    const at = { file: 'it.yaml', line: 1, column: 1 };
    const problem = (message: string) => [{ code: 'file-unreadable', message, position: at }];
    expect(read(large)).toEqual(problem('it is larger than 8 MB (8388609 bytes)'));
    expect(read(latin)).toEqual(problem('it is not UTF-8'));
    expect(read(join(folder, 'none.yaml'))).toEqual(problem('there is no such file'));
    expect(read(folder)).toEqual(problem('it is a folder'));
  });
});
