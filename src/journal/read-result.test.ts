import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CarrierspecError } from '../model/problem.ts';
import type { Result } from '../model/result.ts';
import { hostileTexts, poisonResult } from '../testing/carriers/hostile.ts';
import {
  buildCase,
  buildCutOffResult,
  buildDelivery,
  buildFinding,
  buildFooter,
  buildHeader,
  buildInvariant,
  buildResult,
  buildRule,
} from '../testing/results/result.ts';
import { sampleResult } from '../testing/results/sample-result.ts';
import { readResult } from './read-result.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carrierspec-read-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Text of a result.json with one header member on each line. */
const textOf = ({ header, cases, ...rest }: Result): string => {
  const members = Object.entries({ ...header, ...rest, cases: [...cases] });
  return `{\n${members.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(',\n')}\n}\n`;
};

/** Code and message of the error, without the folder. */
function refusal(file: string): string {
  try {
    readResult(file);
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
    expect(error.kind).toBe('usage');
    return `${error.code} ${error.message.replaceAll(`${folder}/`, '')}`;
  }
  throw new Error('it was read');
}

/** A result with a hostile text everywhere, except digests, which must match a pattern, and the profile, one of three. */
function poison(text: string): Result {
  const result = poisonResult(sampleResult, text);
  const { suites, profile } = sampleResult.header;
  return { ...result, header: { ...result.header, suites, profile } };
}

const results: readonly (readonly [string, Result])[] = [
  ['the sample', sampleResult],
  ['a small result', buildResult()],
  [
    'a run whose carrier has a clock that is not believed',
    buildResult({ footer: buildFooter({ doubt: 'they differ', strangers: 1, receiverLag: 2, left: ['a SIM'] }) }),
  ],
  [
    'one with every kind of invariant',
    buildResult({ invariants: [buildInvariant({ on: 'usertrait' }), buildInvariant({ on: 'jwks' })] }),
  ],
  ...Object.entries(hostileTexts).map(([name, text]) => [name, poison(text)] as const),
];

describe('a result.json', () => {
  it.each(results)('comes back as it was written: %s', (_, result) => {
    const read = readResult(write('result.json', textOf(result)));
    expect(read.notes).toEqual([]);
    expect({ ...read.result, cases: [...read.result.cases] }).toEqual({ ...result, cases: [...result.cases] });
  });

  it('may stand on one line, or begin with a byte order mark', () => {
    const document: unknown = JSON.parse(textOf(sampleResult));
    const file = write('one-line.json', `\ufeff${JSON.stringify(document)}`);
    expect(readResult(file).result.header).toEqual(sampleResult.header);
  });

  it('has no footer where the run was cut off, and that is said', () => {
    const file = write('cut.json', textOf(buildCutOffResult()));
    const { result, notes } = readResult(file);
    expect('footer' in result).toBe(false);
    expect(notes).toEqual([`${file}: the run was cut off; the result has no outcome`]);
  });

  it.each([
    ['conformant', 'fail', 'its outcome is conformant, and its rules say that REQ-015 is broken'],
    ['not conformant', 'pass', 'its outcome is not conformant, and its rules say that none is broken'],
  ] as const)('that says %s beside a rule that is %s does not agree with itself', (outcome, verdict, words) => {
    const result = buildResult({ rules: [buildRule({ verdict })], footer: buildFooter({ outcome }) });
    const file = write('forged.json', textOf(result));
    expect(readResult(file).notes).toEqual([`${file}: ${words}: it is not as a run left it`]);
  });
});

