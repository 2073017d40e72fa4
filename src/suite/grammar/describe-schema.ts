import { copyJson, isJsonObject, type JsonObject } from '../../lib/json.ts';

/** Renders a schema as a file in `suites/schema/`; its id is the file name. */
export const renderSchemaFile = (name: string, { $schema, ...schema }: JsonObject): string =>
  `${JSON.stringify({ $schema, $id: name, ...schema }, null, 2)}\n`;

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  array: 'a list',
  null: 'empty',
};

/** Describes a schema in plain words: by its title, else by its values, else by its types. */
export function describeAllowed(schema: unknown): string {
  if (!isJsonObject(schema)) return 'something else';
  if (typeof schema['title'] === 'string') return schema['title'];
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (Array.isArray(values))
    return values.length === 1 ? quoteList(values[0]) : `one of ${values.map(String).join(', ')}`;
  const types: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  return types.map((type) => typeWords[String(type)] ?? 'something else').join(' or ');
}

/** Describes a wrong value in one line. */
export function describeWrongValue(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'string') return `the string ${quoteList(value)}`;
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'a mapping';
}

export function schemaKeyNames(schema: unknown): readonly string[] {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

function quoteList(value: unknown): string {
  const written = typeof value === 'string' ? value : JSON.stringify(copyJson(value) ?? null);
  return `"${written.length > 40 ? `${written.slice(0, 40)}...` : written}"`;
}
