import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HeaderLines } from '../../model/exchange.ts';
import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { abridgeJson, createRecorder } from './recorder.ts';
import { redactionMark } from './redaction-marks.ts';
import { createRedactor } from './redactor.ts';

const jws = 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhIn0.c2lnbmF0dXJl-_x';
const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12);
const whole = (text: string): string => createHash('sha256').update(text).digest('hex');

function learned(...secrets: readonly string[]) {
  const redactor = createRedactor(testedInterface.secretMembers);
  for (const secret of secrets) redactor.learn('token', secret);
  return redactor;
}

describe('the record of a message', () => {
  const record = (
    headers: readonly (readonly [string, string])[],
    body = '',
    redactor = createRedactor(testedInterface.secretMembers),
  ) => createRecorder().message({ headers, body }, { id: 'a#x1', redactor });

  test('headers in order and case; other values as they are', () => {
    const headers = [
      ['X-B', '1'],
      ['x-a', '2'],
      ['X-b', '3'],
    ] as const;
    expect(record(headers, 'hi')).toEqual({ headers, body: 'hi', bytes: 2 });
  });

  test.each([
    ['Authorization', 'bearer hush-hush', `bearer ${redactionMark('token', 'hush-hush')}`],
    ['AUTHORIZATION', 'Basic aHVzaDpodXNo', `Basic ${redactionMark('token', 'aHVzaDpodXNo')}`],
    ['authorization', 'hush-hush', redactionMark('credential', 'hush-hush')],
    ['x-authorization', 'short', redactionMark('credential', 'short')],
    ['Cookie', 'hush-hush', redactionMark('credential', 'hush-hush')],
  ])('%s: %s', (name, value, kept) => expect(record([[name, value]]).headers).toEqual([[name, kept]]));

  test.each([
    ['Set-Cookie', 'sid=hush-hush; Path=/; HttpOnly'],
    ['Cookie', 'sid=hush-hush; other=1'],
    ['Authorization', 'hush-hush and more'],
    ['Authorization', 'bearer  hush-hush'],
    ['Proxy-Authorization', 'Basic hush-hush'],
    ['X-Authorization', 'PoP hush-hush'],
    ['DPoP', jws],
  ])('no credential survives in %s: %s', (name, value) => {
    const [[, kept] = ['', '']] = record([[name, value]]).headers;
    expect(kept).not.toContain('hush-hush');
    expect(kept).not.toContain(jws);
  });

  test('a credential has the digest its token has elsewhere', () => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers({ client_notification_token: 'hush-hush-hush' });
    const { headers, body } = record([['Authorization', 'bearer hush-hush-hush']], 'hush-hush-hush', redactor);
    expect(`${headers[0]?.[1]} ${body}`.match(/sha256:[0-9a-f]{12}/g)).toEqual([
      `sha256:${digest('hush-hush-hush')}`,
      `sha256:${digest('hush-hush-hush')}`,
    ]);
  });

  test('a body is cut after its secrets are out, and its bytes are counted before', () => {
    const secret = 's'.repeat(200);
    const body = `${'a'.repeat(16 * 1024 - 100)}${secret}é`;
    const kept = record([], body, learned(secret));
    expect(kept.bytes).toBe(16 * 1024 - 100 + 200 + 2);
    expect(kept.body.endsWith(`${'a'.repeat(8)}${redactionMark('token', secret)}é`)).toBe(true);
    expect(kept.truncated).toBeUndefined();
    const long = record([], `${'b'.repeat(16 * 1024)}c`);
    expect(long).toMatchObject({ body: 'b'.repeat(16 * 1024), bytes: 16 * 1024 + 1, truncated: true });
  });

  test.each<[string, string, string]>([
    ['as it is', '{"access_token":"abc/def+ghi/123"}', 'abc/def+ghi/123'],
    ['with escaped solidus', '{"access_token":"abc\\/def+ghi\\/123"}', 'def+ghi'],
    ['with escaped letters', '{"access_token":"\\u0061bc-def-ghi-123"}', 'bc-def-ghi-123'],
    ['with an escaped quote', '{"access_token":"abc\\"def-ghi-123"}', 'def-ghi-123'],
  ])('a token in a JSON body, written %s', (_, body, part) => {
    const redactor = createRedactor(testedInterface.secretMembers);
    redactor.learnMembers(JSON.parse(body));
    expect(record([], body, redactor).body).not.toContain(part);
  });
});

