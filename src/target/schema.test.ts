import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

describe('the schema of target files', () => {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

  function* undescribed(node: unknown, path = ''): Generator<string> {
    if (!isObject(node)) return;
    for (const [keyword, member] of Object.entries(node)) {
      if (keyword === 'properties' && isObject(member)) {
        for (const [key, one] of Object.entries(member)) {
          if (!isObject(one) || typeof one['description'] !== 'string') yield `${path}.${key}`;
        }
      }
      yield* undescribed(member, `${path}.${keyword}`);
    }
  }

  test('says of every key what it is for', () => {
    expect([...undescribed(JSON.parse(readFileSync('suites/schema/target.json', 'utf8')))]).toEqual([]);
    expect([...undescribed({ properties: { a: { properties: { b: {} }, description: 'x' } } })]).toEqual([
      '.properties.a.b',
    ]);
  });
});
