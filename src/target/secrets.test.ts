import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { renderProblem } from '../suite/yaml/problems.ts';
import { ecKey } from '../testing/parts/keys.ts';
import { problemCodes, createWorkbench, type WorkbenchTarget } from './testing/load-with.ts';

const { write, loadText, loadWith, remove } = createWorkbench();
afterAll(remove);

const secret = 'hush-hush-hush-1234';
const env = { SECRET: 'hush-hush-hush' };
const { d: privatePart = '' }: Record<string, unknown> = ecKey().jwk;

const texts = (loaded: WorkbenchTarget): string =>
  loaded.problems.map((problem) => renderProblem(problem)).join('\n') + JSON.stringify(loaded.problems);

test('no problem of the broken target files shows a secret', () => {
  const root = 'fixtures/broken-targets';
  const read = (name: string): readonly string[] =>
    readdirSync(root).flatMap((folder) =>
      readdirSync(`${root}/${folder}`).includes(name) ? [readFileSync(`${root}/${folder}/${name}`, 'utf8')] : [],
    );
  expect(read('carrier.yaml').filter((text) => text.includes('hush')).length).toBeGreaterThanOrEqual(7);
  expect(read('expected.txt').filter((text) => text.includes('hush'))).toEqual([]);
});

describe('never a secret in a problem', () => {
  test('a client secret written inline', () => {
    const loaded = loadWith({ secret });
    expect(problemCodes(loaded)).toEqual(['secret-inline']);
    expect(texts(loaded)).not.toContain(secret);
    expect(loaded.problems[0]).toMatchObject({
      message: 'a client secret does not belong in this file',
      hint: 'write { env: NAME } or { file: PATH }',
      sourceLine: `      "secret": "${'•'.repeat(secret.length)}"`,
    });
  });

  test('a client secret beside a mistake on the same line', () => {
    const client = `{ client_id: x, secret: { value: ${secret} }, redirect_uris: ["app:cb"], notification_uris: [] }`;
    const loaded = loadText(
      `carrier: A\nmccmnc: "001010"\ndiscovery: https://op.test\nclients: { main: ${client} }\nsubscribers: {}\n`,
    );
    expect(problemCodes(loaded)).toEqual(['unknown-key', 'bad-value']);
    expect(texts(loaded)).not.toContain(secret);
  });

  test('a client secret beside a mistake of another client, and in a comment', () => {
    const client = 'redirect_uris: ["app:cb"], notification_uris: []';
    const clients = `{ a: { secret: ${secret}, ${client} }, b: { client_id: x, ${client}, kees: [] } } # ${secret}`;
    const loaded = loadText(
      `carrier: A\nmccmnc: "001010"\ndiscovery: https://op.test\nclients: ${clients}\nsubscribers: {}\n`,
    );
    expect(problemCodes(loaded)).toEqual(['missing-key', 'secret-inline', 'unknown-key', 'bad-value']);
    expect(texts(loaded)).not.toContain(secret);
  });

  test.each([
    ['quoted with escapes', `"hush-\\x68ush" x`, 'x68ush'],
    ['a tag', `!${secret}`, secret],
    ['an alias', `*${secret}`, secret],
    ['a number', '98765432109876543210', '98765432109876543210'],
    ['a block scalar header', `>${secret}\n      ${secret}`, secret],
    ['two keys on a line', `${secret}: ${secret}: x`, secret],
    ['a directive', `%${secret}`, secret],
    ['an open quote', `"${secret}`, secret],
    ['an anchor', `&${secret} &${secret} x`, secret],
  ])('a client secret that YAML reads as %s', (_, written, hidden) => {
    const loaded = loadText(`carrier: A\nclients:\n  main:\n    secret: ${written}\n`);
    expect(loaded.problems).not.toEqual([]);
    expect(texts(loaded)).not.toContain(hidden);
  });

  test('a client secret in a file that is no YAML further on', () => {
    const loaded = loadText(`clients: { main: { secret: ${secret}, keys: [ } }\n`);
    expect(problemCodes(loaded)).toContain('yaml-syntax');
    expect(texts(loaded)).not.toContain(secret);
    expect(loaded.problems[0]?.sourceLine).toBe(`clients: { ••••: { secret: ${'•'.repeat(secret.length)}, keys: [ } }`);
  });

  test('a private key written inline', () => {
    const loaded = loadWith({ keys: [ecKey().jwk] });
    expect(problemCodes(loaded)).toEqual(['secret-inline']);
    expect(texts(loaded)).not.toContain(privatePart);
  });

  test('the private part of a key alone', () => {
    const loaded = loadWith({ keys: [privatePart] });
    expect(problemCodes(loaded)).toEqual(['secret-inline']);
    expect(texts(loaded)).not.toContain(privatePart);
  });

  test('a key file that is unusable', () => {
    write('bad.json', JSON.stringify({ ...ecKey().jwk, x: 'AAAA' }));
    const loaded = loadWith({ keys: [{ file: 'bad.json' }] });
    expect(problemCodes(loaded)).toEqual(['key-unusable']);
    expect(texts(loaded)).not.toContain(privatePart);
  });

  test('a value of the environment that is put where it does not belong', () => {
    const taken = { env: 'SECRET' };
    const rest = { issuer: taken, endpoints: { server_initiated: taken }, receiver: { port: taken, url: taken } };
    const loaded = loadWith({ keys: [{ file: taken }] }, rest, env);
    expect(problemCodes(loaded).toSorted()).toEqual([
      'bad-value',
      'bad-value',
      'bad-value',
      'bad-value',
      'file-unreadable',
    ]);
    expect(texts(loaded)).not.toContain(env['SECRET']);
    expect(loaded.problems.every(({ message }) => message.includes('SECRET'))).toBe(true);
  });

  test('any letter missing or added around it', () => {
    const before = 'carrier: A\nclients: { main: { client_id: x, ';
    const written = 'secret: "hushHUSH", kees: 1 } }\n';
    const signs = ['{', ']', ':', ': ', '"', ' #', '&', '*', '!', ',', '\n'];
    const changed = Array.from(written).flatMap((_, at) =>
      ['', ...signs].map((sign) => `${written.slice(0, at)}${sign}${written.slice(sign === '' ? at + 1 : at)}`),
    );
    expect(changed.filter((text) => /hush|HUSH/.test(texts(loadText(before + text))))).toEqual([]);
  });

  test('columns stay: the caret is under the mistake', () => {
    const loaded = loadText(`carrier: A\nclients: { main: { secret: ${secret}, kees: [] } }\n`);
    const unknown = loaded.problems.find(({ message }) => message.includes('"kees"'));
    expect(unknown?.sourceLine?.slice((unknown.position.column ?? 0) - 1)).toMatch(/^kees: /);
  });
});
