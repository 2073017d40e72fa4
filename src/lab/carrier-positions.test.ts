import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultCatalogue } from './catalogue.ts';
import { strictCarrier } from '../carrier/strict-carrier.ts';
import { findPosition, findPartPosition, readPositions } from '../setup/carrier-positions.ts';
import { packageRoot } from '../setup/paths.ts';

const positions = readPositions(packageRoot);

function lineAt(position = ''): string {
  const [file = '', line = ''] = position.split(':');
  return readFileSync(join(packageRoot, file), 'utf8').split('\n')[Number(line) - 1] ?? '';
}

const isNamed = (step: unknown): step is { readonly name: string } =>
  typeof step === 'object' && step !== null && 'name' in step && typeof step.name === 'string';

describe('positions in the reference carrier', () => {
  test('every fault has one, and its line has its name', () => {
    expect(faultCatalogue.filter(({ name }) => findPosition(positions.faults, name) === undefined)).toEqual([]);
    for (const { name } of faultCatalogue) {
      expect(lineAt(findPosition(positions.faults, name))).toContain(`'${name}'`);
    }
  });

  test('every check of the pipeline has one', () => {
    const groups: readonly unknown[] = Object.values(strictCarrier.pipeline).flat();
    const names = groups.flatMap((step) => (isNamed(step) ? [step.name] : []));
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => findPosition(positions.steps, name) === undefined)).toEqual([]);
    for (const name of names) expect(lineAt(findPosition(positions.steps, name))).toContain(`'${name}'`);
  });

  test.each([
    ['builder', 'builders.callbackHeaders', 'callbackHeaders: '],
    ['builder', 'userinfo.hasLevels', 'hasLevels: '],
    ['policy', 'jtiWindow', 'jtiWindow: '],
  ])('a %s such as %s has one', (kind, name, text) => {
    expect(lineAt(findPartPosition(positions, kind, name))).toContain(text);
  });

  test('without sources there are none', () => {
    expect(readPositions('/nowhere')).toEqual({ faults: {}, steps: {}, parts: {} });
  });
});