describe('a file that is no result', () => {
  const whole = textOf(buildResult());

  it.each([
    ['an empty one', '', 'result-cut-off bad.json: the file is empty'],
    [
      'one that was cut off',
      whole.slice(0, -20),
      'result-cut-off bad.json:19:352: the file ends here, in the middle: "," or a closing bracket should follow',
    ],
    ['XML', '<testsuites/>', 'result-not-json bad.json:1:1: this is not JSON: a value should stand here, not "<"'],
    [
      'one with a mistake in it',
      whole.replace('"selection":[],', '"selection":[,],'),
      'result-not-json bad.json:11:14: this is not JSON: a value or "]" should stand here, not ","',
    ],
    [
      'two results',
      whole + whole,
      'result-not-json bad.json:21:1: this is not JSON: nothing more should stand here, not "{"',
    ],
    [
      'other JSON',
      '{"format":"har"}',
      'result-not-one bad.json: this is JSON, but neither a result.json nor a journal.jsonl of carrierspec',
    ],
    [
      'a list',
      '[]',
      'result-not-one bad.json: this is JSON, but neither a result.json nor a journal.jsonl of carrierspec',
    ],
    [
      'a result of a newer format',
      whole.replace('"version":3', '"version":4'),
      'result-version bad.json: this result has version 4 of the format, and this carrierspec reads version 3 only: use the carrierspec that wrote it',
    ],
    [
      'a result of an older format',
      whole.replace('"version":3', '"version":1'),
      'result-version bad.json: this result has version 1 of the format, and this carrierspec reads version 3 only: use the carrierspec that wrote it',
    ],
    [
      'a result with an unknown verdict',
      whole.replace('"verdict":"pass"', '"verdict":"ok"'),
      'result-broken bad.json: this is not a result of carrierspec: /rules/0/verdict is "ok", not one of "pass", "informational", "warn", "inconclusive", "error", "fail", "not-applicable", "not-run", "attested"',
    ],
    [
      'a result with a member too many',
      whole.replace('"selection"', '"extra":1,"selection"'),
      'result-broken bad.json: this is not a result of carrierspec: the top has an unknown member "extra"',
    ],
    [
      'a result with a number that is none',
      whole.replace('"exchanges":2', '"exchanges":1e999'),
      'result-broken bad.json: this is not a result of carrierspec: /footer/exchanges is null, not a whole number',
    ],
    [
      'a result with values without end',
      whole.replace('"recorded":{}', `"recorded":{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      'result-broken bad.json: values are nested more than 128 deep',
    ],
  ])('is refused: %s', (_, text, message) => {
    expect(refusal(write('bad.json', text))).toBe(message);
  });

  it('is refused where it is not there, or a folder', () => {
    expect(refusal(join(folder, 'nowhere.json'))).toBe(
      `result-unreadable nowhere.json cannot be read: there is no such file`,
    );
    expect(refusal('/dev/zero')).toBe(
      'result-unreadable /dev/zero cannot be read: it is a device, and no regular file',
    );
    expect(refusal(folder)).toBe(`result-unreadable ${folder} cannot be read: it is a folder`);
  });
});

describe('a journal.jsonl', () => {
  const line = (kind: string, value: object): string => `${JSON.stringify({ kind, ...value })}\n`;
  const header = line('header', buildHeader());
  const one = line('case', buildCase({ id: 'one', title: 'é😀' }));
  const two = line('case', buildCase({ id: 'two', verdict: 'fail' }));
  const footer = line('footer', buildFooter({ outcome: 'conformant' }));
  const endOf = (...ids: readonly string[]): string =>
    line('end', { cases: ids, rules: [buildRule()], invariants: [buildInvariant()], unsolicited: [buildDelivery()] });

  it('gives its cases, again and again', () => {
    const file = write('journal.jsonl', header + one + two);
    const { result, notes } = readResult(file);
    expect(result).toMatchObject({ header: buildHeader(), rules: [], invariants: [], unsolicited: [] });
    expect('footer' in result).toBe(false);
    for (const _ of [1, 2])
      expect([...result.cases].map(({ id, title }) => [id, title])).toEqual([
        ['one', 'é😀'],
        ['two', buildCase().title],
      ]);
    expect(notes).toEqual([`${file}: the run was cut off; the journal has 2 finished cases and no outcome`]);
  });

  it.each([
    ['in the middle of a case', two.slice(0, 200)],
    ['before the line feed', two.slice(0, -1)],
    ['inside a character', Buffer.from(one).subarray(0, Buffer.from(one).indexOf('é') + 1)],
  ])('that a run left behind %s has what was finished', (_, rest) => {
    const whole = rest === two.slice(0, -1);
    const file = write('journal.jsonl', Buffer.concat([Buffer.from(header + one), Buffer.from(rest)]));
    expect([...readResult(file).result.cases].map(({ id }) => id)).toEqual(whole ? ['one', 'two'] : ['one']);
  });

  it('that a run goes on writing keeps to what was there when it was read', () => {
    const file = write('journal.jsonl', header + one);
    const { result } = readResult(file);
    write('journal.jsonl', header + one + two);
    expect([...result.cases]).toHaveLength(1);
  });

  it('of a finished run is the whole result, its cases in the order of the suites', () => {
    const file = write('journal.jsonl', header + two + one + endOf('one', 'two') + footer);
    const { result, notes } = readResult(file);
    expect({ ...result, cases: [...result.cases] }).toEqual({
      header: buildHeader(),
      cases: [buildCase({ id: 'one', title: 'é😀' }), buildCase({ id: 'two', verdict: 'fail' })],
      rules: [buildRule()],
      invariants: [buildInvariant()],
      unsolicited: [buildDelivery()],
      footer: buildFooter({ outcome: 'conformant' }),
    });
    expect(notes).toEqual([]);
  });

  it('that was cut off between what was concluded and its footer has no outcome', () => {
    const file = write('journal.jsonl', header + one + endOf('one') + footer.slice(0, 30));
    const { result, notes } = readResult(file);
    expect('footer' in result).toBe(false);
    expect(result.rules).toEqual([buildRule()]);
    expect(notes).toEqual([`${file}: the run was cut off; the journal has 1 finished case and no outcome`]);
  });

  it('is refused where a line is longer than its bound, before the line is whole', () => {
    const path = write('long.jsonl', header);
    truncateSync(path, 70 * 1024 * 1024);
    expect(refusal(path)).toBe('result-unreadable long.jsonl cannot be read: line 2 is longer than 64 MB');
  });

  it('is refused where a line is not UTF-8, except one that was cut off', () => {
    const path = write('latin.jsonl', header);
    const half = Buffer.from(one).subarray(0, one.indexOf('é') + 1);
    writeFileSync(path, Buffer.concat([Buffer.from(header), half]));
    expect([...readResult(path).result.cases]).toEqual([]);
    writeFileSync(path, Buffer.concat([Buffer.from(header), half, Buffer.from('\n')]));
    expect(refusal(path)).toBe('result-unreadable latin.jsonl cannot be read: line 2 is not UTF-8');
  });

  it('is read in lines longer than a chunk', () => {
    const long = line('case', buildCase({ id: 'long', reason: 'x'.repeat(1_000_000) }));
    const file = write('journal.jsonl', header + long + two);
    expect([...readResult(file).result.cases].map(({ id }) => id)).toEqual(['long', 'two']);
  });

  it.each([
    [
      'with broken JSON inside',
      header + one.replace('"area":', '"area"') + two,
      'result-not-json bad.jsonl:2:83: this is not JSON: ":" should stand here, not "\\""',
    ],
    [
      'with a case that is none',
      header + one.replace('"verdict":"pass"', '"verdict":1'),
      'result-broken bad.jsonl:2: this is not a result of carrierspec: /verdict is 1, not a string',
    ],
    [
      'of a newer format',
      header.replace('"version":3', '"version":7'),
      'result-version bad.jsonl:1: this result has version 7 of the format, and this carrierspec reads version 3 only: use the carrierspec that wrote it',
    ],
    [
      'of an older format',
      header.replace('"version":3', '"version":1'),
      'result-version bad.jsonl:1: this result has version 1 of the format, and this carrierspec reads version 3 only: use the carrierspec that wrote it',
    ],
    ['with two headers', header + one + header, 'result-broken bad.jsonl:3: a journal has one header, its first line'],
    [
      'that goes on after its footer',
      header + endOf() + footer + one,
      'result-broken bad.jsonl:4: nothing may follow the footer of a journal',
    ],
    [
      'with a footer before its end',
      header + one + footer,
      'result-broken bad.jsonl:3: the footer of a journal stands behind its end, and nothing else does',
    ],
    [
      'with a case behind its end',
      header + endOf() + one,
      'result-broken bad.jsonl:3: the footer of a journal stands behind its end, and nothing else does',
    ],
    [
      'whose end names a case that is not there',
      header + one + endOf('one', 'two') + footer,
      'result-broken bad.jsonl: the journal names a case that it has not: two',
    ],
    [
      'whose end is none',
      header + one + endOf('one').replace('"judged":120', '"judged":-1'),
      'result-broken bad.jsonl:3: this is not a result of carrierspec: /invariants/0/judged is -1, not 0 or more',
    ],
    [
      'with a line of another kind',
      `${header}{"kind":"x"}\n`,
      'result-broken bad.jsonl:2: a line of a journal is a header, a case, an end or a footer',
    ],
    [
      'with a line that is no object',
      `${header}[]\n`,
      'result-broken bad.jsonl:2: a line of a journal is one JSON object',
    ],
    [
      'cut off in its header',
      header.slice(0, 90),
      'result-cut-off bad.jsonl:1:91: the file ends here, in the middle: the rest of a string should follow',
    ],
  ])('%s is refused', (_, text, message) => {
    expect(refusal(write('bad.jsonl', text))).toBe(message);
  });
});

describe('what cases contributed', () => {
  const contributions = {
    one: {
      judged: { standing: 2 },
      violations: { standing: { count: 1, findings: [buildFinding({ seenIn: 'one' })] } },
      messages: [{ id: 'one#x1', kind: 'response', outcome: 'accepted', usual: true, client: 'main' }],
    },
  } as const;
  const header = buildHeader({ shard: { index: 1, of: 2 } });

  it('comes back from the result of a shard', () => {
    const shard = buildResult({ header, cases: [buildCase({ id: 'one' })], contributions });
    expect(readResult(write('shard.json', textOf(shard))).result.contributions).toEqual(contributions);
  });

  it('comes back from the journal of a shard, and is no part of its cases', () => {
    const one = buildCase({ id: 'one' });
    const lines = [
      { kind: 'header', ...header },
      { kind: 'case', ...one, contributed: contributions.one },
    ];
    const { result } = readResult(write('shard.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    expect(result.contributions).toEqual(contributions);
    expect([...result.cases]).toEqual([one]);
  });
});