describe('what is kept of large messages', () => {
  const redactor = createRedactor();
  const none: HeaderLines = [];
  const record = (recorder = createRecorder(), body = '', headers = none, id = 'a#x1') =>
    recorder.message({ headers, body }, { id, redactor });
  const large = (letter: string): string => letter.repeat(5000);

  test('in full while the budget lasts, then the ends, the length and the digest', () => {
    const recorder = createRecorder(9000);
    expect(record(recorder, large('a'))).toEqual({ headers: [], body: large('a'), bytes: 5000 });
    const second = record(recorder, large('b'), none, 'a#x2');
    expect(second).toEqual({
      headers: [],
      body: `${'b'.repeat(512)}\n[... 4232 characters left out ...]\n${'b'.repeat(256)}`,
      bytes: 5000,
      truncated: true,
      sha256: whole(large('b')),
    });
    expect(record(recorder, 'small').body).toBe('small');
  });

  test('an equal body once, whatever is left of the budget', () => {
    const recorder = createRecorder();
    record(recorder, large('a'), none, 'a#x7');
    expect(record(recorder, large('a'), none, 'b#x1')).toMatchObject({ sameAs: 'a#x7', truncated: true, bytes: 5000 });
    expect(record(recorder, large('a'), none, 'b#x2').body.length).toBeLessThan(900);
  });

  test('the length left out is that of what was sent, and no mark is cut', () => {
    const secret = 's'.repeat(1024);
    const other = learned(secret);
    const body = `${'a'.repeat(500)}${secret}${'b'.repeat(5000)}${secret}${'c'.repeat(250)}`;
    const kept = createRecorder(0).message({ headers: none, body }, { id: 'a#x1', redactor: other });
    const mark = redactionMark('token', secret);
    expect(kept.body).toBe(`${'a'.repeat(500)}${mark}\n[... 5000 characters left out ...]\n${mark}${'c'.repeat(250)}`);
    const line = createRecorder(0).line(`${'a'.repeat(120)}${secret}${'b'.repeat(9000)}`, other);
    expect(line).toMatch(/^a{120}\[token sha256:\w{12}, 1,024 characters\] \[\.\.\. 10144 characters, sha256:/);
  });

  test.each([
    ['control characters', '\u0001'],
    ['characters of two halves', '\u{1F600}'],
    ['quotes', '"'],
    ['letters', 'x'],
  ])('a hundred messages of %s, no two alike, take 24 kB each', (_, unit) => {
    const recorder = createRecorder(10_000);
    let size = 0;
    for (let at = 0; at < 100; at += 1) {
      const text = `${at}${unit.repeat(30_000)}`;
      const headers: HeaderLines = Array.from({ length: 50 }, () => [`X-${unit.repeat(200)}`, text.slice(0, 300)]);
      const kept = record(recorder, text, headers);
      expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
      expect(kept.body.isWellFormed()).toBe(true);
      size += JSON.stringify(kept).length;
    }
    expect(size).toBeLessThan(100 * 24_000 + 10_000);
  });

  test('header lines: a long value and how many more lines there were', () => {
    const headers: HeaderLines = Array.from({ length: 500 }, (_, at) => [`X-${at}`, 'v'.repeat(at === 0 ? 5000 : 10)]);
    const kept = record(createRecorder(0), '', headers).headers;
    expect(kept).toHaveLength(25);
    expect(kept[0]?.[1]).toBe(`${'v'.repeat(128)} [... 5000 characters, sha256:${digest('v'.repeat(5000))}]`);
    expect(kept.at(-1)).toEqual(['...', '476 lines left out']);
  });

  test.each([
    ['a body', 2048, (text: string) => record(createRecorder(0), text).body],
    ['a line', 2048, (text: string) => createRecorder(0).line(text, redactor)],
    ['a value', 2048, (text: string) => createRecorder(0).json(text, redactor)],
    ['a value of a finding', 4096, abridgeJson],
  ])('%s of %i characters as JSON is small', (_, most, recorded) => {
    const [small, more] = ['x'.repeat(most - 2), 'x'.repeat(most - 1)];
    expect(recorded(small)).toBe(small);
    expect(recorded(more)).not.toBe(more);
  });

  test('header lines of 4096 characters as JSON are small', () => {
    const linesOf = (size: number): HeaderLines => [['X', 'v'.repeat(size - JSON.stringify([['X', '']]).length)]];
    for (const [size, isSmall] of [
      [4096, true],
      [4097, false],
    ] as const) {
      const lines = linesOf(size);
      expect([size, record(createRecorder(0), '', lines).headers[0]?.[1] === lines[0]?.[1]]).toEqual([size, isSmall]);
    }
  });

  test('6 MB of large bodies in a run', () => {
    const recorder = createRecorder();
    const sizes = Array.from({ length: 400 }, (_, at) => record(recorder, `${at}`.padEnd(16 * 1024, 'x')).body.length);
    expect(sizes.findIndex((size) => size < 16 * 1024)).toBe(Math.floor((6 * 1024 * 1024) / (16 * 1024 + 2)));
  });

  test('a long line, and a value that is too large for what is left', () => {
    const recorder = createRecorder(0);
    expect(recorder.line('l'.repeat(9000), redactor).length).toBeLessThan(200);
    expect(recorder.json({ a: 'short' }, redactor)).toEqual({ a: 'short' });
    expect(recorder.json({ a: 'l'.repeat(9000) }, redactor)).toBeUndefined();
  });
});
