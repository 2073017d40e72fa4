import { testedInterface } from '../testing/parts/tested-interface.ts';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../testing/program/target-file.ts';
import { loadLimits } from './load-limits.ts';
import { loadShipped } from '../testing/parts/shipped-suites.ts';

const { suites } = await loadShipped();
const names = { rules: suites.rules, tampers: new Set<string>(), difference: testedInterface.difference };

describe('the limits that ship', () => {
  const { limits, problems } = loadLimits({ dir: 'suites', ...names });

  test('have no mistake, names of their own, and rungs that rise', () => {
    expect(problems).toEqual([]);
    const all = [...limits.limits, ...limits.profile].map(({ name }) => name);
    expect(new Set(all).size).toBe(all.length);
    for (const { method } of limits.limits) {
      if ('rungs' in method) expect(method.rungs).toEqual(method.rungs.toSorted((a, b) => a - b));
    }
    expect(limits.limits.find(({ name }) => name === 'jti-window')?.method).toMatchObject({
      kind: 'repeat',
      claim: 'jti',
    });
  });

  test('every entry of the profile is recorded by a case that ships', () => {
    const recorded = new Set(
      suites.cases.flatMap(({ id, steps }) => steps.flatMap(({ record }) => record.map(([name]) => `${id} ${name}`))),
    );
    expect(limits.profile.filter((entry) => !recorded.has(`${entry.case} ${entry.record}`))).toEqual([]);
  });

  test('what stands beside another is there', () => {
    const known = new Set(limits.limits.map(({ name }) => name));
    for (const { beside } of limits.limits) if (beside !== undefined) expect(known).toContain(beside.limit);
  });
});

test('mistakes are reported with their place', () => {
  const dir = makeFolder();
  mkdirSync(join(dir, 'schema'));
  cpSync('suites/schema/limits.json', join(dir, 'schema/limits.json'));
  const text = readFileSync('suites/limits.yaml', 'utf8')
    .replace('rule: REQ-074', 'rule: REQ-999')
    .replace("repeat('a', probe)", "repeat('a', prob)")
    .replace('unit: characters', 'unit: letters');
  writeFileSync(join(dir, 'limits.yaml'), text);
  const { problems } = loadLimits({ dir, ...names });
  expect(problems.map(({ code, position }) => `${code} ${position.line}`)).toEqual([
    'unknown-rule 7',
    'bad-value 8',
    'unknown-name 12',
  ]);
});
