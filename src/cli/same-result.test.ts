import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root, runCli } from '../testing/spawn-cli.ts';
import { makeFolder } from '../testing/target-file.ts';

/** What may differ between two runs: ids, random values, times, ports, and digests of those. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/127\.0\.0\.1:\d+/g, 'HOST'],
  [/sha256:[0-9a-f]{12,64}/g, 'DIGEST'],
  [/ccid-[A-Za-z0-9]{27,}/g, 'AUTH_REQ_ID'],
  [/[0-9a-f]{16}/g, 'RANDOM'],
  [/\b1\d{9}\b/g, 'SECONDS'],
  [/\b1\d{12}\b/g, 'MILLISECONDS'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, 'DATE'],
  [/"at_hash":"[^"]*"/g, 'AT_HASH'],
  [/"wallMilliseconds":\d+/g, 'WALL'],
  [/"context","change":"set","value":"[A-Za-z]+"/g, 'LETTERS'],
  [/"context":"[A-Za-z-]+"/g, 'LETTERS'],
  [/"value":"[A-Za-z]{7,}"/g, 'LETTERS'],
];

const withoutChance = (text: string): string[] =>
  changing.reduce((left, [pattern, name]) => left.replace(pattern, name), text).split('\n');

describe('two runs against the reference carrier', () => {
  const folders: string[] = [];
  beforeAll(async () => {
    for (let run = 0; run < 2; run += 1) {
      const out = makeFolder();
      folders.push(out);
      const { code } = await runCli(['run', '--out', out]);
      expect(code).toBe(0);
    }
  }, 120_000);

  test('give the same result document apart from ids and times', () => {
    const [first = [], second = []] = folders.map((out) =>
      withoutChance(readFileSync(join(out, 'result.json'), 'utf8')),
    );
    expect(first.length).toBeGreaterThan(500);
    const differing = first.flatMap((line, at) =>
      line === second[at] ? [] : [[line.slice(0, 300), second[at]?.slice(0, 300)]],
    );
    expect(differing).toEqual([]);
  });

  test('write no secret: no private key, no client secret, no token, no signed request object', () => {
    const keys = join(root, 'fixtures/reference/keys');
    const secrets = readdirSync(keys).flatMap((name) => {
      const jwk = JSON.parse(readFileSync(join(keys, name), 'utf8')) as Record<string, unknown>;
      return ['d', 'p', 'q', 'dp', 'dq', 'qi'].flatMap((member) =>
        typeof jwk[member] === 'string' ? [jwk[member]] : [],
      );
    });
    const registrations = readFileSync(join(root, 'fixtures/reference/registrations.json'), 'utf8');
    secrets.push(...[...registrations.matchAll(/"secret": "([^"]+)"/g)].map(([, secret = '']) => secret));
    expect(secrets.length).toBeGreaterThan(20);
    for (const out of folders) {
      for (const name of readdirSync(out)) {
        const text = readFileSync(join(out, name), 'utf8');
        expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
        expect(/eyJ[\w-]{10,}\.[\w-]+/.exec(text)?.[0]).toBeUndefined();
        expect(/[Bb]earer (?!\[)[\w-]{16,}/.exec(text)?.[0]).toBeUndefined();
      }
    }
  });
});
