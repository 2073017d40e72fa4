import { renderSchemaFile } from './grammar/describe-schema.ts';
import { testedInterface } from '../testing/parts/tested-interface.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { suiteSchemas } from './schemas.ts';

describe.each(Object.entries(suiteSchemas(testedInterface)))('%s', (name, schema) => {
  test('is what the grammar says; `npm run schemas` writes it anew', () =>
    expect(readFileSync(join('suites/schema', name), 'utf8')).toBe(renderSchemaFile(name, schema)));

  test('is a JSON Schema whose every key explains itself', () => {
    const ajv = new Ajv({ strict: true, strictTypes: false });
    expect(ajv.validateSchema(schema)).toBe(true);
    expect(unexplained(schema, '')).toEqual([]);
  });
});

/** Members of `properties` without a description. */
function unexplained(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    const inside = unexplained(value, `${path}/${key}`);
    if (key !== 'properties') return inside;
    const silent = Object.entries(value as object).filter(([, property]) => !('description' in (property as object)));
    return [...silent.map(([property]) => `${path}/${property}`), ...inside];
  });
}
