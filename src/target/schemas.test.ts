import { renderSchemaFile } from '../suite/grammar/describe-schema.ts';
import { testedInterface } from '../testing/parts/tested-interface.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { targetSchemas } from './schemas.ts';

describe('the schemas of target, simulator and expected files', () => {
  const all = Object.entries(targetSchemas(testedInterface));

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

  test.each(all)('%s is what the grammar describes; `npm run schemas` writes it', (name, schema) =>
    expect(readFileSync(join('suites/schema', name), 'utf8')).toBe(renderSchemaFile(name, schema)),
  );

  test.each(all)('%s is a JSON Schema', (_, schema) => {
    expect(new Ajv({ strict: true, strictTypes: false, validateSchema: true }).compile(schema)).toBeTypeOf('function');
  });

  test.each(all)('%s says of every key what it is for', (_, schema) => expect([...undescribed(schema)]).toEqual([]));

  test('a key without a description is found', () => {
    expect([...undescribed({ properties: { a: { properties: { b: {} }, description: 'x' } } })]).toEqual([
      '.properties.a.b',
    ]);
  });
});
