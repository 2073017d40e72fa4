import type { JsonObject } from '../../lib/json.ts';

/** The text of a schema's file in `suites/schema/`, whose id is its name. */
export function renderSchemaFile(name: string, { $schema, ...schema }: JsonObject): string {
  return `${JSON.stringify({ $schema, $id: name, ...schema }, null, 2)}\n`;
}
