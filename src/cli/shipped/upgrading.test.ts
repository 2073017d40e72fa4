import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { version1, version1Roots } from '../../suite/yaml/version-1.ts';
import { root } from '../../testing/spawn-cli.ts';

const page = readFileSync(join(root, 'docs/upgrading.md'), 'utf8');

/** The names in code of each row: of version 1, and of today. */
const rows = [...page.matchAll(/^\| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, from = '', to = '']) =>
  [from, to].map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)),
);
const hasRow = (from: string, to: string): boolean =>
  rows.some(([before = [], after = []]) => before.some((name, at) => name === from && after[at] === to));

describe('docs/upgrading.md', () => {
  const renamed = Object.entries(version1).flatMap(([kind, names]) =>
    names.map(({ from, to, value }) => {
      // The page names the word alone, where its key is clear from the row.
      const isAlone = value !== undefined && from !== 'on' && from !== 'holds';
      const written = (word: string): string => (isAlone ? word : `${from}: ${word}`);
      return value === undefined ? { kind, from, to } : { kind, from: written(value.from), to: written(value.to) };
    }),
  );

  test.each(renamed)('has $from of a file of $kind, which is $to today', ({ from, to }) =>
    expect(hasRow(from, to)).toBe(true),
  );

  test.each([...version1Roots])('has the root %s of a template, which is %s today', (from, to) =>
    expect(hasRow(`{{ ${from}... }}`, `{{ ${to}... }}`)).toBe(true),
  );
});
