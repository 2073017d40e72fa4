import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../testing/program/spawn-cli.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/security.md');

const units: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 * 1024, s: 1000 };

/** Parses `256 KB` into bytes and `10 s` into milliseconds. */
function amountOf(bound: string): number {
  const [amount = '', unit] = bound.split(' ');
  return Number(amount) * (unit === undefined ? 1 : (units[unit] ?? Number.NaN));
}

/** Value of a constant or member in the source: a number or a product. */
function constantIn(source: string, name: string): number {
  const [, product = ''] = new RegExp(String.raw`\b${name}(?: =|:) (\d[\d_ *]*)`).exec(source) ?? [];
  return product
    .split('*')
    .reduce((value, factor) => value * Number(factor.replaceAll('_', '')), product === '' ? Number.NaN : 1);
}

const bounds = [...page.matchAll(/^\| ([^|]+) \| (\d+(?: \w+)?) \| `(\w+)` in `(\S+)` \|$/gm)];

describe('the page about security', () => {
  test('has a table of bounds', () => expect(bounds.length).toBeGreaterThanOrEqual(19));

  test.each(bounds.map(([, what = '', bound = '', name = '', file = '']) => [what, bound, name, file] as const))(
    '%s: %s is %s in %s',
    (_, bound, name, file) => {
      expect(constantIn(read(file), name)).toBe(amountOf(bound));
    },
  );

  test('names code and tests that there are', () => {
    const named = [...page.matchAll(/`((?:src|ci)\/[\w./-]+)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('is where the page at the top level points', () => {
    expect(read('SECURITY.md')).toContain('(docs/security.md)');
  });
});
