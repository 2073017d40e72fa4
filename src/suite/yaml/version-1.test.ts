import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writePacked } from '../../lib/packed.ts';
import { loadText } from '../../testing/load-text.ts';
import { parseYaml } from './document.ts';
import { openPrepared, recordParsed } from './prepared.ts';
import { renameKeys, version1 } from './version-1.ts';

const rules = version1['rules'] ?? [];

const text = `area: area
title: An area
rules:
  - id: REQ-001
    clause: "2.3"
    level: observed
    "says": It holds.
    aspects:
      near: { level: required, says: It nearly holds. }
    judged: cases
`;

describe('names of version 1', () => {
  const { document, uses } = renameKeys(parseYaml(text, 'rules.yaml'), rules);

  test('are read as those of today', () => {
    expect(document.json).toMatchObject({
      rules: [
        {
          level: 'informational',
          description: 'It holds.',
          aspects: { near: { level: 'required', description: 'It nearly holds.' } },
        },
      ],
    });
  });

  test('are given out with their place', () => {
    expect(
      uses.map(({ path, from, to, position: { line, column } }) => [path.join('.'), from, to, line, column]),
    ).toEqual([
      ['rules.0.level', 'observed', 'informational', 6, 12],
      ['rules.0.says', 'says', 'description', 7, 5],
      ['rules.0.aspects.near.says', 'says', 'description', 9, 32],
    ]);
  });

  test('leave every place where it is', () => {
    expect(document.keyPosition(['rules', 0, 'description'])).toMatchObject({ line: 7, column: 5 });
    expect(document.position(['rules', 0, 'description'])).toMatchObject({ line: 7, column: 13 });
    expect(document.positionInside(['rules', 0, 'aspects', 'near', 'description'], 3)).toMatchObject({
      line: 9,
      column: 41,
    });
    expect(document.position(['rules', 0, 'clause'])).toMatchObject({ line: 5, column: 13 });
  });

  test('are found in a document that was prepared', () => {
    const folder = mkdtempSync(join(tmpdir(), 'carrierspec-prepared-'));
    try {
      const file = join(folder, 'prepared.json');
      const { parse, packed } = recordParsed();
      parse(text, 'rules.yaml', 'rules');
      writePacked(file, packed(null));
      const prepared = openPrepared(file).parse(text, 'rules.yaml', 'rules');
      expect(prepared.isChecked).toBe(true);
      const renamed = renameKeys(prepared, rules);
      expect(renamed.uses).toEqual(uses);
      expect(renamed.document.json).toEqual(document.json);
      expect(renamed.document.keyPosition(['rules', 0, 'description'])).toMatchObject({ line: 7, column: 5 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('stay where both names are, and anywhere else', () => {
    const both = parseYaml('rules: [{ says: a, description: b }, { clause: { says: c } }]\nsays: d\n', 'rules.yaml');
    expect(renameKeys(both, rules)).toEqual({ document: both, uses: [] });
  });
});

const sharedHead = (observed: string, says: string) => `area: area
title: An area
rules:
  - { id: REQ-001, clause: "2.3", level: required, ${says}: It holds., judged: cases }
  - { id: REQ-002, clause: "2.3", level: ${observed}, ${says}: It is seen., judged: invariant }
`;

const suite = (requires: string, exclusive: string, response: string) => `suite: A suite
cases:
  - id: one
    title: One
    rule: REQ-001
    ${requires}: [revocation]
    ${exclusive}: true
    steps: [{ as: answer, authorize: {}, expect: accepted, record: { answer: "{{ answer.status }}" } }]
invariants:
  - id: standing
    title: It stands
    rule: REQ-002
    on: ${response}
    expect: { equals: { body.error: "x{{ ${response}.body.error }}" } }
    seenIn: [one]
`;

const today = {
  'area/rules.yaml': sharedHead('informational', 'description'),
  'area/a.suite.yaml': suite('requires', 'exclusive', 'response'),
};
const before = {
  'area/rules.yaml': sharedHead('observed', 'says'),
  'area/a.suite.yaml': suite('needs', 'alone', 'answer'),
};

test('suites of version 1 are those of today, and the loader gives out each name', async () => {
  const [now, then] = [await loadText(today), await loadText(before)];
  expect([now.problems, now.renamed, then.problems]).toEqual([[], [], []]);
  const wordsOf = ({ suites }: typeof now) => suites.rules.map(({ level, description }) => [level, description]);
  expect(wordsOf(then)).toEqual(wordsOf(now));
  const [one] = then.suites.cases;
  expect(one).toMatchObject({ exclusive: true, requires: now.suites.cases[0]?.requires });
  const [standing] = then.suites.invariants;
  const [equals] = standing?.expectations[0]?.equals ?? [];
  expect(standing?.on).toBe('response');
  expect(equals?.[1].paths).toEqual([['response', 'body', 'error']]);
  expect(then.renamed.map(({ from, to, position: { line, column } }) => [from, to, line, column])).toEqual([
    ['says', 'description', 4, 52],
    ['observed', 'informational', 5, 42],
    ['says', 'description', 5, 52],
    ['needs', 'requires', 6, 5],
    ['alone', 'exclusive', 7, 5],
    ['answer', 'response', 13, 9],
    ['answer', 'response', 14, 42],
  ]);
});

test('both names of one key are a mistake at the old one', async () => {
  const { problems } = await loadText({
    ...today,
    'area/a.suite.yaml': today['area/a.suite.yaml'].replace(
      '    exclusive: true\n',
      '    exclusive: true\n    alone: true\n',
    ),
  });
  expect(problems.map(({ code, message, position }) => [code, message, position.line])).toEqual([
    ['unknown-key', 'unknown key "alone" in a case', 8],
  ]);
});
